-- without: the entries of a list that are not in another one, in their order.
--
-- Reads:      nothing
-- Guarantees: never NULL
-- Errors:     none
-- Example:    SELECT docgraph.without(ARRAY['a', 'b'], ARRAY['a']);
CREATE OR REPLACE FUNCTION docgraph.without(entries text[], others text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(
        SELECT e.entry FROM unnest(entries) WITH ORDINALITY AS e (entry, i)
        WHERE e.entry <> ALL (others)
        ORDER BY e.i
    );

COMMENT ON FUNCTION docgraph.without(text[], text[]) IS 'Leaf. The entries of a list that are not in another one.';
REVOKE ALL ON FUNCTION docgraph.without(text[], text[]) FROM PUBLIC;
