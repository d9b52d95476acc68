-- allowed_tenants: the tenants in which the connecting login has a ceiling. The row-security policies read it.
--
-- Nobody but the owner may execute it: a role that was given rights on a table all the same gets an error from
-- the policy, not rows.
-- Reads:      access_grants
-- Guarantees: never NULL; empty for a login without a ceiling, superusers included
-- Errors:     none
-- Example:    SELECT docgraph.allowed_tenants();
CREATE OR REPLACE FUNCTION docgraph.allowed_tenants() RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN ARRAY(
        SELECT g.tenant_id
        FROM docgraph.access_grants g
        WHERE g.login = session_user
        ORDER BY g.tenant_id
    );
END
$$;

COMMENT ON FUNCTION docgraph.allowed_tenants() IS
    'Core. Tenants in which the connecting login has a ceiling; what row security compares with.';
REVOKE ALL ON FUNCTION docgraph.allowed_tenants() FROM PUBLIC;
