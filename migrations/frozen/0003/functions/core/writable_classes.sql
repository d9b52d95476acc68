-- writable_classes: the access classes of a tenant whose documents a call may write.
--
-- Reads:      access_grants, access_classes
-- Guarantees: sorted, never NULL; a part of visible_classes
-- Errors:     as effective_access
-- Example:    SELECT docgraph.writable_classes('default', '{}');
CREATE OR REPLACE FUNCTION docgraph.writable_classes(tenant text, access jsonb) RETURNS bigint[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    held record;
BEGIN
    SELECT * INTO held FROM docgraph.effective_access(tenant, access);
    RETURN ARRAY(
        SELECT c.access_class
        FROM docgraph.access_classes c
        WHERE c.tenant_id = tenant
            AND docgraph.may_write(
                c.repository, c.snapshot, c.tags, c.labels, c.clearance,
                held.repositories, held.snapshots, held.tags, held.labels, held.clearance
            )
        ORDER BY c.access_class
    );
END
$$;

COMMENT ON FUNCTION docgraph.writable_classes(text, jsonb) IS
    'Core. The access classes whose documents a call may write.';
REVOKE ALL ON FUNCTION docgraph.writable_classes(text, jsonb) FROM PUBLIC;
