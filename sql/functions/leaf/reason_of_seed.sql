-- reason_of_seed: why a seed is in a plan, in words.
--
-- Reads:      nothing
-- Errors:     none
-- Example:    SELECT docgraph.reason_of_seed('1', 'search');
CREATE OR REPLACE FUNCTION docgraph.reason_of_seed(rank text, origin text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 'seed ' || rank || ', ' || CASE origin WHEN 'search' THEN 'found by search' ELSE origin END;

COMMENT ON FUNCTION docgraph.reason_of_seed(text, text) IS 'Leaf. Why a seed is in a plan, in words.';
REVOKE ALL ON FUNCTION docgraph.reason_of_seed(text, text) FROM PUBLIC;
