-- plan_documents: a plan as rows, one for each reason: who is in, in which place, and why.
--
-- A seed has a row without via. For each relationship that leads to a document from a seed, or to it from another one,
-- there is a row: via is the relation type, from_document the seed; the rows of a document have the same position.
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
    WITH planned AS MATERIALIZED (
        SELECT d.entry, d.place, d.place <= jsonb_array_length(seeds) AS is_seed
        FROM jsonb_array_elements(seeds || (plan -> 'expanded_documents')) WITH ORDINALITY AS d (entry, place)
    )
    SELECT r.place::integer, r.entry ->> 'document_id', CASE WHEN r.is_seed THEN 'seed' ELSE 'expanded' END,
        r.via, r.from_document, r.why
    FROM (
        SELECT p.*, 0 AS nth, NULL AS via, NULL AS from_document,
            docgraph.reason_of_seed(p.entry ->> 'rank', p.entry ->> 'origin') AS why
        FROM planned p
        WHERE p.is_seed
        UNION ALL
        SELECT p.*, v.nth, v.reason ->> 'relation_type', v.reason ->> 'from',
            docgraph.reason_of_link(v.reason ->> 'relation_type', 'seed ' || (s.entry ->> 'rank'))
        FROM planned p
        CROSS JOIN jsonb_array_elements(p.entry -> 'via') WITH ORDINALITY AS v (reason, nth)
        JOIN jsonb_array_elements(seeds) AS s (entry) ON s.entry -> 'document_id' = v.reason -> 'from'
    ) AS r
    ORDER BY r.place, r.nth;
END
$$;

COMMENT ON FUNCTION docgraph.plan_documents(jsonb) IS
    'API, reader. A plan as rows, one for each reason. '
    'SELECT * FROM docgraph.plan_documents(docgraph.plan_retrieval(''default'', ''{}'', seeds => ''{README.md}''));';
REVOKE ALL ON FUNCTION docgraph.plan_documents(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.plan_documents(jsonb) TO docgraph_reader;
