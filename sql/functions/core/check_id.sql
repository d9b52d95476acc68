-- check_id: refuses what can be no id.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_id('document', 'handbook/leave.md');
CREATE OR REPLACE FUNCTION docgraph.check_id(parameter text, value text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF docgraph.is_id(value) IS NOT TRUE THEN
        RAISE EXCEPTION '% must be a text of 1 to % bytes', parameter, docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'An id is taken as it is: never trimmed, folded or normalised.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_id(text, text) IS 'Core. Refuses what can be no id (22023).';
REVOKE ALL ON FUNCTION docgraph.check_id(text, text) FROM PUBLIC;
