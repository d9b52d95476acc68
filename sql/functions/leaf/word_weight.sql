-- word_weight: what a word that occurs so often counts in a text of so many words: BM25 without the word's rarity.
--
-- Lucene's form: times / (times + k1 * (1 - b + b * length / average)), without a factor k1 + 1.
-- Reads:      nothing
-- Guarantees: above 0; below 1, or 1 where k1 is 0
-- Errors:     none for times above 0
-- Example:    SELECT docgraph.word_weight(2, 120, 100, 1.2, 0.75);
CREATE OR REPLACE FUNCTION docgraph.word_weight(
    times double precision, length double precision, average double precision, k1 double precision, b double precision
) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN times / (times + k1 * (1 - b + b * length / average));

COMMENT ON FUNCTION docgraph.word_weight(
    double precision, double precision, double precision, double precision, double precision
) IS 'Leaf. What a word that occurs so often counts in a text of so many words, in BM25.';
REVOKE ALL ON FUNCTION docgraph.word_weight(
    double precision, double precision, double precision, double precision, double precision
) FROM PUBLIC;
