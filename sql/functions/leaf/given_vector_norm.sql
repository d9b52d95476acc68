-- given_vector_norm: the length of a vector as it came in.
--
-- Takes the text of a JSON list that has been checked (leaf fits): nothing here can fail on it.
-- Reads:      nothing
-- Guarantees: NULL gives NULL
-- Errors:     none for a checked list
-- Example:    SELECT docgraph.given_vector_norm('[3,4]');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.given_vector_norm(value text) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN vector_norm(value::vector);

COMMENT ON FUNCTION docgraph.given_vector_norm(text) IS 'Leaf. Euclidean length of a vector that came in.';
REVOKE ALL ON FUNCTION docgraph.given_vector_norm(text) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
