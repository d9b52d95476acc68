-- check_page: refuses what can be no page of a list.
--
-- Reads:      nothing
-- Guarantees: 0 rows is a page, NULL is none: LIMIT NULL would be all
-- Errors:     22023
-- Example:    SELECT docgraph.check_page('a.md', 100);
CREATE OR REPLACE FUNCTION docgraph.check_page(after text, page integer) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF (page BETWEEN 0 AND docgraph.bound('page')) IS NOT TRUE THEN
        RAISE EXCEPTION 'page must be from 0 to %', docgraph.bound('page')
            USING ERRCODE = '22023', HINT = 'Rows of one page; ask for the next one with after.';
    END IF;
    IF NOT docgraph.is_id(after) THEN
        RAISE EXCEPTION 'after must be a text of 1 to % bytes', docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'The last id of the page before; NULL for the first page.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_page(text, integer) IS 'Core. Refuses what can be no page of a list (22023).';
REVOKE ALL ON FUNCTION docgraph.check_page(text, integer) FROM PUBLIC;
