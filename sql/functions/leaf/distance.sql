-- distance: how far two vectors are apart, in whole millionths.
--
-- The unit of every ranking: what rounds to the same is equal, and the id decides. By functions and not by operators:
-- no index takes part, so an order by it is exact. Where the metric is a constant, as in a custom plan, only one
-- branch is left. The factor is of the type that it is multiplied with: an operator for two types that PostgreSQL has
-- to cast could be put beside pgvector by somebody else.
-- Reads:      nothing
-- Guarantees: NULL if a vector is; for ip minus the inner product, so that less is nearer everywhere
-- Errors:     none for vectors of the same dimensions
-- Example:    SELECT docgraph.distance('[3,4]', '[4,3]', 'cosine');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.distance(a halfvec, b halfvec, metric text) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN round(1000000::double precision * CASE metric
        WHEN 'cosine' THEN cosine_distance(a, b)
        WHEN 'l2' THEN l2_distance(a, b)
        WHEN 'ip' THEN halfvec_negative_inner_product(a, b)
    END);

COMMENT ON FUNCTION docgraph.distance(halfvec, halfvec, text) IS
    'Leaf. Distance of two vectors in whole millionths; exact, for no index knows it.';
REVOKE ALL ON FUNCTION docgraph.distance(halfvec, halfvec, text) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
