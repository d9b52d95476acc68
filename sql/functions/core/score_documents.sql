-- score_documents: the chunks of some documents that score highest for a query by words: per_document of each, and what is as
-- good.
--
-- Every chunk of them is scored, in single precision; what may be as good as the last place of its document is given, too,
-- so that an exact count may decide: rounding is how far, as a part of a score, a sum can be from the exact one. must decides by
-- itself. beside_vectors: what has none of the words is still ranked where it has a vector.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      document_nodes, lexical_index; vector_chunks where beside_vectors
-- Guarantees: chunks of these documents only, that the call may see; of_all counts all of those, unranked what has none of the
--             words or does not match must, and where beside_vectors has no vector either
-- Errors:     none
-- Example:    SELECT docgraph.score_documents('default', '{1}', '{a.md}', docgraph.sparse('7:6.2'), NULL, 3, 0.000001, false);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.score_documents(
    tenant text, visible bigint[], among text[], query sparsevec, must tsquery, per_document integer,
    rounding double precision, beside_vectors boolean, OUT documents text[], OUT ordinals integer[], OUT of_all integer,
    OUT unranked integer
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
    SET max_parallel_workers_per_gather = 0
AS $$
BEGIN
    SELECT coalesce(array_agg(s.document_id) FILTER (WHERE s.is_good), '{}'),
        coalesce(array_agg(s.ordinal) FILTER (WHERE s.is_good), '{}'), count(*),
        count(*) FILTER (WHERE s.score = 0 AND NOT (beside_vectors AND EXISTS (
            SELECT FROM docgraph.vector_chunks v
            WHERE v.tenant_id = tenant AND v.document_id BETWEEN s.document_id AND s.document_id
                AND v.ordinal BETWEEN s.ordinal AND s.ordinal AND v.access_class = ANY (visible)
                AND v.embedding IS NOT NULL
        )))
    INTO documents, ordinals, of_all, unranked
    FROM unnest(among) AS p (document_id)
    CROSS JOIN LATERAL (
        SELECT n.document_id, n.access_class
        FROM docgraph.document_nodes n
        WHERE n.tenant_id = tenant AND n.document_id BETWEEN p.document_id AND p.document_id
            AND n.access_class = ANY (visible)
        ORDER BY n.document_id
    ) AS d
    CROSS JOIN LATERAL (
        SELECT d.document_id, r.ordinal, r.score,
            r.score > 0 AND r.score >= (1 - rounding) * min(r.score) FILTER (WHERE r.place <= per_document) OVER () - 0.000001
                AS is_good
        FROM (
            SELECT e.ordinal, e.score, row_number() OVER (ORDER BY e.score DESC) AS place
            FROM (
                SELECT i.ordinal, CASE
                    WHEN must IS NULL OR i.lexemes @@ must THEN coalesce(docgraph.words_score(i.weights, query), 0)
                    ELSE 0
                END AS score
                FROM docgraph.lexical_index i
                WHERE i.tenant_id = tenant AND i.document_id BETWEEN d.document_id AND d.document_id AND i.ordinal >= 0
                    AND i.access_class = d.access_class
                ORDER BY i.document_id, i.ordinal
            ) AS e
        ) AS r
    ) AS s;
END
$$;

COMMENT ON FUNCTION docgraph.score_documents(
    text, bigint[], text[], sparsevec, tsquery, integer, double precision, boolean
) IS 'Core. The chunks of some documents that score highest for a query by words, and what is as good.';
REVOKE ALL ON FUNCTION docgraph.score_documents(
    text, bigint[], text[], sparsevec, tsquery, integer, double precision, boolean
) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
