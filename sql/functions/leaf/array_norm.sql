-- array_norm: the length of a query vector as it came in.
--
-- Takes elements that pgvector can hold (leaf is_query looks at them first).
-- Reads:      nothing
-- Guarantees: NULL gives NULL
-- Errors:     none for such elements
-- Example:    SELECT docgraph.array_norm('{3,4}');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.array_norm(embedding double precision[]) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN vector_norm(embedding::vector);

COMMENT ON FUNCTION docgraph.array_norm(double precision[]) IS 'Leaf. Euclidean length of a query vector.';
REVOKE ALL ON FUNCTION docgraph.array_norm(double precision[]) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
