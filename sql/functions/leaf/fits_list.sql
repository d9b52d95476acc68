-- fits_list: is this JSON value a list of texts of that kind? A part of leaf fits.
--
-- Strict paths: a lax one would look through lists within lists. The size of a text is that in NFC, as it is stored.
-- Reads:      nothing
-- Guarantees: an unknown kind gives NULL
-- Errors:     none
-- Example:    SELECT docgraph.fits_list('["hr"]', 'names');
CREATE OR REPLACE FUNCTION docgraph.fits_list(value jsonb, kind text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE kind
        WHEN 'names' THEN jsonb_typeof(value) = 'array'
            AND NOT jsonb_path_exists(value, 'strict $[*] ? (@.type() != "string")')
            AND docgraph.list_fits(ARRAY(SELECT e.entry FROM jsonb_array_elements_text(value) AS e (entry)))
        WHEN 'ids' THEN jsonb_typeof(value) = 'array'
            AND jsonb_array_length(value) <= docgraph.bound('names')
            AND NOT jsonb_path_exists(value, 'strict $[*] ? (@.type() != "string")')
            AND NOT EXISTS (
                SELECT FROM jsonb_array_elements_text(value) AS e (entry) WHERE docgraph.is_id(e.entry) IS NOT TRUE
            )
        WHEN 'lines' THEN jsonb_typeof(value) = 'array'
            AND jsonb_array_length(value) <= docgraph.bound('list_items')
            AND NOT jsonb_path_exists(value, 'strict $[*] ? (@.type() != "string")')
            AND NOT EXISTS (
                SELECT FROM jsonb_array_elements_text(value) AS e (entry)
                WHERE docgraph.stored_bytes(e.entry) > docgraph.bound('line_bytes')
            )
    END;

COMMENT ON FUNCTION docgraph.fits_list(jsonb, text) IS 'Leaf. Is a JSON value a list of texts of a kind?';
REVOKE ALL ON FUNCTION docgraph.fits_list(jsonb, text) FROM PUBLIC;
