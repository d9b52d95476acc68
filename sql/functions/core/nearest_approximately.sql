-- nearest_approximately: as nearest_exactly, by the vector index: it looks at some, and may miss one that is nearer.
--
-- More candidates than asked for are read from the index, and put in the exact order. The settings leave the planner
-- no other way than the index; whoever calls has touched a vector before, or the library that knows the settings of
-- hnsw would not be loaded. There is an arm for each metric, of which one is executed: with the metric as a constant the
-- operator is that of the index, and the query is planned once in a session. It can give too few, where most of what the
-- index finds is hidden from the call: core function nearest sees to that.
-- Reads:      document_nodes or vector_chunks
-- Guarantees: the order is that of nearest_exactly; chunks is NULL for summaries
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.nearest_approximately('default', '{1}', '[3,4]', 'cosine', 'summaries', 10);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

-- Loads the library: who sets what it does not know yet may not create the function.
DO $$ BEGIN PERFORM vector_dims('[1]'::vector); END $$;

CREATE OR REPLACE FUNCTION docgraph.nearest_approximately(
    tenant text, visible bigint[], query halfvec, metric text, search_in text, places integer,
    OUT documents text[], OUT chunks integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET max_parallel_workers_per_gather = 0
    SET jit = off
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET hnsw.iterative_scan = relaxed_order
    SET hnsw.ef_search = 40
    SET hnsw.max_scan_tuples = 20000
AS $$
DECLARE
    candidates constant integer := 10 + 2 * places;
BEGIN
    IF search_in = 'summaries' THEN
        SELECT coalesce(array_agg(n.document_id), '{}') INTO documents
        FROM (
            SELECT c.document_id
            FROM (
                (
                    SELECT d.document_id, d.summary_embedding AS embedding
                    FROM docgraph.document_nodes d
                    WHERE metric = 'cosine' AND d.tenant_id = tenant AND d.access_class = ANY (visible)
                        AND d.summary_embedding IS NOT NULL
                    ORDER BY docgraph.index_distance(d.summary_embedding, query, 'cosine')
                    LIMIT candidates
                )
                UNION ALL
                (
                    SELECT d.document_id, d.summary_embedding AS embedding
                    FROM docgraph.document_nodes d
                    WHERE metric = 'l2' AND d.tenant_id = tenant AND d.access_class = ANY (visible)
                        AND d.summary_embedding IS NOT NULL
                    ORDER BY docgraph.index_distance(d.summary_embedding, query, 'l2')
                    LIMIT candidates
                )
                UNION ALL
                (
                    SELECT d.document_id, d.summary_embedding AS embedding
                    FROM docgraph.document_nodes d
                    WHERE metric = 'ip' AND d.tenant_id = tenant AND d.access_class = ANY (visible)
                        AND d.summary_embedding IS NOT NULL
                    ORDER BY docgraph.index_distance(d.summary_embedding, query, 'ip')
                    LIMIT candidates
                )
            ) AS c
            ORDER BY docgraph.distance(c.embedding, query, metric), c.document_id
            LIMIT places
        ) AS n;
    ELSE
        SELECT coalesce(array_agg(n.document_id), '{}'), coalesce(array_agg(n.ordinal), '{}') INTO documents, chunks
        FROM (
            SELECT c.document_id, c.ordinal
            FROM (
                (
                    SELECT v.document_id, v.ordinal, v.embedding
                    FROM docgraph.vector_chunks v
                    WHERE metric = 'cosine' AND v.tenant_id = tenant AND v.access_class = ANY (visible)
                        AND v.embedding IS NOT NULL
                    ORDER BY docgraph.index_distance(v.embedding, query, 'cosine')
                    LIMIT candidates
                )
                UNION ALL
                (
                    SELECT v.document_id, v.ordinal, v.embedding
                    FROM docgraph.vector_chunks v
                    WHERE metric = 'l2' AND v.tenant_id = tenant AND v.access_class = ANY (visible)
                        AND v.embedding IS NOT NULL
                    ORDER BY docgraph.index_distance(v.embedding, query, 'l2')
                    LIMIT candidates
                )
                UNION ALL
                (
                    SELECT v.document_id, v.ordinal, v.embedding
                    FROM docgraph.vector_chunks v
                    WHERE metric = 'ip' AND v.tenant_id = tenant AND v.access_class = ANY (visible)
                        AND v.embedding IS NOT NULL
                    ORDER BY docgraph.index_distance(v.embedding, query, 'ip')
                    LIMIT candidates
                )
            ) AS c
            ORDER BY docgraph.distance(c.embedding, query, metric), c.document_id, c.ordinal
            LIMIT places
        ) AS n;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.nearest_approximately(text, bigint[], halfvec, text, text, integer) IS
    'Core. What lies near to a vector, of what a call may see, by the vector index.';
REVOKE ALL ON FUNCTION docgraph.nearest_approximately(text, bigint[], halfvec, text, text, integer) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
