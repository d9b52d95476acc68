-- check_login: refuses what can be no login.
--
-- Whether the role exists is not asked: ceilings may be set before the role is made, and outlive it.
-- Reads:      nothing
-- Guarantees: a name longer than PostgreSQL keeps is an error, not silently another login
-- Errors:     22023
-- Example:    SELECT docgraph.check_login('alice');
CREATE OR REPLACE FUNCTION docgraph.check_login(login text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF (octet_length(login) BETWEEN 1 AND 63) IS NOT TRUE THEN
        RAISE EXCEPTION 'login must be the name of a role, 1 to 63 bytes'
            USING ERRCODE = '22023', HINT = 'As in pg_roles.rolname, case and all, without quotes.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_login(text) IS 'Core. Refuses what can be no login (22023).';
REVOKE ALL ON FUNCTION docgraph.check_login(text) FROM PUBLIC;
