-- check_choice: refuses a value that is not one of a few.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_choice('method', 'exact', '{auto,exact,approximate}');
CREATE OR REPLACE FUNCTION docgraph.check_choice(parameter text, value text, choices text[]) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF (value = ANY (choices)) IS NOT TRUE THEN
        RAISE EXCEPTION '% must be %', parameter, docgraph.choices_in_words(choices)
            USING ERRCODE = '22023', HINT = format('For example %s => %L.', parameter, choices[1]);
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_choice(text, text, text[]) IS
    'Core. Refuses a value that is not one of a few (22023).';
REVOKE ALL ON FUNCTION docgraph.check_choice(text, text, text[]) FROM PUBLIC;
