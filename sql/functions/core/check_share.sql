-- check_share: refuses what can be no share of a whole.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_share('reserve', 0.4);
CREATE OR REPLACE FUNCTION docgraph.check_share(parameter text, value numeric) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- NaN is above every number.
    IF (value BETWEEN 0 AND 1) IS NOT TRUE THEN
        RAISE EXCEPTION '% must be from 0 to 1', parameter
            USING ERRCODE = '22023', HINT = 'A share of the whole, for example 0.4; leave it out for the usual one.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_share(text, numeric) IS 'Core. Refuses what can be no share of a whole (22023).';
REVOKE ALL ON FUNCTION docgraph.check_share(text, numeric) FROM PUBLIC;
