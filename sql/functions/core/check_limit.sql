-- check_limit: refuses what can be no limit. The highest is bound(what).
--
-- Reads:      nothing
-- Guarantees: 0 is a limit, NULL is none: LIMIT NULL would be all
-- Errors:     22023
-- Example:    SELECT docgraph.check_limit('seed_limit', 5, 'seeds');
CREATE OR REPLACE FUNCTION docgraph.check_limit(parameter text, value integer, what text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF (value BETWEEN 0 AND docgraph.bound(what)) IS NOT TRUE THEN
        RAISE EXCEPTION '% must be from 0 to %', parameter, docgraph.bound(what)
            USING ERRCODE = '22023', HINT = 'Leave it out for the usual limit.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_limit(text, integer, text) IS 'Core. Refuses what can be no limit (22023).';
REVOKE ALL ON FUNCTION docgraph.check_limit(text, integer, text) FROM PUBLIC;
