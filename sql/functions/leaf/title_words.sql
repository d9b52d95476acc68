-- title_words: the words of a title or a question, in lower case, with one blank between them.
--
-- Reads:      nothing
-- Guarantees: NULL if there are none; how words are set apart, and their case, make no difference
-- Errors:     none
-- Example:    SELECT docgraph.title_words('  Parental leave: the rules');
CREATE OR REPLACE FUNCTION docgraph.title_words(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN nullif(btrim(regexp_replace(lower(value), '[^[:alnum:]]+', ' ', 'g')), '');

COMMENT ON FUNCTION docgraph.title_words(text) IS
    'Leaf. The words of a title or a question, in lower case, with one blank between them.';
REVOKE ALL ON FUNCTION docgraph.title_words(text) FROM PUBLIC;
