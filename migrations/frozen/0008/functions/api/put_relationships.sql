-- put_relationships: declares relationships of documents that are there.
--
-- A relationship is an object: from, relation_type, to (an id or a name), evidence: the words that the reference has from now
-- on; where they are left out, those of an earlier declaration, never those of a link. Its target need not be there: it
-- waits. A relationship from a document that is not there, or is hidden, is reported as absent and not stored.
-- Writes:     document_references, document_relationships, write_turns
-- Guarantees: all or nothing; the same again changes nothing; gives {"added", "changed", "unchanged", "absent",
--             "waiting": [{"from", "relation_type", "to"}]}
-- Errors:     22023, 40001, 42501, KG003
-- Example:    SELECT docgraph.put_relationships('default', '{}',
--                 '[{"from": "a.md", "relation_type": "explains", "to": "b.md"}]');
CREATE OR REPLACE FUNCTION docgraph.put_relationships(tenant text, access jsonb, relationships jsonb) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    origins text[];
    report jsonb;
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    PERFORM docgraph.take_turn(tenant);
    origins := docgraph.check_relationships(tenant, access, relationships);

    WITH given AS MATERIALIZED (
        SELECT r.entry ->> 'from' AS origin, r.entry ->> 'relation_type' AS kind, r.entry ->> 'to' AS target,
            min(normalize(r.entry ->> 'evidence') COLLATE "C") AS evidence,
            jsonb_build_object(
                'from', r.entry -> 'from', 'relation_type', r.entry -> 'relation_type', 'to', r.entry -> 'to'
            ) AS shown
        FROM jsonb_array_elements(relationships) AS r (entry)
        GROUP BY 1, 2, 3, 5
    ), compared AS MATERIALIZED (
        SELECT g.*, CASE
            WHEN g.origin <> ALL (origins) THEN 'absent'
            WHEN s.from_document IS NULL THEN 'added'
            WHEN s.declared AND s.evidence IS NOT DISTINCT FROM coalesce(g.evidence, s.evidence) THEN 'unchanged'
            ELSE 'changed'
        END AS outcome
        FROM given g
        LEFT JOIN docgraph.document_references s
            ON s.tenant_id = tenant AND s.from_document = g.origin AND s.relation_type = g.kind
            AND s.to_name = g.target
    ), stored AS (
        INSERT INTO docgraph.document_references AS r
            (tenant_id, from_document, relation_type, to_name, declared, inferred, evidence)
        SELECT tenant, c.origin, c.kind, c.target, true, false, c.evidence
        FROM compared c
        WHERE c.outcome IN ('added', 'changed')
        ON CONFLICT ON CONSTRAINT document_references_pkey DO UPDATE SET
            declared = true,
            evidence = CASE WHEN r.declared THEN coalesce(excluded.evidence, r.evidence) ELSE excluded.evidence END
    )
    SELECT jsonb_object_agg(o.outcome, coalesce((
            SELECT jsonb_agg(c.shown ORDER BY c.origin COLLATE "C", c.kind COLLATE "C", c.target COLLATE "C")
            FROM compared c WHERE c.outcome = o.outcome
        ), '[]')) INTO report
    FROM unnest(ARRAY['added', 'changed', 'unchanged', 'absent']) AS o (outcome);

    PERFORM docgraph.connect_documents(tenant, origins, '{}');
    RETURN report || jsonb_build_object('waiting', (
        SELECT coalesce(jsonb_agg(w.entry ORDER BY w.place), '[]')
        FROM jsonb_array_elements(docgraph.waiting_references(tenant, origins, docgraph.visible_classes(tenant, access)))
            WITH ORDINALITY AS w (entry, place)
        WHERE (w.entry ->> 'from', w.entry ->> 'relation_type', w.entry ->> 'to') IN (
            SELECT r.given ->> 'from', r.given ->> 'relation_type', r.given ->> 'to'
            FROM jsonb_array_elements(relationships) AS r (given)
        )
    ));
END
$$;

COMMENT ON FUNCTION docgraph.put_relationships(text, jsonb, jsonb) IS
    'API, writer. Declares relationships; those whose target is not there wait. '
    'SELECT docgraph.put_relationships(''default'', ''{}'', '
    '''[{"from": "a.md", "relation_type": "explains", "to": "b.md"}]'');';
REVOKE ALL ON FUNCTION docgraph.put_relationships(text, jsonb, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.put_relationships(text, jsonb, jsonb) TO docgraph_writer;
