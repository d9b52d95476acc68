-- classes_within: the access classes of a tenant that a call may see which holds this much.
--
-- Parameters as core function effective_access gives them.
-- Whoever reads documents begins here, and so waits here for those who make tables anew.
-- Reads:      access_classes
-- Guarantees: sorted, never NULL
-- Errors:     40001 as core function await_tables
-- Example:    SELECT docgraph.classes_within('default', NULL, NULL, '{hr}', '{}', 0);
CREATE OR REPLACE FUNCTION docgraph.classes_within(
    tenant text, held_repositories text[], held_snapshots text[], held_tags text[], held_labels text[],
    held_clearance integer
) RETURNS bigint[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM docgraph.await_tables();
    RETURN ARRAY(
        SELECT c.access_class
        FROM docgraph.access_classes c
        WHERE c.tenant_id = tenant
            AND docgraph.may_see(
                c.repository, c.snapshot, c.tags, c.labels, c.clearance,
                held_repositories, held_snapshots, held_tags, held_labels, held_clearance
            )
        ORDER BY c.access_class
    );
END
$$;

COMMENT ON FUNCTION docgraph.classes_within(text, text[], text[], text[], text[], integer) IS
    'Core. The access classes that a call may see which holds this much.';
REVOKE ALL ON FUNCTION docgraph.classes_within(text, text[], text[], text[], text[], integer) FROM PUBLIC;
