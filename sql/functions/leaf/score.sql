-- score: what a distance (leaf distance) reads like to a person: more is nearer, and for cosine 1 is the same direction.
--
-- The rounded figure that the order came from, nothing finer.
-- Reads:      nothing
-- Guarantees: 1 - distance for cosine, the inner product for ip, minus the distance for l2; six digits; never -0
-- Errors:     none
-- Example:    SELECT docgraph.score(265488, 'cosine');
CREATE OR REPLACE FUNCTION docgraph.score(distance double precision, metric text) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (CASE metric WHEN 'cosine' THEN 1000000 ELSE 0 END - distance) / 1000000;

COMMENT ON FUNCTION docgraph.score(double precision, text) IS
    'Leaf. A distance in millionths as a figure of which more is nearer.';
REVOKE ALL ON FUNCTION docgraph.score(double precision, text) FROM PUBLIC;
