-- check_seeds: refuses what an expansion cannot begin with: no list of ids, or one without any.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_seeds('{a.md}');
CREATE OR REPLACE FUNCTION docgraph.check_seeds(seeds text[]) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF docgraph.check_ids('seeds', seeds) = '{}' THEN
        RAISE EXCEPTION 'seeds must not be empty'
            USING ERRCODE = '22023', HINT = 'An expansion begins with ids, such as docgraph.search_nodes finds.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_seeds(text[]) IS 'Core. Refuses what an expansion cannot begin with (22023).';
REVOKE ALL ON FUNCTION docgraph.check_seeds(text[]) FROM PUBLIC;
