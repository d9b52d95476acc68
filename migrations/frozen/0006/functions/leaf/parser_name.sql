-- parser_name: the text-search configuration of PostgreSQL that a recorded one is made of.
--
-- code is ours: simple, over a text with its identifiers taken apart (leaf indexed_text).
-- Reads:      nothing
-- Guarantees: any other name stays as it is
-- Errors:     none
-- Example:    SELECT docgraph.parser_name('code');
CREATE OR REPLACE FUNCTION docgraph.parser_name(text_search text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE text_search WHEN 'code' THEN 'simple' ELSE text_search END;

COMMENT ON FUNCTION docgraph.parser_name(text) IS
    'Leaf. The text-search configuration of PostgreSQL that a recorded one is made of.';
REVOKE ALL ON FUNCTION docgraph.parser_name(text) FROM PUBLIC;
