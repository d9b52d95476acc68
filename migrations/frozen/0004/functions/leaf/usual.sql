-- usual: what a limit is where the caller does not say, in one place; the highest that one may ask for is in bound.
--
-- The defaults of parameters read it. Measure, then change it here.
-- Reads:      nothing
-- Guarantees: an unknown name gives NULL; the tests hold every name in use against this list
-- Errors:     none
-- Example:    SELECT docgraph.usual('seeds');
CREATE OR REPLACE FUNCTION docgraph.usual(name text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE name
        WHEN 'nodes' THEN 10              -- found by a search
        WHEN 'seeds' THEN 5               -- of a plan, found by its search
        WHEN 'expanded_per_seed' THEN 10  -- documents that one seed brings into a plan
        WHEN 'documents' THEN 40          -- of a plan, in all
    END;

COMMENT ON FUNCTION docgraph.usual(text) IS
    'Leaf. A limit where the caller does not say, for example usual(''seeds'').';
REVOKE ALL ON FUNCTION docgraph.usual(text) FROM PUBLIC;
