-- index_vectors: builds the vector indexes for a metric.
--
-- Writes:     indexes on document_nodes and vector_chunks
-- Errors:     none for a checked metric
-- Example:    SELECT docgraph.index_vectors('cosine');
CREATE OR REPLACE FUNCTION docgraph.index_vectors(metric text) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text;
BEGIN
    -- Dynamic SQL: the metric is part of the operator class, and the extension's schema differs from server to server.
    SELECT n.nspname INTO STRICT home
    FROM pg_extension e
    JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector';
    EXECUTE format(
        'CREATE INDEX document_nodes_summary_embedding_idx ON docgraph.document_nodes '
        'USING hnsw (summary_embedding %I.%I)', home, 'halfvec_' || metric || '_ops');
    EXECUTE format(
        'CREATE INDEX vector_chunks_embedding_idx ON docgraph.vector_chunks '
        'USING hnsw (embedding %I.%I)', home, 'halfvec_' || metric || '_ops');
    COMMENT ON INDEX docgraph.document_nodes_summary_embedding_idx IS 'Approximate search by summary.';
    COMMENT ON INDEX docgraph.vector_chunks_embedding_idx IS 'Approximate search by chunk.';
END
$$;

COMMENT ON FUNCTION docgraph.index_vectors(text) IS 'Core. Builds the vector indexes for a metric.';
REVOKE ALL ON FUNCTION docgraph.index_vectors(text) FROM PUBLIC;
