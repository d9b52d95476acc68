-- query_vector: a query's vector in the form in which vectors are stored.
--
-- Takes a vector that has been checked (leaf is_query): nothing here can fail on it.
-- Reads:      nothing
-- Guarantees: NULL gives NULL; for cosine the length is 1, as that of what is stored
-- Errors:     none for a checked vector
-- Example:    SELECT docgraph.query_vector('{3,4}', 'cosine');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.query_vector(embedding double precision[], metric text) RETURNS halfvec
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE metric
        WHEN 'cosine' THEN l2_normalize(embedding::vector)::halfvec
        ELSE embedding::vector::halfvec
    END;

COMMENT ON FUNCTION docgraph.query_vector(double precision[], text) IS
    'Leaf. A query''s vector in the form in which vectors are stored.';
REVOKE ALL ON FUNCTION docgraph.query_vector(double precision[], text) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
