-- sum_rounding: how far a sum of so many products above 0 in single precision can be from the exact one, as a part of it,
-- twice.
--
-- Reads:      nothing
-- Guarantees: grows with their number: each product and each addition rounds by 2 ^ -24 at most
-- Errors:     none
-- Example:    SELECT docgraph.sum_rounding(8);
CREATE OR REPLACE FUNCTION docgraph.sum_rounding(products integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 2.5e-7::double precision * (products + 2);

COMMENT ON FUNCTION docgraph.sum_rounding(integer) IS
    'Leaf. How far a sum in single precision can be from the exact one, as a part of it.';
REVOKE ALL ON FUNCTION docgraph.sum_rounding(integer) FROM PUBLIC;
