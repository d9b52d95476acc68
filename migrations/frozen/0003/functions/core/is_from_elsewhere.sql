-- is_from_elsewhere: does a document that is stored belong to another source than the run that found it again?
--
-- It then moves to that run's source, so that pruning the old source leaves it alone.
-- Reads:      ingestion_requests
-- Guarantees: false without a run
-- Errors:     none
-- Example:    SELECT docgraph.is_from_elsewhere('default', 'monday', 'tuesday');
CREATE OR REPLACE FUNCTION docgraph.is_from_elsewhere(tenant text, stored text, ingestion text) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN ingestion IS NOT NULL AND ingestion IS DISTINCT FROM stored AND (
        SELECT i.source FROM docgraph.ingestion_requests i
        WHERE i.tenant_id = tenant AND i.ingestion_id = ingestion
    ) IS DISTINCT FROM (
        SELECT i.source FROM docgraph.ingestion_requests i
        WHERE i.tenant_id = tenant AND i.ingestion_id = stored
    );
END
$$;

COMMENT ON FUNCTION docgraph.is_from_elsewhere(text, text, text) IS
    'Core. Does a stored document belong to another source than the run that found it again?';
REVOKE ALL ON FUNCTION docgraph.is_from_elsewhere(text, text, text) FROM PUBLIC;
