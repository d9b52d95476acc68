-- check_vector: refuses what can be no vector to compare with those of this database; gives their metric.
--
-- Reads:      embedding_space
-- Errors:     22023, KG003 (no embedding space to compare it in)
-- Example:    SELECT docgraph.check_vector('query_embedding', '{3,4}');
CREATE OR REPLACE FUNCTION docgraph.check_vector(parameter text, embedding double precision[]) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    space record;
BEGIN
    SELECT s.dimensions, s.metric INTO space FROM docgraph.embedding_space s;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this database has no embedding space yet'
            USING ERRCODE = 'KG003', HINT = 'An administrator records one with docgraph.configure_embedding_space.';
    END IF;
    IF docgraph.is_query(embedding, space.dimensions, space.metric) IS NOT TRUE THEN
        RAISE EXCEPTION '% must have % elements from -60000 to 60000, and a length from 0.001 to 60000',
            parameter, space.dimensions
            USING ERRCODE = '22023',
                  HINT = 'Is it a vector of the recorded model? docgraph.embedding_space() names it.';
    END IF;
    RETURN space.metric;
END
$$;

COMMENT ON FUNCTION docgraph.check_vector(text, double precision[]) IS
    'Core. Refuses what can be no vector of this database (22023, KG003); its metric.';
REVOKE ALL ON FUNCTION docgraph.check_vector(text, double precision[]) FROM PUBLIC;
