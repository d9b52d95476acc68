-- get_document: one document with its chunks, without their vectors.
--
-- Reads:      access_grants, access_classes, document_nodes, vector_chunks, document_names
-- Guarantees: NULL for an unknown id and for a hidden one; chunks in their order
-- Errors:     22023, 40001, 42501
-- Example:    SELECT jsonb_pretty(docgraph.get_document('default', '{}', 'a.md'));
CREATE OR REPLACE FUNCTION docgraph.get_document(tenant text, access jsonb, document text) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
BEGIN
    PERFORM docgraph.check_id('document', document);
    RETURN (
        SELECT jsonb_build_object(
            'id', d.document_id, 'title', d.title, 'doc_type', d.doc_type, 'source', d.source,
            'summary', d.summary, 'summary_embedded', d.summary_embedding IS NOT NULL,
            'section_titles', to_jsonb(d.section_titles), 'metadata', d.metadata,
            'ingestion', d.ingestion_id, 'content_hash', encode(d.content_hash, 'hex'),
            'repository', c.repository, 'snapshot', c.snapshot, 'tags', to_jsonb(c.tags),
            'labels', to_jsonb(c.labels), 'clearance', c.clearance,
            'names', (
                SELECT coalesce(jsonb_agg(n.name ORDER BY n.name), '[]')
                FROM docgraph.document_names n
                WHERE n.tenant_id = tenant AND n.document_id = d.document_id AND n.name <> d.document_id
            ),
            'chunks', (
                SELECT coalesce(jsonb_agg(
                    jsonb_build_object(
                        'ordinal', v.ordinal, 'text', v.text, 'token_count', v.token_count,
                        'section_path', to_jsonb(v.section_path), 'start', v.start_offset, 'end', v.end_offset,
                        'embedded', v.embedding IS NOT NULL
                    ) ORDER BY v.ordinal
                ), '[]')
                FROM docgraph.vector_chunks v
                WHERE v.tenant_id = tenant AND v.document_id = d.document_id AND v.access_class = d.access_class
            )
        )
        FROM docgraph.document_nodes d
        JOIN docgraph.access_classes c ON c.tenant_id = tenant AND c.access_class = d.access_class
        WHERE d.tenant_id = tenant AND d.document_id = document AND d.access_class = ANY (visible)
    );
END
$$;

COMMENT ON FUNCTION docgraph.get_document(text, jsonb, text) IS
    'API, reader. One document with its chunks; NULL if there is none to be seen. '
    'SELECT jsonb_pretty(docgraph.get_document(''default'', ''{}'', ''a.md''));';
REVOKE ALL ON FUNCTION docgraph.get_document(text, jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.get_document(text, jsonb, text) TO docgraph_reader;
