-- embedding_space: the embedding space of this database and the settings of its lexical index.
--
-- Reads:      embedding_space
-- Guarantees: one row, or none before configure_embedding_space
-- Errors:     none
-- Example:    SELECT * FROM docgraph.embedding_space();
CREATE OR REPLACE FUNCTION docgraph.embedding_space()
    RETURNS TABLE (
        model text, dimensions integer, metric text, text_search text, average_length double precision
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
BEGIN
    RETURN QUERY
    SELECT s.model, s.dimensions, s.metric, s.text_search, s.average_length
    FROM docgraph.embedding_space s;
END
$$;

COMMENT ON FUNCTION docgraph.embedding_space() IS
    'API, reader. The embedding space in use; no row before configure_embedding_space. '
    'SELECT * FROM docgraph.embedding_space();';
REVOKE ALL ON FUNCTION docgraph.embedding_space() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.embedding_space() TO docgraph_reader;
