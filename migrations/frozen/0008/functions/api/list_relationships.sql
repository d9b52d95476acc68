-- list_relationships: what leads from a document, or to it, page by page.
--
-- direction out: its relationships, and its references that wait (to_document is then the name they use; one to a
-- hidden document waits as well). direction in: the visible documents that lead to it. after is the pair of relation
-- type and other end of the last row before.
-- Reads:      access_grants, access_classes, document_nodes, document_relationships, document_references, document_names
-- Guarantees: nothing for a document that is hidden or not there; ordered by relation type and other end
-- Errors:     22023, 40001, 42501
-- Example:    SELECT * FROM docgraph.list_relationships('default', '{}', 'a.md', 'out');
CREATE OR REPLACE FUNCTION docgraph.list_relationships(
    tenant text, access jsonb, document text, direction text, after text[] DEFAULT NULL, page integer DEFAULT 100
)
    RETURNS TABLE (
        from_document text, relation_type text, to_document text, declared boolean, inferred boolean, evidence text,
        waiting boolean
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
BEGIN
    PERFORM docgraph.check_id('document', document);
    PERFORM docgraph.check_page(NULL, page);
    IF (direction IN ('in', 'out')) IS NOT TRUE THEN
        RAISE EXCEPTION 'direction must be in or out'
            USING ERRCODE = '22023', HINT = 'out: what the document refers to; in: what refers to it.';
    END IF;
    IF array_ndims(after) <> 1 OR array_lower(after, 1) <> 1 OR cardinality(after) <> 2
        OR EXISTS (SELECT FROM unnest(after) AS a (part) WHERE docgraph.is_id(a.part) IS NOT TRUE)
    THEN
        RAISE EXCEPTION 'after must be a pair of relation type and id'
            USING ERRCODE = '22023', HINT = 'Of the last row of the page before; NULL for the first page.';
    END IF;
    IF NOT EXISTS (
        SELECT FROM docgraph.document_nodes d
        WHERE d.tenant_id = tenant AND d.document_id = document AND d.access_class = ANY (visible)
    ) THEN
        RETURN;
    END IF;
    IF direction = 'in' THEN
        RETURN QUERY
        SELECT e.from_document, e.relation_type, e.to_document, e.declared, e.inferred, e.evidence, false
        FROM docgraph.document_relationships e
        WHERE e.tenant_id = tenant AND e.to_document = document AND e.from_access_class = ANY (visible)
            AND (after IS NULL OR (e.relation_type, e.from_document) > (after[1], after[2]))
        ORDER BY e.relation_type, e.from_document
        LIMIT page;
    ELSE
        RETURN QUERY
        SELECT l.* FROM (
            SELECT e.from_document, e.relation_type, e.to_document, e.declared, e.inferred, e.evidence, false
            FROM docgraph.document_relationships e
            WHERE e.tenant_id = tenant AND e.from_document = document AND e.to_access_class = ANY (visible)
            UNION ALL
            SELECT r.from_document, r.relation_type, r.to_name, r.declared, r.inferred, r.evidence, true
            FROM docgraph.document_references r
            WHERE r.tenant_id = tenant AND r.from_document = document
                AND NOT EXISTS (
                    SELECT
                    FROM docgraph.document_names n
                    JOIN docgraph.document_nodes d ON d.tenant_id = tenant AND d.document_id = n.document_id
                    WHERE n.tenant_id = tenant AND n.name = r.to_name AND d.access_class = ANY (visible)
                )
        ) AS l (from_document, relation_type, to_document, declared, inferred, evidence, waiting)
        WHERE after IS NULL OR (l.relation_type, l.to_document) > (after[1], after[2])
        ORDER BY l.relation_type, l.to_document
        LIMIT page;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.list_relationships(text, jsonb, text, text, text[], integer) IS
    'API, reader. What leads from a document (out) or to it (in), page by page. '
    'SELECT * FROM docgraph.list_relationships(''default'', ''{}'', ''a.md'', ''out'');';
REVOKE ALL ON FUNCTION docgraph.list_relationships(text, jsonb, text, text, text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.list_relationships(text, jsonb, text, text, text[], integer) TO docgraph_reader;
