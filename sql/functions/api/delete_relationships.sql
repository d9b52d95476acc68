-- delete_relationships: takes relationships away, declared or inferred.
--
-- to is the name that the reference uses, or the id of a document that it leads to. An inferred one comes back when
-- its document is brought in again with other content: the link is still in the text. A reference by a name that several
-- documents have goes whole, with all that it leads to.
-- Writes:     document_references, document_relationships, write_turns
-- Guarantees: all or nothing; what is not there, or from a hidden document, is reported as absent; gives
--             {"deleted", "absent": [{"from", "relation_type", "to"}]}
-- Errors:     22023, 40001, 42501, KG003
-- Example:    SELECT docgraph.delete_relationships('default', '{}',
--                 '[{"from": "a.md", "relation_type": "explains", "to": "b.md"}]');
CREATE OR REPLACE FUNCTION docgraph.delete_relationships(tenant text, access jsonb, relationships jsonb)
    RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible bigint[];
    origins text[];
    report jsonb;
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    PERFORM docgraph.take_turn(tenant);
    origins := docgraph.check_relationships(tenant, access, relationships);
    visible := docgraph.visible_classes(tenant, access);

    WITH given AS MATERIALIZED (
        SELECT DISTINCT r.entry ->> 'from' AS origin, r.entry ->> 'relation_type' AS kind, r.entry ->> 'to' AS target
        FROM jsonb_array_elements(relationships) AS r (entry)
    ), called AS MATERIALIZED (
        -- Every name by which the given target may have been meant; those of hidden documents are not known here.
        SELECT g.origin, g.kind, g.target, g.target AS name FROM given g
        UNION
        SELECT g.origin, g.kind, g.target, n.name
        FROM given g
        JOIN docgraph.document_nodes d ON d.tenant_id = tenant AND d.document_id = g.target
        JOIN docgraph.document_names n ON n.tenant_id = tenant AND n.document_id = d.document_id
        WHERE d.access_class = ANY (visible)
    ), meant AS MATERIALIZED (
        -- One reference may be meant twice, by an id and by a name: both are then deleted.
        SELECT c.origin, c.kind, c.target, c.name
        FROM called c
        JOIN docgraph.document_references r
            ON r.tenant_id = tenant AND r.from_document = c.origin AND r.relation_type = c.kind AND r.to_name = c.name
        WHERE c.origin = ANY (origins)
    ), gone AS (
        DELETE FROM docgraph.document_references r
        USING meant m
        WHERE r.tenant_id = tenant AND r.from_document = m.origin AND r.relation_type = m.kind AND r.to_name = m.name
    ), outcome AS (
        SELECT g.origin, g.kind, g.target,
            EXISTS (SELECT FROM meant m WHERE (m.origin, m.kind, m.target) = (g.origin, g.kind, g.target)) AS deleted
        FROM given g
    )
    SELECT jsonb_object_agg(w.word, coalesce((
            SELECT jsonb_agg(
                jsonb_build_object('from', o.origin, 'relation_type', o.kind, 'to', o.target)
                ORDER BY o.origin COLLATE "C", o.kind COLLATE "C", o.target COLLATE "C")
            FROM outcome o WHERE o.deleted = w.deleted
        ), '[]')) INTO report
    FROM (VALUES ('deleted', true), ('absent', false)) AS w (word, deleted);

    PERFORM docgraph.connect_documents(tenant, origins, '{}');
    RETURN report;
END
$$;

COMMENT ON FUNCTION docgraph.delete_relationships(text, jsonb, jsonb) IS
    'API, writer. Takes relationships away, declared or inferred. '
    'SELECT docgraph.delete_relationships(''default'', ''{}'', '
    '''[{"from": "a.md", "relation_type": "explains", "to": "b.md"}]'');';
REVOKE ALL ON FUNCTION docgraph.delete_relationships(text, jsonb, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.delete_relationships(text, jsonb, jsonb) TO docgraph_writer;
