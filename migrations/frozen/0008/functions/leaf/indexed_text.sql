-- indexed_text: a text as the lexical index and a query read it.
--
-- For the configuration code with identifiers taken apart, and the whole ones after it; for any other without signs that may be
-- taken for letters.
-- Reads:      nothing
-- Guarantees: NULL gives NULL
-- Errors:     none
-- Example:    SELECT docgraph.indexed_text('getUserName(os.path)', 'code');
CREATE OR REPLACE FUNCTION docgraph.indexed_text(value text, text_search text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN value IS NULL THEN NULL
        WHEN text_search = 'code' THEN concat_ws(' ', docgraph.split_identifiers(value), docgraph.whole_identifiers(value))
        ELSE docgraph.plain_signs(value)
    END;

COMMENT ON FUNCTION docgraph.indexed_text(text, text) IS 'Leaf. A text as the lexical index and a query read it.';
REVOKE ALL ON FUNCTION docgraph.indexed_text(text, text) FROM PUBLIC;
