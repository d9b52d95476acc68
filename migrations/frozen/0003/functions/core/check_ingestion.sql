-- check_ingestion: refuses an ingestion that this login has not begun, or that has ended.
--
-- Reads:      ingestion_requests
-- Guarantees: NULL is accepted: documents need no ingestion
-- Errors:     22023
-- Example:    SELECT docgraph.check_ingestion('default', 'nightly');
CREATE OR REPLACE FUNCTION docgraph.check_ingestion(tenant text, ingestion text) RETURNS void
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF ingestion IS NOT NULL AND NOT EXISTS (
        SELECT FROM docgraph.ingestion_requests i
        WHERE i.tenant_id = tenant AND i.ingestion_id = ingestion AND i.login = session_user
            AND i.state = 'running'
    ) THEN
        RAISE EXCEPTION 'ingestion must be one that this login has begun and not finished'
            USING ERRCODE = '22023', HINT = 'Call docgraph.begin_ingestion first; it also takes one up again.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_ingestion(text, text) IS
    'Core. Refuses an ingestion that this login has not begun, or that has ended (22023).';
REVOKE ALL ON FUNCTION docgraph.check_ingestion(text, text) FROM PUBLIC;
