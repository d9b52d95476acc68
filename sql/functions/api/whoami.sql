-- whoami: what a call with this tenant and this claim would be allowed, for the connecting login.
--
-- Reads:      access_grants
-- Guarantees: one row; NULL in repositories or snapshots = all; what the ceiling does not allow is absent
-- Errors:     22023 for a malformed tenant or claim, 42501 without a ceiling in the tenant
-- Example:    SELECT * FROM docgraph.whoami('default', '{"tags": ["hr"], "clearance": 2}');
CREATE OR REPLACE FUNCTION docgraph.whoami(tenant text, access jsonb)
    RETURNS TABLE (
        login name, repositories text[], snapshots text[], tags text[], labels text[], clearance integer
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
BEGIN
    RETURN QUERY
    SELECT session_user, h.repositories, h.snapshots, h.tags, h.labels, h.clearance
    FROM docgraph.effective_access(tenant, access) AS h;
END
$$;

COMMENT ON FUNCTION docgraph.whoami(text, jsonb) IS
    'API, reader. What a call with this claim may see: the claim within the ceiling of the connecting login. '
    'SELECT * FROM docgraph.whoami(''default'', ''{"tags": ["hr"], "clearance": 2}'');';
REVOKE ALL ON FUNCTION docgraph.whoami(text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.whoami(text, jsonb) TO docgraph_reader;
