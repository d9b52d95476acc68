-- estimated_tokens: the length of a text in tokens where nobody has counted: a quarter of its bytes, at least one.
--
-- Reads:      nothing
-- Guarantees: NULL gives NULL
-- Errors:     none
-- Example:    SELECT docgraph.estimated_tokens('Annual leave is 30 days.');
CREATE OR REPLACE FUNCTION docgraph.estimated_tokens(value text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN value IS NULL THEN NULL ELSE greatest(1, (octet_length(value) + 3) / 4) END;

COMMENT ON FUNCTION docgraph.estimated_tokens(text) IS
    'Leaf. Tokens of a text that nobody has counted: a quarter of its bytes.';
REVOKE ALL ON FUNCTION docgraph.estimated_tokens(text) FROM PUBLIC;
