-- delete_documents: takes documents away, with their chunks, vectors, names and relationships in both directions.
--
-- References of other documents to them wait again. A hidden id is reported as absent, like one that is not there.
-- Writes:     document_nodes and what hangs on it, document_relationships, lexical_counts, access_classes, write_turns
-- Guarantees: all or nothing; gone from every function with the commit; gives {"deleted", "absent": [id]}
-- Errors:     22023, 42501 (a document that may be seen but not written), KG003
-- Example:    SELECT docgraph.delete_documents('default', '{}', ARRAY['a.md']);
CREATE OR REPLACE FUNCTION docgraph.delete_documents(tenant text, access jsonb, documents text[]) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    asked text[];
    found_ids text[];
    left_classes bigint[];
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    asked := docgraph.check_ids('documents', documents);
    PERFORM docgraph.take_turn(tenant);
    found_ids := docgraph.writable_among(tenant, access, 'documents', asked);
    DELETE FROM docgraph.document_relationships e WHERE e.tenant_id = tenant AND e.to_document = ANY (found_ids);
    DELETE FROM docgraph.document_relationships e WHERE e.tenant_id = tenant AND e.from_document = ANY (found_ids);
    PERFORM docgraph.move_counts(tenant, found_ids, NULL);
    left_classes := ARRAY(
        SELECT DISTINCT d.access_class FROM docgraph.document_nodes d
        WHERE d.tenant_id = tenant AND d.document_id = ANY (found_ids)
    );
    DELETE FROM docgraph.document_nodes d WHERE d.tenant_id = tenant AND d.document_id = ANY (found_ids);
    PERFORM docgraph.forget_classes(tenant, left_classes);
    RETURN jsonb_build_object(
        'deleted', to_jsonb(found_ids), 'absent', to_jsonb(docgraph.without(asked, found_ids)));
END
$$;

COMMENT ON FUNCTION docgraph.delete_documents(text, jsonb, text[]) IS
    'API, writer. Takes documents away with all that hangs on them; references to them wait again. '
    'SELECT docgraph.delete_documents(''default'', ''{}'', ARRAY[''a.md'']);';
REVOKE ALL ON FUNCTION docgraph.delete_documents(text, jsonb, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.delete_documents(text, jsonb, text[]) TO docgraph_writer;
