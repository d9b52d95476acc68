-- any_word: a text-search query for any of some words, which are taken as they are.
--
-- Reads:      nothing
-- Guarantees: NULL for no words; quotes and backslashes are part of a word
-- Errors:     none for words that stand in a tsvector
-- Example:    SELECT docgraph.any_word('{leave,it''s}');
CREATE OR REPLACE FUNCTION docgraph.any_word(words text[]) RETURNS tsquery
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (
        SELECT string_agg('''' || replace(replace(w.word, '\', '\\'), '''', '''''') || '''', '|')::tsquery
        FROM unnest(words) AS w (word)
    );

COMMENT ON FUNCTION docgraph.any_word(text[]) IS 'Leaf. A text-search query for any of some words, taken as they are.';
REVOKE ALL ON FUNCTION docgraph.any_word(text[]) FROM PUBLIC;
