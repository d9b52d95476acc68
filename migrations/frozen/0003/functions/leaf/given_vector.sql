-- given_vector: a vector as it came in, for its length, and as it is stored.
--
-- Takes the text of a JSON list that has been checked (leaf fits): nothing here can fail on it.
-- Reads:      nothing
-- Guarantees: NULL gives NULL; for cosine the stored one has length 1, which keeps half precision precise
-- Errors:     none for a checked list
-- Example:    SELECT docgraph.given_vector_norm('[3,4]'), docgraph.stored_vector('[3,4]', 'cosine');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;
CREATE OR REPLACE FUNCTION docgraph.given_vector_norm(value text) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN vector_norm(value::vector);
CREATE OR REPLACE FUNCTION docgraph.stored_vector(value text, metric text) RETURNS halfvec
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE metric WHEN 'cosine' THEN l2_normalize(value::vector)::halfvec ELSE value::vector::halfvec END;
CREATE OR REPLACE FUNCTION docgraph.same_vector(a halfvec, b halfvec) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN a IS NOT DISTINCT FROM b;

COMMENT ON FUNCTION docgraph.given_vector_norm(text) IS 'Leaf. Euclidean length of a vector that came in.';
COMMENT ON FUNCTION docgraph.stored_vector(text, text) IS 'Leaf. A vector as it is stored: for cosine, of length 1.';
COMMENT ON FUNCTION docgraph.same_vector(halfvec, halfvec) IS 'Leaf. Are two stored vectors the same, or both absent?';
REVOKE ALL ON FUNCTION docgraph.given_vector_norm(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION docgraph.stored_vector(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION docgraph.same_vector(halfvec, halfvec) FROM PUBLIC;
SET LOCAL search_path = pg_catalog;
