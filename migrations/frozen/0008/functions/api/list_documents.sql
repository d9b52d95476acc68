-- list_documents: the documents that a call may see, page by page, in byte order of their ids.
--
-- after is the last id of the page before. ingested_from keeps those that a run of that source brought in.
-- Reads:      access_grants, access_classes, document_nodes, ingestion_requests
-- Guarantees: every visible document on exactly one page, as long as nothing is written meanwhile
-- Errors:     22023, 40001, 42501
-- Example:    SELECT * FROM docgraph.list_documents('default', '{}', page => 20);
CREATE OR REPLACE FUNCTION docgraph.list_documents(
    tenant text, access jsonb, after text DEFAULT NULL, page integer DEFAULT 100, ingested_from text DEFAULT NULL
)
    RETURNS TABLE (
        document_id text, title text, doc_type text, source text, repository text, snapshot text,
        tags text[], labels text[], clearance integer, content_hash text
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
BEGIN
    PERFORM docgraph.check_page(after, page);
    IF octet_length(ingested_from) > docgraph.bound('line_bytes') THEN
        RAISE EXCEPTION 'ingested_from must be a text of at most % bytes', docgraph.bound('line_bytes')
            USING ERRCODE = '22023', HINT = 'The source as begin_ingestion was given it; NULL for all documents.';
    END IF;
    RETURN QUERY
    SELECT d.document_id, d.title, d.doc_type, d.source, c.repository, c.snapshot, c.tags, c.labels, c.clearance,
        encode(d.content_hash, 'hex')
    FROM docgraph.document_nodes d
    JOIN docgraph.access_classes c ON c.tenant_id = tenant AND c.access_class = d.access_class
    WHERE d.tenant_id = tenant AND d.access_class = ANY (visible)
        AND (after IS NULL OR d.document_id > after)
        AND (ingested_from IS NULL OR d.ingestion_id IN (
            SELECT i.ingestion_id FROM docgraph.ingestion_requests i
            WHERE i.tenant_id = tenant AND i.source = ingested_from
        ))
    ORDER BY d.document_id
    LIMIT page;
END
$$;

COMMENT ON FUNCTION docgraph.list_documents(text, jsonb, text, integer, text) IS
    'API, reader. The visible documents, page by page, by id. '
    'SELECT * FROM docgraph.list_documents(''default'', ''{}'', page => 20);';
REVOKE ALL ON FUNCTION docgraph.list_documents(text, jsonb, text, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.list_documents(text, jsonb, text, integer, text) TO docgraph_reader;
