-- revision: the revision that this database is at, as Alembic counts.
--
-- The version table itself is the owner's alone; this is how everybody else is told.
-- Reads:      alembic_version
-- Guarantees: one text
-- Errors:     none
-- Example:    SELECT docgraph.revision();
CREATE OR REPLACE FUNCTION docgraph.revision() RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
BEGIN
    RETURN (SELECT v.version_num FROM docgraph.alembic_version v);
END
$$;

COMMENT ON FUNCTION docgraph.revision() IS
    'API, reader. The revision that this database is at. SELECT docgraph.revision();';
REVOKE ALL ON FUNCTION docgraph.revision() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.revision() TO docgraph_reader;
