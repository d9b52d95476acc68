-- verify_plan: is this a plan, is it as it was sealed, and does it belong to this database as it is?
--
-- problem says in words what is wrong with something that is no plan; the other columns are then NULL.
-- A plan that no vector took part in, made from ids or by words alone, is of every embedding space.
-- Whether its documents are still there and to be seen is not asked: executing it does.
-- Reads:      embedding_space, alembic_version
-- Guarantees: one row, for anything that is JSON
-- Errors:     22023 for NULL
-- Example:    SELECT * FROM docgraph.verify_plan(docgraph.plan_retrieval('default', '{}', seeds => '{README.md}'));
CREATE OR REPLACE FUNCTION docgraph.verify_plan(plan jsonb)
    RETURNS TABLE (
        well_formed boolean, hash_holds boolean, same_embedding_space boolean, same_revision boolean, edited boolean,
        problem text
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    here constant jsonb := docgraph.plan_origin('semantic', NULL, NULL, NULL, false);
BEGIN
    IF plan IS NULL THEN
        RAISE EXCEPTION 'plan must not be null'
            USING ERRCODE = '22023', HINT = 'Give a plan as plan_retrieval makes it.';
    END IF;
    BEGIN
        PERFORM docgraph.check_plan(plan);
    EXCEPTION WHEN invalid_parameter_value THEN
        RETURN QUERY SELECT false, NULL::boolean, NULL::boolean, NULL::boolean, NULL::boolean, SQLERRM;
        RETURN;
    END;
    RETURN QUERY
    SELECT true, plan ->> 'plan_hash' = docgraph.plan_hash(plan),
        plan #> '{made_by,embedding_space}' IN ('null', here -> 'embedding_space'),
        plan #> '{made_by,revision}' = here -> 'revision', plan ? 'edited', NULL::text;
END
$$;

COMMENT ON FUNCTION docgraph.verify_plan(jsonb) IS
    'API, reader. Is this a plan, is it as it was sealed, and does it belong to this database as it is? '
    'SELECT * FROM docgraph.verify_plan(docgraph.plan_retrieval(''default'', ''{}'', seeds => ''{README.md}''));';
REVOKE ALL ON FUNCTION docgraph.verify_plan(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.verify_plan(jsonb) TO docgraph_reader;
