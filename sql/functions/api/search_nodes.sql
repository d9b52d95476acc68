-- search_nodes: the documents or chunks that answer a query best: ids and ranks, no text and no score.
--
-- search_in summaries: documents, by their title and summary. chunks: chunks, by their text; a document may come several
-- times, chunk is the place in it.
-- mode semantic compares query_embedding with vectors; what has no embedding is not found. bm25 compares the words of
-- query_text: a list of words is ranked by BM25, "a phrase" must be there, -word must not. hybrid takes both, and fuses
-- the first bound('fused') places of each by their ranks (rrf_k); title_hits, for summaries, adds the documents whose title
-- stands in the question as a third list.
-- method exact compares all vectors that the call may see; approximate asks the vector index, and may miss one that is
-- nearer; auto is exact up to bound('exact_rows') visible rows. Each row says which it was. Words are always looked up exactly.
-- rerank keyword takes bound('widening') times as many candidates, and puts those first that have the words of query_text,
-- by BM25. The lists of bm25 and hybrid are by words already: there only with rerank_lexical.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes, vector_chunks for chunks by meaning; lexical_index,
--             lexical_terms and lexical_counts for words
-- Guarantees: at most max_nodes rows, or all there are, and for bm25 all that have one of the words; where vectors are not
--             compared by method approximate the same rows whatever is hidden from the call: by meaning in order of distance
--             (in millionths), by words of score (six digits), by both of the sum of 1 / (rrf_k + rank) (twelve digits) and then
--             of each rank; then document, chunk
-- Errors:     22023, 40001, 42501, KG003
-- Example:    SELECT * FROM docgraph.search_nodes('default', '{}', query_text => 'parental leave', mode => 'bm25');
CREATE OR REPLACE FUNCTION docgraph.search_nodes(
    tenant text, access jsonb, query_embedding double precision[] DEFAULT NULL, query_text text DEFAULT NULL,
    mode text DEFAULT 'semantic', search_in text DEFAULT 'summaries', method text DEFAULT 'auto',
    max_nodes integer DEFAULT 10, rrf_k integer DEFAULT 60, title_hits boolean DEFAULT false, rerank text DEFAULT 'none',
    rerank_lexical boolean DEFAULT false
)
    RETURNS TABLE (rank integer, document_id text, chunk integer, found_by text)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    metric text;
    chosen text := 'exact';
    found record;
BEGIN
    -- For reranking, the text may stand beside a vector in mode semantic, too.
    metric := docgraph.check_query(
        mode, query_embedding, CASE WHEN mode = 'semantic' AND rerank = 'keyword' THEN NULL ELSE query_text END);
    PERFORM docgraph.check_search(search_in, method);
    PERFORM docgraph.check_limit('max_nodes', max_nodes, 'nodes');
    PERFORM docgraph.check_fusion(mode, search_in, rrf_k, title_hits);
    PERFORM docgraph.check_reranking(mode, rerank, rerank_lexical);
    IF query_embedding IS NULL AND mode <> 'bm25' THEN
        RAISE EXCEPTION 'query_embedding must not be null in mode %', mode
            USING ERRCODE = '22023', HINT = 'Embed the question with the model that docgraph.embedding_space() names; '
                                           'for words alone: mode => ''bm25''.';
    END IF;
    IF query_text IS NULL AND (mode = 'bm25' OR rerank = 'keyword') THEN
        RAISE EXCEPTION 'query_text must not be null %', CASE mode WHEN 'bm25' THEN 'in mode bm25' ELSE 'for reranking' END
            USING ERRCODE = '22023', HINT = 'Words are compared: give the question as it was asked.';
    END IF;
    IF query_text IS NOT NULL THEN
        PERFORM docgraph.check_question('query_text', query_text);
    END IF;
    IF mode <> 'bm25' THEN
        chosen := docgraph.choose_method(tenant, visible, search_in, method);
    END IF;
    found := docgraph.find_nodes(
        tenant, visible, query_embedding, metric, query_text, mode, search_in, chosen,
        CASE rerank WHEN 'keyword' THEN docgraph.bound('widening') ELSE 1 END * max_nodes, '{}', rrf_k, title_hits);
    IF rerank = 'keyword' THEN
        found := docgraph.rerank_by_words(tenant, visible, query_text, search_in, found.documents, found.chunks, max_nodes);
    END IF;
    RETURN QUERY
    SELECT r.place::integer, r.document_id, r.chunk, chosen
    FROM ROWS FROM (unnest(found.documents), unnest(found.chunks)) WITH ORDINALITY AS r (document_id, chunk, place)
    ORDER BY r.place;
END
$$;

COMMENT ON FUNCTION docgraph.search_nodes(
    text, jsonb, double precision[], text, text, text, text, integer, integer, boolean, text, boolean
) IS
    'API, reader. The documents or chunks that answer a query best, by meaning, words or both: ids and ranks. '
    'SELECT * FROM docgraph.search_nodes(''default'', ''{}'', query_text => ''parental leave'', mode => ''bm25'');';
REVOKE ALL ON FUNCTION docgraph.search_nodes(
    text, jsonb, double precision[], text, text, text, text, integer, integer, boolean, text, boolean
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.search_nodes(
    text, jsonb, double precision[], text, text, text, text, integer, integer, boolean, text, boolean
) TO docgraph_reader;
