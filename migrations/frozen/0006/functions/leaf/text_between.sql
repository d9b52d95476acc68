-- text_between: what stands between two chunks when they are put together again.
--
-- Nothing before the first one, nothing where the second repeats the end of the first, nothing where offsets say that they
-- touch; else an empty line.
-- Reads:      nothing
-- Guarantees: never NULL
-- Errors:     none
-- Example:    SELECT docgraph.text_between(true, 7, 8, 0);
CREATE OR REPLACE FUNCTION docgraph.text_between(
    has_before boolean, end_before integer, start_offset integer, repeated integer
) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN has_before AND repeated = 0 AND (end_before = start_offset) IS NOT TRUE THEN E'\n\n' ELSE '' END;

COMMENT ON FUNCTION docgraph.text_between(boolean, integer, integer, integer) IS
    'Leaf. What stands between two chunks when they are put together again.';
REVOKE ALL ON FUNCTION docgraph.text_between(boolean, integer, integer, integer) FROM PUBLIC;
