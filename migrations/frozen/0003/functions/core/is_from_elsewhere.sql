-- is_from_elsewhere: does a document that is stored belong to another source than the run that found it again?
--
-- It then moves to that run's source, so that pruning the old source leaves it alone. A run whose source has no name
-- takes nothing away from another.
-- Reads:      ingestion_requests
-- Guarantees: false without a run
-- Errors:     none
-- Example:    SELECT docgraph.is_from_elsewhere('default', 'monday', 'tuesday');
CREATE OR REPLACE FUNCTION docgraph.is_from_elsewhere(tenant text, stored text, ingestion text) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN ingestion IS NOT NULL AND ingestion IS DISTINCT FROM stored AND EXISTS (
        SELECT FROM docgraph.ingestion_requests i
        WHERE i.tenant_id = tenant AND i.ingestion_id = ingestion AND (stored IS NULL OR i.source <> '')
            AND NOT EXISTS (
                SELECT FROM docgraph.ingestion_requests s
                WHERE s.tenant_id = tenant AND s.ingestion_id = stored AND s.source = i.source
            )
    );
END
$$;

COMMENT ON FUNCTION docgraph.is_from_elsewhere(text, text, text) IS
    'Core. Does a stored document belong to another source than the run that found it again?';
REVOKE ALL ON FUNCTION docgraph.is_from_elsewhere(text, text, text) FROM PUBLIC;
