-- sparse: a sparse vector over the numbers of words, from "number:value" with commas between.
--
-- The number of dimensions is cast by itself: text beside a number would be stable only, and would not inline.
-- Reads:      nothing
-- Guarantees: NULL gives NULL; all have the same dimensions
-- Errors:     none for distinct numbers from 1 to bound('word_numbers'), at most bound('words_of_text') of them
-- Example:    SELECT docgraph.sparse('7:0.5,12:0.25');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.sparse(elements text) RETURNS sparsevec
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ('{' || elements || '}/' || docgraph.bound('word_numbers')::text)::sparsevec;

COMMENT ON FUNCTION docgraph.sparse(text) IS 'Leaf. A sparse vector over the numbers of words.';
REVOKE ALL ON FUNCTION docgraph.sparse(text) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
