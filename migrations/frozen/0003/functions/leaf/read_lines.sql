-- read_lines: a JSON list of texts as an array, in NFC; absent = empty.
--
-- Reads:      nothing
-- Guarantees: never NULL; in the order given
-- Errors:     none for a checked list
-- Example:    SELECT docgraph.read_lines('["Leave", "Annual leave"]');
CREATE OR REPLACE FUNCTION docgraph.read_lines(value jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(
        SELECT normalize(e.entry)
        FROM jsonb_array_elements_text(coalesce(value, '[]')) WITH ORDINALITY AS e (entry, i)
        ORDER BY e.i
    );

COMMENT ON FUNCTION docgraph.read_lines(jsonb) IS 'Leaf. A JSON list of texts as an array, in NFC; absent = empty.';
REVOKE ALL ON FUNCTION docgraph.read_lines(jsonb) FROM PUBLIC;
