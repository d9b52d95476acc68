-- reasons_in_words: the reasons of a document in one text: the first five, and how many more there are.
--
-- All of them are in the plan. Text that goes to a reader, or to a language model, must not grow with them.
-- Place by place, so that it inlines: array_to_string is not immutable.
-- Reads:      nothing
-- Guarantees: in the order given; NULL for none
-- Errors:     none
-- Example:    SELECT docgraph.reasons_in_words('{"explains, from a.md","references, from b.md"}');
CREATE OR REPLACE FUNCTION docgraph.reasons_in_words(reasons text[]) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN reasons[1] || coalesce('; ' || reasons[2], '') || coalesce('; ' || reasons[3], '')
        || coalesce('; ' || reasons[4], '') || coalesce('; ' || reasons[5], '')
        || CASE WHEN cardinality(reasons) > 5 THEN '; and ' || (cardinality(reasons) - 5)::text || ' more' ELSE '' END;

COMMENT ON FUNCTION docgraph.reasons_in_words(text[]) IS
    'Leaf. The reasons of a document in one text: the first five, and how many more there are.';
REVOKE ALL ON FUNCTION docgraph.reasons_in_words(text[]) FROM PUBLIC;
