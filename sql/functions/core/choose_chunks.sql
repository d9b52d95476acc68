-- choose_chunks: which chunks of planned documents become evidence, in the order in which they are chosen.
--
-- Candidates are the per_document nearest chunks of each document; every chunk of it is compared. selection says in which
-- order they are chosen, up to max_chunks: core functions order_by_similarity, order_by_bridge.
-- The settings, and an order that only one index gives, leave the planner no other way than that index.
-- Reads:      vector_chunks
-- Guarantees: chunks of these documents only, that the call may see and that have a vector; the lists are of one length;
--             without_vector counts those that have none, over_document and over_all what per_document and max_chunks
--             left out
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.choose_chunks('default', '{1}', docgraph.plan_retrieval('default', '{}',
--                 seeds => '{a.md}'), '{a.md,b.md}', 1, '[3,4]', 'cosine', 10, 3, 0.4, 'similarity');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.choose_chunks(
    tenant text, visible bigint[], plan jsonb, documents text[], seeds integer, query halfvec, metric text,
    max_chunks integer, per_document integer, reserve numeric, selection text, OUT positions integer[],
    OUT chunks integer[], OUT distances double precision[], OUT chosen_by text[], OUT without_vector integer,
    OUT over_document integer, OUT over_all integer
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
DECLARE
    near record;
    links record;
    chosen record;
BEGIN
    SELECT coalesce(array_agg(c.position ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}') AS positions,
        coalesce(array_agg(c.ordinal ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}') AS chunks,
        coalesce(array_agg(c.distance ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}') AS distances,
        coalesce(array_agg(c.place ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}') AS places,
        coalesce(sum(c.comparable) FILTER (WHERE c.place = 1), 0) AS comparable,
        coalesce(sum(c.of_document) FILTER (WHERE c.place = 1), 0) AS of_all
    INTO near
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

    IF selection = 'bridge' THEN
        links := docgraph.planned_links(plan, documents, seeds);
        chosen := docgraph.order_by_bridge(
            documents, seeds, near.positions, near.distances, near.places, links.from_seeds, links.to_documents);
    ELSE
        chosen := docgraph.order_by_similarity(near.positions, near.places, seeds, max_chunks, reserve);
    END IF;
    SELECT coalesce(array_agg(near.positions[t.nth] ORDER BY t.turn), '{}'),
        coalesce(array_agg(near.chunks[t.nth] ORDER BY t.turn), '{}'),
        coalesce(array_agg(near.distances[t.nth] ORDER BY t.turn), '{}')
    INTO positions, chunks, distances
    FROM unnest(chosen.turns[:max_chunks]) WITH ORDINALITY AS t (nth, turn);
    chosen_by := chosen.chosen_by[:max_chunks];
    without_vector := near.of_all - near.comparable;
    over_document := near.comparable - cardinality(near.positions);
    over_all := cardinality(near.positions) - cardinality(positions);
END
$$;

COMMENT ON FUNCTION docgraph.choose_chunks(
    text, bigint[], jsonb, text[], integer, halfvec, text, integer, integer, numeric, text
) IS 'Core. Which chunks of planned documents become evidence, in the order in which they are chosen.';
REVOKE ALL ON FUNCTION docgraph.choose_chunks(
    text, bigint[], jsonb, text[], integer, halfvec, text, integer, integer, numeric, text
) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
