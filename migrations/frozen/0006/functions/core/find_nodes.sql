-- find_nodes: what answers a query best, by meaning, by words or by both, of what a call may see.
--
-- hybrid fuses the first bound('fused') places of each list, whatever is asked for, so that fewer places are the beginning of
-- more; title_hits makes those a list, too. method says how vectors are compared; words are always looked up exactly.
-- Reads:      embedding_space, document_nodes or vector_chunks, lexical_index, lexical_terms, lexical_counts
-- Guarantees: in order; places of them, or all that was found, none of an excluded document; chunks is NULL for summaries
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.find_nodes('default', '{1}', NULL, NULL, 'leave', 'bm25', 'summaries', 'exact', 10, '{}', 60,
--                 false);
CREATE OR REPLACE FUNCTION docgraph.find_nodes(
    tenant text, visible bigint[], query_embedding double precision[], metric text, question text, mode text, search_in text,
    method text, places integer, excluded text[], rrf_k integer, titles boolean, OUT documents text[], OUT chunks integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    by_meaning record;
    by_words record;
BEGIN
    IF mode = 'bm25' THEN
        by_words := docgraph.best_by_words(tenant, visible, question, search_in, places, excluded);
        documents := by_words.documents;
        chunks := by_words.chunks;
        RETURN;
    END IF;
    by_meaning := docgraph.nearest_beside(
        tenant, visible, docgraph.query_vector(query_embedding, metric), metric, search_in, method,
        CASE mode WHEN 'hybrid' THEN docgraph.bound('fused') ELSE places END, excluded);
    documents := by_meaning.documents;
    chunks := by_meaning.chunks;
    IF mode = 'hybrid' THEN
        by_words := docgraph.best_by_words(tenant, visible, question, search_in, docgraph.bound('fused'), excluded);
        by_meaning := docgraph.fuse_ranks(
            documents, chunks, by_words.documents, by_words.chunks,
            CASE WHEN titles THEN docgraph.title_hits(tenant, visible, question, docgraph.bound('fused'), excluded) END, rrf_k);
        documents := by_meaning.documents[:places];
        chunks := CASE WHEN search_in = 'chunks' THEN by_meaning.chunks[:places] END;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.find_nodes(
    text, bigint[], double precision[], text, text, text, text, text, integer, text[], integer, boolean
) IS 'Core. What answers a query best, by meaning, by words or by both, of what a call may see.';
REVOKE ALL ON FUNCTION docgraph.find_nodes(
    text, bigint[], double precision[], text, text, text, text, text, integer, text[], integer, boolean
) FROM PUBLIC;
