-- visible_classes: the access classes of a tenant that a call may see.
--
-- Every function that touches documents begins with it, and filters by access_class = ANY (the result):
-- the predicate is evaluated once per class, not once per row.
-- Reads:      access_grants, access_classes
-- Guarantees: sorted, never NULL
-- Errors:     as effective_access, and 40001 as core function await_tables
-- Example:    SELECT docgraph.visible_classes('default', '{}');
CREATE OR REPLACE FUNCTION docgraph.visible_classes(tenant text, access jsonb) RETURNS bigint[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    held record;
BEGIN
    SELECT * INTO held FROM docgraph.effective_access(tenant, access);
    RETURN docgraph.classes_within(
        tenant, held.repositories, held.snapshots, held.tags, held.labels, held.clearance);
END
$$;

COMMENT ON FUNCTION docgraph.visible_classes(text, jsonb) IS
    'Core. The access classes that a call may see; the filter of every function that touches documents.';
REVOKE ALL ON FUNCTION docgraph.visible_classes(text, jsonb) FROM PUBLIC;
