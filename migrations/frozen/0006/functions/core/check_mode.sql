-- check_mode: refuses what is no way of comparing a question with what is stored.
--
-- semantic compares vectors, bm25 words, hybrid both.
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_mode('mode', 'semantic');
CREATE OR REPLACE FUNCTION docgraph.check_mode(name text, mode text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM docgraph.check_choice(name, mode, ARRAY['semantic', 'bm25', 'hybrid']);
END
$$;

COMMENT ON FUNCTION docgraph.check_mode(text, text) IS
    'Core. Refuses what is no way of comparing a question with what is stored (22023).';
REVOKE ALL ON FUNCTION docgraph.check_mode(text, text) FROM PUBLIC;
