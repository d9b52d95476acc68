-- rerank_by_words: candidates of a search in a new order: by their BM25 score for a question, then as they came.
--
-- Nothing comes in and nothing goes: what has none of the words stands last. Phrases and exclusions are no conditions here.
-- Reads:      embedding_space, lexical_terms, lexical_counts, document_nodes, lexical_index
-- Guarantees: the first places of them; chunks is NULL for summaries
-- Errors:     none for a checked question
-- Example:    SELECT * FROM docgraph.rerank_by_words('default', '{1}', 'leave', 'summaries', '{a.md}', NULL, 10);
CREATE OR REPLACE FUNCTION docgraph.rerank_by_words(
    tenant text, visible bigint[], question text, search_in text, among text[], among_chunks integer[], places integer,
    OUT documents text[], OUT chunks integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_chunks constant boolean := search_in = 'chunks';
    asked record;
    weighed record;
    scored record;
BEGIN
    asked := docgraph.read_question(question);
    weighed := docgraph.weigh_words(tenant, visible, in_chunks, asked.words, asked.times);
    scored := docgraph.exact_scores(
        tenant, visible, among, CASE WHEN in_chunks THEN among_chunks ELSE array_fill(-1, ARRAY[cardinality(among)]) END,
        weighed.numbers, weighed.worths, cardinality(among));
    SELECT coalesce(array_agg(r.document_id), '{}'), CASE WHEN in_chunks THEN coalesce(array_agg(r.chunk), '{}') END
    INTO documents, chunks
    FROM (
        SELECT a.document_id, a.chunk
        FROM ROWS FROM (unnest(among), unnest(among_chunks)) WITH ORDINALITY AS a (document_id, chunk, place)
        LEFT JOIN ROWS FROM (unnest(scored.documents), unnest(scored.ordinals), unnest(scored.scores))
            AS s (document_id, ordinal, score) ON s.document_id = a.document_id AND s.ordinal = coalesce(a.chunk, -1)
        ORDER BY coalesce(s.score, 0) DESC, a.place
        LIMIT places
    ) AS r;
END
$$;

COMMENT ON FUNCTION docgraph.rerank_by_words(text, bigint[], text, text, text[], integer[], integer) IS
    'Core. Candidates of a search in a new order: by their BM25 score for a question.';
REVOKE ALL ON FUNCTION docgraph.rerank_by_words(text, bigint[], text, text, text[], integer[], integer) FROM PUBLIC;
