-- printable: a text of somebody else's within a line for people: what would break or steer the line is replaced.
--
-- Control characters, line separators, and what turns the direction of a text round.
-- Reads:      nothing
-- Guarantees: NULL gives NULL; one line
-- Errors:     none
-- Example:    SELECT docgraph.printable(E'two\nlines');
CREATE OR REPLACE FUNCTION docgraph.printable(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(
        value, '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]', U&'\FFFD', 'g');

COMMENT ON FUNCTION docgraph.printable(text) IS 'Leaf. A text within a line for people, without what would break it.';
REVOKE ALL ON FUNCTION docgraph.printable(text) FROM PUBLIC;
