-- same_vector: are two stored vectors the same, or both absent? For functions whose path has no operator of pgvector.
--
-- By the function and not by IS DISTINCT FROM: a dump could not say whose operator that is, and would not restore.
-- Reads:      nothing
-- Guarantees: never NULL
-- Errors:     none
-- Example:    SELECT docgraph.same_vector('[3,4]', '[3,4]');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.same_vector(a halfvec, b halfvec) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(halfvec_eq(a, b), a IS NULL AND b IS NULL);

COMMENT ON FUNCTION docgraph.same_vector(halfvec, halfvec) IS 'Leaf. Are two stored vectors the same, or both absent?';
REVOKE ALL ON FUNCTION docgraph.same_vector(halfvec, halfvec) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
