-- nearest_exactly: what lies nearest to a vector, of all that a call may see: documents by their summary, or chunks.
--
-- Every visible vector is compared: no index of vectors takes part, so nothing hidden can change the answer.
-- A custom plan each time: the scan that is right for a tenth of a tenant is not right for all of it, and the metric
-- becomes a constant.
-- Reads:      document_nodes or vector_chunks
-- Guarantees: in order of distance, document, chunk, without parallel workers; chunks is NULL for summaries
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.nearest_exactly('default', '{1}', '[3,4]', 'cosine', 'summaries', 10);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.nearest_exactly(
    tenant text, visible bigint[], query halfvec, metric text, search_in text, places integer,
    OUT documents text[], OUT chunks integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_custom_plan
    SET max_parallel_workers_per_gather = 0
    SET jit = off
AS $$
BEGIN
    IF search_in = 'summaries' THEN
        SELECT coalesce(array_agg(n.document_id), '{}') INTO documents
        FROM (
            SELECT d.document_id
            FROM docgraph.document_nodes d
            WHERE d.tenant_id = tenant AND d.access_class = ANY (visible) AND d.summary_embedding IS NOT NULL
            ORDER BY docgraph.distance(d.summary_embedding, query, metric), d.document_id
            LIMIT places
        ) AS n;
    ELSE
        SELECT coalesce(array_agg(n.document_id), '{}'), coalesce(array_agg(n.ordinal), '{}') INTO documents, chunks
        FROM (
            SELECT v.document_id, v.ordinal
            FROM docgraph.vector_chunks v
            WHERE v.tenant_id = tenant AND v.access_class = ANY (visible) AND v.embedding IS NOT NULL
            ORDER BY docgraph.distance(v.embedding, query, metric), v.document_id, v.ordinal
            LIMIT places
        ) AS n;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.nearest_exactly(text, bigint[], halfvec, text, text, integer) IS
    'Core. What lies nearest to a vector, of all that a call may see.';
REVOKE ALL ON FUNCTION docgraph.nearest_exactly(text, bigint[], halfvec, text, text, integer) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
