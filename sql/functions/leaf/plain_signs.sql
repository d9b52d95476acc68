-- plain_signs: a text without signs that PostgreSQL may take for letters: typographic ones, arrows, pictures.
--
-- In a database whose LC_CTYPE is C the parser of texts takes whatever is not ASCII for a letter: a word in quotation marks of
-- print would be another word. They become blanks here, so that the same text has the same words in every database; curly
-- apostrophes become straight ones, and what only says where a word may be broken goes.
-- Reads:      nothing
-- Guarantees: NULL gives NULL; ASCII stays as it is, and so do letters, digits and their marks
-- Errors:     none
-- Example:    SELECT docgraph.plain_signs(U&'\201Eleave\201C \2013 and pay');
CREATE OR REPLACE FUNCTION docgraph.plain_signs(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN octet_length(value) = char_length(value) THEN value
        ELSE regexp_replace(
            translate(value, U&'\2018\2019\00AD', ''''''),
            '[\u0080-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7'
                '\u060C\u061B\u061F\u2000-\u200B\u200E-\u206F\u20A0-\u20CF\u2190-\u2BFF\u2E00-\u2E7F'
                '\u3000-\u3004\u3008-\u3020\u3030\uFE10-\uFE19\uFE30-\uFE6F\uFEFF'
                '\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65\U0001F000-\U0001FAFF]+', ' ', 'g')
    END;

COMMENT ON FUNCTION docgraph.plain_signs(text) IS
    'Leaf. A text without signs that PostgreSQL may take for letters.';
REVOKE ALL ON FUNCTION docgraph.plain_signs(text) FROM PUBLIC;
