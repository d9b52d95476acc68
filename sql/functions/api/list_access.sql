-- list_access: the ceilings of a tenant, by login.
--
-- Reads:      access_grants
-- Guarantees: ordered by the bytes of the login; no rows for a tenant nobody has a ceiling in
-- Errors:     22023
-- Example:    SELECT * FROM docgraph.list_access('default');
CREATE OR REPLACE FUNCTION docgraph.list_access(tenant text)
    RETURNS TABLE (
        login name, repositories text[], snapshots text[], tags text[], labels text[], clearance integer
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
BEGIN
    PERFORM docgraph.check_tenant(tenant);
    RETURN QUERY
    SELECT g.login, g.repositories, g.snapshots, g.tags, g.labels, g.clearance
    FROM docgraph.access_grants g
    WHERE g.tenant_id = tenant
    ORDER BY g.login;
END
$$;

COMMENT ON FUNCTION docgraph.list_access(text) IS
    'API, admin. The ceilings of a tenant; NULL = all of that kind. '
    'SELECT * FROM docgraph.list_access(''default'');';
REVOKE ALL ON FUNCTION docgraph.list_access(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.list_access(text) TO docgraph_admin;
