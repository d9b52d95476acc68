-- check_ceiling_list: refuses a list that can be no part of a ceiling.
--
-- Reads:      nothing
-- Guarantees: NULL is accepted, it means all
-- Errors:     22023
-- Example:    SELECT docgraph.check_ceiling_list('tags', ARRAY['hr']);
CREATE OR REPLACE FUNCTION docgraph.check_ceiling_list(parameter text, entries text[]) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF array_ndims(entries) > 1 OR array_position(entries, NULL) IS NOT NULL THEN
        RAISE EXCEPTION '% must be a plain list without null', parameter
            USING ERRCODE = '22023', HINT = 'For example ARRAY[''a'', ''b'']; NULL as a whole means all.';
    END IF;
    IF NOT docgraph.list_fits(entries) THEN
        RAISE EXCEPTION '% may have % entries of % bytes at most',
            parameter, docgraph.bound('list_items'), docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'Group what belongs together under one entry.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_ceiling_list(text, text[]) IS
    'Core. Refuses a list that can be no part of a ceiling (22023).';
REVOKE ALL ON FUNCTION docgraph.check_ceiling_list(text, text[]) FROM PUBLIC;
