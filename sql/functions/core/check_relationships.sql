-- check_relationships: refuses relationships that cannot be stored or found, and gives those whose origin is there.
--
-- Reads:      access_grants, access_classes, document_nodes
-- Guarantees: the ids of the origins that are visible, sorted; all of them may be written
-- Errors:     22023, 42501
-- Example:    SELECT docgraph.check_relationships('default', '{}',
--                 '[{"from": "a.md", "relation_type": "explains", "to": "b.md"}]');
CREATE OR REPLACE FUNCTION docgraph.check_relationships(tenant text, access jsonb, relationships jsonb)
    RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    bad bigint;
BEGIN
    PERFORM docgraph.check_entries('relationships', relationships, 'references',
        '{"from": "id!", "relation_type": "id!", "to": "id!", "evidence": "line"}');
    SELECT r.i INTO bad
    FROM jsonb_array_elements(relationships) WITH ORDINALITY AS r (entry, i)
    WHERE r.entry ->> 'from' = r.entry ->> 'to'
    ORDER BY r.i
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'relationships[%].to is the document itself', bad - 1
            USING ERRCODE = '22023', HINT = 'A relationship leads from one document to another.';
    END IF;
    RETURN docgraph.writable_among(tenant, access, 'relationships', docgraph.canonical_list(ARRAY(
        SELECT r.entry ->> 'from' FROM jsonb_array_elements(relationships) AS r (entry))));
END
$$;

COMMENT ON FUNCTION docgraph.check_relationships(text, jsonb, jsonb) IS
    'Core. Refuses relationships that cannot be stored or found; the visible origins of the rest.';
REVOKE ALL ON FUNCTION docgraph.check_relationships(text, jsonb, jsonb) FROM PUBLIC;
