-- explain_plan: a plan as a tree for people: each seed, and what it leads to over which relationship.
--
-- The number in brackets is the position in the plan; what several seeds lead to stands under each of them.
-- Reads:      nothing
-- Guarantees: one line for each seed and each reason; ids cannot break or steer a line
-- Errors:     22023 for what is no plan, and where the hash does not hold
-- Example:    SELECT docgraph.explain_plan(docgraph.plan_retrieval('default', '{}', seeds => '{README.md}'));
CREATE OR REPLACE FUNCTION docgraph.explain_plan(plan jsonb) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    constraints constant jsonb := plan -> 'constraints';
    made_by constant jsonb := plan -> 'made_by';
    tree text;
BEGIN
    WITH planned AS MATERIALIZED (
        SELECT * FROM docgraph.plan_documents(plan)
    )
    SELECT string_agg(
        CASE
            WHEN r.via IS NULL THEN
                format('[%s] %s  (%s)', r."position", docgraph.printable(r.document_id), docgraph.printable(r.why))
            ELSE format('     %s -> [%s] %s', docgraph.printable(r.via), r."position", docgraph.printable(r.document_id))
        END, E'\n' ORDER BY coalesce(s."position", r."position"), s."position" NULLS FIRST, r.via COLLATE "C", r."position")
    INTO tree
    FROM planned r
    LEFT JOIN planned s ON s.document_id = r.from_document AND s.via IS NULL;
    RETURN concat_ws(E'\n',
        format('plan %s%s', left(plan ->> 'plan_hash', 12), CASE WHEN plan ? 'edited' THEN ', edited' END),
        format('tenant %s, %s%s, revision %s',
            docgraph.printable(plan #>> '{scope,tenant}'), docgraph.printable(made_by ->> 'method'),
            docgraph.printable(', ' || (made_by ->> 'mode') || ' search in ' || (made_by ->> 'search_in')
                || coalesce(', model ' || (made_by #>> '{embedding_space,model}'), '')),
            docgraph.printable(made_by ->> 'revision')),
        format('seeds: %s; brought in: %s, by one step along %s',
            jsonb_array_length(plan -> 'seed_documents'), jsonb_array_length(plan -> 'expanded_documents'),
            CASE constraints -> 'relation_types'
                WHEN 'null' THEN 'all relation types'
                WHEN '[]' THEN 'no relation type'
                ELSE docgraph.printable(array_to_string(docgraph.read_names(constraints -> 'relation_types'), ', '))
            END),
        tree,
        CASE WHEN plan -> 'truncated' <> '[]' THEN 'cut short by the limit '
            || docgraph.printable(array_to_string(docgraph.read_names(plan -> 'truncated'), ', ')) END,
        'given, but not there or not to be seen: ' || nullif(plan ->> 'omitted', '0'),
        format('found, and dropped by the scope %s: ', docgraph.printable(constraints ->> 'dominant_scope'))
            || nullif(plan ->> 'dropped', '0'));
END
$$;

COMMENT ON FUNCTION docgraph.explain_plan(jsonb) IS
    'API, reader. A plan as a tree for people. '
    'SELECT docgraph.explain_plan(docgraph.plan_retrieval(''default'', ''{}'', seeds => ''{README.md}''));';
REVOKE ALL ON FUNCTION docgraph.explain_plan(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.explain_plan(jsonb) TO docgraph_reader;
