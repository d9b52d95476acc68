-- search_nodes: the documents or chunks nearest to a query: ids and ranks, no text and no score.
--
-- search_in summaries: documents, by the embedding of their summary. chunks: chunks, by theirs; a document may come
-- several times, chunk is the place in it. What has no embedding is not found.
-- method exact compares all that the call may see; approximate asks the vector index, and may miss one that is
-- nearer; auto is exact up to bound('exact_rows') visible rows. Each row says which it was.
-- mode semantic compares vectors: query_text must be NULL.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes or vector_chunks
-- Guarantees: max_nodes rows, or all there are; by method exact the same rows whatever is hidden from the call, in
--             order of distance (in millionths), document, chunk
-- Errors:     22023, 42501, KG003
-- Example:    SELECT * FROM docgraph.search_nodes('default', '{}',
--                 array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));
CREATE OR REPLACE FUNCTION docgraph.search_nodes(
    tenant text, access jsonb, query_embedding double precision[] DEFAULT NULL, query_text text DEFAULT NULL,
    mode text DEFAULT 'semantic', search_in text DEFAULT 'summaries', method text DEFAULT 'auto',
    max_nodes integer DEFAULT 10
)
    RETURNS TABLE (rank integer, document_id text, chunk integer, found_by text)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    metric constant text := docgraph.check_query(mode, query_embedding, query_text);
    chosen text;
BEGIN
    PERFORM docgraph.check_search(search_in, method);
    PERFORM docgraph.check_limit('max_nodes', max_nodes, 'nodes');
    IF query_embedding IS NULL THEN
        RAISE EXCEPTION 'query_embedding must not be null in mode %', mode
            USING ERRCODE = '22023', HINT = 'Embed the question with the model that docgraph.embedding_space() names.';
    END IF;
    chosen := docgraph.choose_method(tenant, visible, search_in, method);
    RETURN QUERY
    SELECT r.place::integer, r.document_id, r.chunk, chosen
    FROM docgraph.nearest(
        tenant, visible, docgraph.query_vector(query_embedding, metric), metric, search_in, chosen, max_nodes) AS n
    CROSS JOIN LATERAL ROWS FROM (unnest(n.documents), unnest(n.chunks))
        WITH ORDINALITY AS r (document_id, chunk, place)
    ORDER BY r.place;
END
$$;

COMMENT ON FUNCTION docgraph.search_nodes(text, jsonb, double precision[], text, text, text, text, integer) IS
    'API, reader. The documents or chunks nearest to a query: ids and ranks. '
    'SELECT * FROM docgraph.search_nodes(''default'', ''{}'', '
    'array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));';
REVOKE ALL ON FUNCTION docgraph.search_nodes(text, jsonb, double precision[], text, text, text, text, integer)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.search_nodes(text, jsonb, double precision[], text, text, text, text, integer)
    TO docgraph_reader;
