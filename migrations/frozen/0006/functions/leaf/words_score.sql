-- words_score: what a text with these weights scores for a query: the sum of weight times rarity over the query's words.
--
-- Reads:      nothing
-- Guarantees: 0 where no word of the query is in it; in single precision, so that its last digit depends on the order
--             in which words got their numbers: what decides about a result is computed by word (core function exact_scores)
-- Errors:     none for vectors that leaf sparse made
-- Example:    SELECT docgraph.words_score(docgraph.sparse('7:0.5,12:0.25'), docgraph.sparse('7:6.2'));
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.words_score(weights sparsevec, query sparsevec) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN -(weights <#> query);

COMMENT ON FUNCTION docgraph.words_score(sparsevec, sparsevec) IS
    'Leaf. What a text with these weights scores for a query; for finding candidates.';
REVOKE ALL ON FUNCTION docgraph.words_score(sparsevec, sparsevec) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
