-- plan_documents: a plan as rows, one for each reason: who is in, in which place, and why.
--
-- A seed has one row. A document that seeds brought in has one for each relationship that leads to it: via is the
-- relation type, from_document the seed; the rows of a document have the same position.
-- Reads:      nothing
-- Guarantees: every document of the plan, in its order; nothing is looked up, so a plan says what it said when it was made
-- Errors:     22023 for what is no plan, and where the hash does not hold
-- Example:    SELECT * FROM docgraph.plan_documents(docgraph.plan_retrieval('default', '{}', seeds => '{README.md}'));
CREATE OR REPLACE FUNCTION docgraph.plan_documents(plan jsonb)
    RETURNS TABLE ("position" integer, document_id text, role text, via text, from_document text, why text)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    seeds constant jsonb := plan -> 'seed_documents';
BEGIN
    PERFORM docgraph.check_sealed(plan);
    RETURN QUERY
    SELECT s.i::integer, s.entry ->> 'document_id', 'seed', NULL, NULL,
        docgraph.reason_of_seed(s.entry ->> 'rank', s.entry ->> 'origin')
    FROM jsonb_array_elements(seeds) WITH ORDINALITY AS s (entry, i)
    ORDER BY s.i;
    RETURN QUERY
    SELECT (jsonb_array_length(seeds) + d.i)::integer, d.entry ->> 'document_id', 'expanded',
        v.reason ->> 'relation_type', v.reason ->> 'from',
        docgraph.reason_of_link(v.reason ->> 'relation_type', 'seed ' || (s.entry ->> 'rank'))
    FROM jsonb_array_elements(plan -> 'expanded_documents') WITH ORDINALITY AS d (entry, i)
    CROSS JOIN jsonb_array_elements(d.entry -> 'via') WITH ORDINALITY AS v (reason, i)
    JOIN jsonb_array_elements(seeds) AS s (entry) ON s.entry -> 'document_id' = v.reason -> 'from'
    ORDER BY d.i, v.i;
END
$$;

COMMENT ON FUNCTION docgraph.plan_documents(jsonb) IS
    'API, reader. A plan as rows, one for each reason. '
    'SELECT * FROM docgraph.plan_documents(docgraph.plan_retrieval(''default'', ''{}'', seeds => ''{README.md}''));';
REVOKE ALL ON FUNCTION docgraph.plan_documents(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.plan_documents(jsonb) TO docgraph_reader;
