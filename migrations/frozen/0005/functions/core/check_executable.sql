-- check_executable: refuses a plan that cannot be executed here: what check_sealed refuses, and a plan of another tenant
-- or of another embedding space.
--
-- A plan made by another revision of the functions is executed: an upgrade does not void a plan.
-- Reads:      embedding_space
-- Errors:     22023, KG001 (another embedding space)
-- Example:    SELECT docgraph.check_executable('default', docgraph.plan_retrieval('default', '{}', seeds => '{}'));
CREATE OR REPLACE FUNCTION docgraph.check_executable(tenant text, plan jsonb) RETURNS void
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    theirs constant jsonb := nullif(plan #> '{made_by,embedding_space}', 'null');
    ours jsonb;
BEGIN
    PERFORM docgraph.check_sealed(plan);
    IF plan #>> '{scope,tenant}' <> tenant THEN
        RAISE EXCEPTION 'plan is of another tenant than the call'
            USING ERRCODE = '22023', HINT = 'Execute a plan in the tenant that its scope names.';
    END IF;
    SELECT jsonb_build_object('model', s.model, 'dimensions', s.dimensions, 'metric', s.metric) INTO ours
    FROM docgraph.embedding_space s;
    IF theirs IS DISTINCT FROM ours AND theirs IS NOT NULL THEN
        RAISE EXCEPTION 'plan is of the embedding space %, and this database is of %', theirs, ours
            USING ERRCODE = 'KG001', HINT = 'Make the plan again: what was near in one space need not be in another.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_executable(text, jsonb) IS
    'Core. Refuses a plan that cannot be executed here (22023, KG001).';
REVOKE ALL ON FUNCTION docgraph.check_executable(text, jsonb) FROM PUBLIC;
