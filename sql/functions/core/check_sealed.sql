-- check_sealed: refuses what is no plan, and a plan that was changed after its hash was computed.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_sealed(docgraph.plan_retrieval('default', '{}', seeds => '{}'));
CREATE OR REPLACE FUNCTION docgraph.check_sealed(plan jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM docgraph.check_plan(plan);
    IF plan ->> 'plan_hash' <> docgraph.plan_hash(plan) THEN
        RAISE EXCEPTION 'plan.plan_hash must be the hash of the plan'
            USING ERRCODE = '22023',
                  HINT = 'The plan was changed after it was made. If that was intended, seal it anew: with '
                         'seal_plan in SQL, client.seal_plan(plan) in Python.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_sealed(jsonb) IS
    'Core. Refuses what is no plan, and a plan whose hash does not hold (22023).';
REVOKE ALL ON FUNCTION docgraph.check_sealed(jsonb) FROM PUBLIC;
