-- check_search: refuses what can be no way of searching.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_search('summaries', 'auto');
CREATE OR REPLACE FUNCTION docgraph.check_search(search_in text, method text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM docgraph.check_choice('search_in', search_in, ARRAY['summaries', 'chunks']);
    PERFORM docgraph.check_choice('method', method, ARRAY['auto', 'exact', 'approximate']);
END
$$;

COMMENT ON FUNCTION docgraph.check_search(text, text) IS 'Core. Refuses what can be no way of searching (22023).';
REVOKE ALL ON FUNCTION docgraph.check_search(text, text) FROM PUBLIC;
