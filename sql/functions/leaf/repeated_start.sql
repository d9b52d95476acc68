-- repeated_start: how many characters at the beginning of a chunk the chunk before has said already.
--
-- Offsets say by how much two chunks overlap; whether they do, their texts say. So nothing is lost where offsets are
-- wrong. The texts are not looked at where the offsets say that there is no overlap.
-- Reads:      nothing
-- Guarantees: never NULL; never more characters than the chunk has
-- Errors:     none
-- Example:    SELECT docgraph.repeated_start('one two', 0, 7, 'two three', 4);
CREATE OR REPLACE FUNCTION docgraph.repeated_start(
    text_before text, start_before integer, end_before integer, value text, start_offset integer
) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN (start_before <= start_offset AND start_offset < end_before) IS NOT TRUE THEN 0
        WHEN char_length(value) >= end_before - start_offset
            AND left(value, end_before - start_offset) = right(text_before, end_before - start_offset)
            THEN end_before - start_offset
        ELSE 0
    END;

COMMENT ON FUNCTION docgraph.repeated_start(text, integer, integer, text, integer) IS
    'Leaf. How many characters at the beginning of a chunk the chunk before has said already.';
REVOKE ALL ON FUNCTION docgraph.repeated_start(text, integer, integer, text, integer) FROM PUBLIC;
