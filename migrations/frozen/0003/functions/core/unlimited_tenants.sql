-- unlimited_tenants: the tenants in which the connecting login may see everything.
--
-- Reads:      access_grants
-- Guarantees: never NULL
-- Errors:     none
-- Example:    SELECT docgraph.unlimited_tenants();
CREATE OR REPLACE FUNCTION docgraph.unlimited_tenants() RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN ARRAY(
        SELECT g.tenant_id
        FROM docgraph.access_grants g
        WHERE g.login = session_user
            AND num_nonnulls(g.repositories, g.snapshots, g.tags, g.labels, g.clearance) = 0
        ORDER BY g.tenant_id
    );
END
$$;

COMMENT ON FUNCTION docgraph.unlimited_tenants() IS
    'Core. The tenants in which the connecting login may see everything.';
REVOKE ALL ON FUNCTION docgraph.unlimited_tenants() FROM PUBLIC;
