-- seal_plan: a plan that somebody edited, with its hash computed anew, and marked as edited.
--
-- The hash proves that a plan is as it was sealed, not who made it: whoever executes a plan is asked for every document.
-- Reads:      nothing
-- Guarantees: all but "edited" and "plan_hash" stays; sealing twice is sealing once
-- Errors:     22023 for what is no plan
-- Example:    SELECT docgraph.seal_plan(docgraph.plan_retrieval('default', '{}', seeds => '{README.md}'));
CREATE OR REPLACE FUNCTION docgraph.seal_plan(plan jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    sealed jsonb := plan;
BEGIN
    IF jsonb_typeof(plan) = 'object' THEN
        sealed := plan || '{"edited": true}';
        sealed := sealed || jsonb_build_object('plan_hash', docgraph.plan_hash(sealed));
    END IF;
    PERFORM docgraph.check_sealed(sealed);
    RETURN sealed;
END
$$;

COMMENT ON FUNCTION docgraph.seal_plan(jsonb) IS
    'API, reader. An edited plan with its hash computed anew, marked as edited. '
    'SELECT docgraph.seal_plan(docgraph.plan_retrieval(''default'', ''{}'', seeds => ''{README.md}''));';
REVOKE ALL ON FUNCTION docgraph.seal_plan(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.seal_plan(jsonb) TO docgraph_reader;
