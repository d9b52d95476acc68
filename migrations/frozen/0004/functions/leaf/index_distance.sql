-- index_distance: how far two vectors are apart, as the vector indexes know it.
--
-- Where the metric is a constant, as in a custom plan, only the operator is left, and an order by it can be read
-- from the index. Only for finding candidates: their order is by leaf distance.
-- Reads:      nothing
-- Guarantees: NULL if a vector is
-- Errors:     none for vectors of the same dimensions
-- Example:    SELECT docgraph.index_distance('[3,4]', '[4,3]', 'cosine');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.index_distance(a halfvec, b halfvec, metric text) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE metric WHEN 'cosine' THEN a <=> b WHEN 'l2' THEN a <-> b WHEN 'ip' THEN a <#> b END;

COMMENT ON FUNCTION docgraph.index_distance(halfvec, halfvec, text) IS
    'Leaf. Distance of two vectors as the vector indexes know it, to find candidates.';
REVOKE ALL ON FUNCTION docgraph.index_distance(halfvec, halfvec, text) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
