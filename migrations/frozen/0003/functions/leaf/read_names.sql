-- read_names: a JSON list of texts as an array; absent = empty.
--
-- Reads:      nothing
-- Guarantees: never NULL; in the order given
-- Errors:     none for a checked list
-- Example:    SELECT docgraph.read_names('["hr"]');
CREATE OR REPLACE FUNCTION docgraph.read_names(value jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(
        SELECT e.entry
        FROM jsonb_array_elements_text(coalesce(value, '[]')) WITH ORDINALITY AS e (entry, i)
        ORDER BY e.i
    );

COMMENT ON FUNCTION docgraph.read_names(jsonb) IS 'Leaf. A JSON list of texts as an array; absent = empty.';
REVOKE ALL ON FUNCTION docgraph.read_names(jsonb) FROM PUBLIC;
