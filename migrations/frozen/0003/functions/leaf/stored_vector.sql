-- stored_vector: a vector that came in, as it is stored.
--
-- Takes the text of a JSON list that has been checked (leaf fits): nothing here can fail on it.
-- Reads:      nothing
-- Guarantees: NULL gives NULL; for cosine the length is 1, which keeps half precision precise
-- Errors:     none for a checked list
-- Example:    SELECT docgraph.stored_vector('[3,4]', 'cosine');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.stored_vector(value text, metric text) RETURNS halfvec
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE metric WHEN 'cosine' THEN l2_normalize(value::vector)::halfvec ELSE value::vector::halfvec END;

COMMENT ON FUNCTION docgraph.stored_vector(text, text) IS 'Leaf. A vector as it is stored: for cosine, of length 1.';
REVOKE ALL ON FUNCTION docgraph.stored_vector(text, text) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
