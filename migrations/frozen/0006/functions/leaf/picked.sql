-- picked: the entries of a list at some places, in the order of the places.
--
-- Reads:      nothing
-- Guarantees: as many as there are places
-- Errors:     none
-- Example:    SELECT docgraph.picked('{a,b,c}', '{3,1,3}');
CREATE OR REPLACE FUNCTION docgraph.picked(entries text[], places integer[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT entries[p.place] FROM unnest(places) WITH ORDINALITY AS p (place, nth) ORDER BY p.nth);

COMMENT ON FUNCTION docgraph.picked(text[], integer[]) IS 'Leaf. The entries of a list at some places.';
REVOKE ALL ON FUNCTION docgraph.picked(text[], integer[]) FROM PUBLIC;
