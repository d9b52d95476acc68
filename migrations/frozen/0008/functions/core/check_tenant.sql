-- check_tenant: refuses what can be no tenant.
--
-- Whether the tenant exists is not asked here: an unknown one and a forbidden one read the same. A call has one collation
-- for all of its texts: with another than the two that this knows, what PostgreSQL compares, and takes for a letter, would
-- depend on it.
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_tenant('default');
CREATE OR REPLACE FUNCTION docgraph.check_tenant(tenant text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF docgraph.is_id(tenant) IS NOT TRUE THEN
        RAISE EXCEPTION 'tenant must be a text of 1 to % bytes', docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'A database that was set up by init has the tenant ''default''.';
    END IF;
    IF pg_collation_for(tenant) NOT IN ('"default"', '"C"') THEN
        RAISE EXCEPTION 'the texts of a call must have the collation of the database, or "C"'
            USING ERRCODE = '22023', HINT = 'Write COLLATE "default" behind the one that has another.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_tenant(text) IS 'Core. Refuses what can be no tenant (22023).';
REVOKE ALL ON FUNCTION docgraph.check_tenant(text) FROM PUBLIC;
