-- revoke_access: takes a login's ceiling in a tenant away; it sees nothing there any more.
--
-- Writes:     access_grants
-- Guarantees: true if there was one, false if not
-- Errors:     22023
-- Example:    SELECT docgraph.revoke_access('default', 'alice');
CREATE OR REPLACE FUNCTION docgraph.revoke_access(tenant text, login text) RETURNS boolean
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
BEGIN
    PERFORM docgraph.check_tenant(tenant);
    PERFORM docgraph.check_login(login);
    DELETE FROM docgraph.access_grants g
    WHERE g.tenant_id = tenant AND g.login = revoke_access.login::name;
    RETURN FOUND;
END
$$;

COMMENT ON FUNCTION docgraph.revoke_access(text, text) IS
    'API, admin. Removes the ceiling of a login in a tenant; true if there was one. '
    'SELECT docgraph.revoke_access(''default'', ''alice'');';
REVOKE ALL ON FUNCTION docgraph.revoke_access(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.revoke_access(text, text) TO docgraph_admin;
