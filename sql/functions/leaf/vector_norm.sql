-- vector_norm: the length of a stored embedding, for the CHECK that refuses zero and degenerate vectors.
--
-- Takes the vector as an argument and names no column, so that the column's type can still be altered.
-- Reads:      nothing
-- Guarantees: NULL gives NULL
-- Errors:     none
-- Example:    SELECT docgraph.vector_norm('[3,4]');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.vector_norm(embedding halfvec) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN l2_norm(embedding);

COMMENT ON FUNCTION docgraph.vector_norm(halfvec) IS
    'Leaf. Euclidean length of an embedding; stored ones lie between 0.001 and 60000.';
REVOKE ALL ON FUNCTION docgraph.vector_norm(halfvec) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
