-- choices_in_words: the values that a parameter may have, for error messages.
--
-- Reads:      nothing
-- Guarantees: in the order given
-- Errors:     none
-- Example:    SELECT docgraph.choices_in_words('{auto,exact,approximate}');
CREATE OR REPLACE FUNCTION docgraph.choices_in_words(choices text[]) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN concat_ws(' or ',
        nullif(array_to_string(choices[:cardinality(choices) - 1], ', '), ''), choices[cardinality(choices)]);

COMMENT ON FUNCTION docgraph.choices_in_words(text[]) IS 'Leaf. The values that a parameter may have, in words.';
REVOKE ALL ON FUNCTION docgraph.choices_in_words(text[]) FROM PUBLIC;
