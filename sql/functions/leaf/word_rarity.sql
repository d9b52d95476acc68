-- word_rarity: how much a word that stands in so many of so many texts tells: the idf of BM25, in Lucene's form.
--
-- Reads:      nothing
-- Guarantees: above 0, also for a word that stands in all of them
-- Errors:     none for frequency from 0 to entries
-- Example:    SELECT docgraph.word_rarity(1000, 3);
CREATE OR REPLACE FUNCTION docgraph.word_rarity(entries double precision, frequency double precision)
    RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ln(1 + (entries - frequency + 0.5) / (frequency + 0.5));

COMMENT ON FUNCTION docgraph.word_rarity(double precision, double precision) IS
    'Leaf. How much a word that stands in so many of so many texts tells: the idf of BM25.';
REVOKE ALL ON FUNCTION docgraph.word_rarity(double precision, double precision) FROM PUBLIC;
