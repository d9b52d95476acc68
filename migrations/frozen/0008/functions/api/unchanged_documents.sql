-- unchanged_documents: those of some documents that put_documents would leave as they are.
--
-- For whoever makes vectors: ask with id, content_hash and access attributes alone, and spare the work.
-- Reads:      access_grants, embedding_space, document_nodes, access_classes, document_references, ingestion_requests
-- Guarantees: in the order given; no writer waits for it, so the answer is of this moment
-- Errors:     22023, 42501, 40001
-- Example:    SELECT docgraph.unchanged_documents('default', '{}', '[{"id": "a.md"}]');
CREATE OR REPLACE FUNCTION docgraph.unchanged_documents(
    tenant text, access jsonb, documents jsonb, ingestion text DEFAULT NULL
)
    RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    space record;
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    PERFORM docgraph.await_tables();
    SELECT s.dimensions, s.metric INTO space FROM docgraph.embedding_space s;
    PERFORM docgraph.check_documents(documents, space.dimensions, space.metric);
    PERFORM docgraph.check_ingestion(tenant, ingestion);
    RETURN ARRAY(
        SELECT c.document_id
        FROM docgraph.compare_documents(tenant, access, documents) WITH ORDINALITY AS c
        WHERE c.content = 'same' AND c.fingerprint = c.stored_fingerprint
            AND NOT docgraph.is_from_elsewhere(tenant, c.stored_ingestion, ingestion)
        ORDER BY c.ordinality
    );
END
$$;

COMMENT ON FUNCTION docgraph.unchanged_documents(text, jsonb, jsonb, text) IS
    'API, writer. Those of some documents that put_documents would leave as they are. '
    'SELECT docgraph.unchanged_documents(''default'', ''{}'', ''[{"id": "a.md"}]'');';
REVOKE ALL ON FUNCTION docgraph.unchanged_documents(text, jsonb, jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.unchanged_documents(text, jsonb, jsonb, text) TO docgraph_writer;
