-- nearest_chunks: the chunks of planned documents that are nearest to a vector, per_document of each document.
--
-- Every chunk of them is compared.
-- The settings, and an order that only one index gives, leave the planner no other way than that index.
-- Reads:      vector_chunks
-- Guarantees: chunks of these documents only, that the call may see and that have a vector; in order of distance, document,
--             chunk; distances are in millionths; places are those in the own document, from 1; of_all counts the chunks that
--             the call may see, ranked those of them that have a vector
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.nearest_chunks('default', '{1}', '{a.md,b.md}', '[3,4]', 'cosine', 3);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.nearest_chunks(
    tenant text, visible bigint[], documents text[], query halfvec, metric text, per_document integer,
    OUT positions integer[], OUT chunks integer[], OUT places integer[], OUT distances double precision[],
    OUT scores double precision[], OUT ranked integer, OUT of_all integer
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET max_parallel_workers_per_gather = 0
    SET jit = off
AS $$
BEGIN
    SELECT coalesce(array_agg(c.position ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}'),
        coalesce(array_agg(c.ordinal ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}'),
        coalesce(array_agg(c.place ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}'),
        coalesce(array_agg(c.distance ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}'),
        coalesce(array_agg(docgraph.score(c.distance, metric) ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}'),
        coalesce(sum(c.comparable) FILTER (WHERE c.place = 1), 0),
        coalesce(sum(c.of_document) FILTER (WHERE c.place = 1), 0)
    INTO positions, chunks, places, distances, scores, ranked, of_all
    FROM (
        SELECT p.position::integer, v.*, v.place <= per_document AND v.distance IS NOT NULL AS is_candidate,
            row_number() OVER (ORDER BY v.distance, p.document_id COLLATE "C", v.ordinal) AS nth
        FROM unnest(documents) WITH ORDINALITY AS p (document_id, position)
        CROSS JOIN LATERAL (
            SELECT d.ordinal, d.distance, count(*) OVER () AS of_document, count(d.distance) OVER () AS comparable,
                (row_number() OVER (ORDER BY d.distance, d.ordinal))::integer AS place
            FROM (
                SELECT c.ordinal, docgraph.distance(c.embedding, query, metric) AS distance
                FROM docgraph.vector_chunks c
                WHERE c.tenant_id = tenant AND c.document_id BETWEEN p.document_id AND p.document_id
                    AND c.access_class = ANY (visible)
                ORDER BY c.document_id, c.ordinal
            ) AS d
        ) AS v
        WHERE v.place <= greatest(per_document, 1)
    ) AS c;
END
$$;

COMMENT ON FUNCTION docgraph.nearest_chunks(text, bigint[], text[], halfvec, text, integer) IS
    'Core. The chunks of planned documents that are nearest to a vector.';
REVOKE ALL ON FUNCTION docgraph.nearest_chunks(text, bigint[], text[], halfvec, text, integer) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
