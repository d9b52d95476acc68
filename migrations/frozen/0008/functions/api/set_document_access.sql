-- set_document_access: changes who may see documents, and nothing else of them.
--
-- attributes is an object of repository, snapshot, tags, labels, clearance; what is absent stays as it is. Both the
-- attributes that a document has and those that it gets must be held by the caller.
-- Writes:     access_classes, document_nodes; the foreign keys carry it to chunks, relationships and the lexical index;
--             lexical_counts, write_turns
-- Guarantees: all or nothing; holds from the commit on, for the next call of everybody; gives
--             {"changed", "unchanged", "absent": [id]}
-- Errors:     22023, 42501, KG003
-- Example:    SELECT docgraph.set_document_access('default', '{"tags": ["hr"]}', ARRAY['a.md'], '{"tags": ["hr"]}');
CREATE OR REPLACE FUNCTION docgraph.set_document_access(
    tenant text, access jsonb, documents text[], attributes jsonb
) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    held record;
    one record;
    asked text[];
    found_ids text[];
    changed text[] := '{}';
    left_classes bigint[] := '{}';
    class bigint;
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    asked := docgraph.check_ids('documents', documents);
    PERFORM docgraph.check_entries('attributes', attributes, NULL,
        '{"repository": "name", "snapshot": "name", "tags": "names", "labels": "names", "clearance": "clearance"}');
    PERFORM docgraph.take_turn(tenant);
    -- Not before: while it waited for its turn, the ceiling may have been narrowed.
    SELECT * INTO held FROM docgraph.effective_access(tenant, access);
    found_ids := docgraph.writable_among(tenant, access, 'documents', asked);

    FOR one IN
        SELECT n.access_class, array_agg(n.document_id ORDER BY n.document_id) AS ids,
            coalesce(attributes ->> 'repository', c.repository) AS repository,
            coalesce(attributes ->> 'snapshot', c.snapshot) AS snapshot,
            CASE WHEN attributes ? 'tags' THEN docgraph.read_names(attributes -> 'tags') ELSE c.tags END AS tags,
            CASE WHEN attributes ? 'labels' THEN docgraph.read_names(attributes -> 'labels') ELSE c.labels END AS labels,
            coalesce((attributes ->> 'clearance')::numeric::integer, c.clearance) AS clearance
        FROM docgraph.document_nodes n
        JOIN docgraph.access_classes c ON c.tenant_id = tenant AND c.access_class = n.access_class
        WHERE n.tenant_id = tenant AND n.document_id = ANY (found_ids)
        GROUP BY n.access_class, c.repository, c.snapshot, c.tags, c.labels, c.clearance
        ORDER BY n.access_class
    LOOP
        IF NOT docgraph.may_write(
            one.repository, one.snapshot, one.tags, one.labels, one.clearance,
            held.repositories, held.snapshots, held.tags, held.labels, held.clearance
        ) THEN
            PERFORM docgraph.refuse_outside('attributes');
        END IF;
        class := docgraph.ensure_class(
            tenant, one.repository, one.snapshot, one.tags, one.labels, one.clearance);
        CONTINUE WHEN class = one.access_class;
        PERFORM docgraph.move_counts(tenant, one.ids, class);
        UPDATE docgraph.document_nodes n SET access_class = class
        WHERE n.tenant_id = tenant AND n.document_id = ANY (one.ids);
        changed := changed || one.ids;
        left_classes := left_classes || one.access_class;
    END LOOP;
    PERFORM docgraph.forget_classes(tenant, left_classes);
    RETURN jsonb_build_object(
        'changed', to_jsonb(docgraph.canonical_list(changed)),
        'unchanged', to_jsonb(docgraph.without(found_ids, changed)),
        'absent', to_jsonb(docgraph.without(asked, found_ids)));
END
$$;

COMMENT ON FUNCTION docgraph.set_document_access(text, jsonb, text[], jsonb) IS
    'API, writer. Changes who may see documents; what is absent in attributes stays as it is. '
    'SELECT docgraph.set_document_access(''default'', ''{"tags": ["hr"]}'', ARRAY[''a.md''], ''{"tags": ["hr"]}'');';
REVOKE ALL ON FUNCTION docgraph.set_document_access(text, jsonb, text[], jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.set_document_access(text, jsonb, text[], jsonb) TO docgraph_writer;
