-- reason_of_link: why a document is in a plan that a seed leads to, in words: the seed, what it does, and this, the document.
--
-- Reads:      nothing
-- Errors:     none
-- Example:    SELECT docgraph.reason_of_link('explains', 'a.md');
CREATE OR REPLACE FUNCTION docgraph.reason_of_link(relation_type text, from_document text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN from_document || ' ' || relation_type || ' this';

COMMENT ON FUNCTION docgraph.reason_of_link(text, text) IS
    'Leaf. Why a document is in a plan that a seed leads to, in words.';
REVOKE ALL ON FUNCTION docgraph.reason_of_link(text, text) FROM PUBLIC;
