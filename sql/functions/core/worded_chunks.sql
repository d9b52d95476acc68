-- worded_chunks: the chunks of planned documents that fit a question best by its words, per_document of each document.
--
-- What a word is worth depends on all chunks that the call may see, so that a chunk has the score that a search gives it.
-- beside_vectors as in core function score_documents.
-- Reads:      embedding_space, lexical_terms, lexical_counts, document_nodes, lexical_index; vector_chunks where beside_vectors
-- Guarantees: as core function nearest_chunks, in order of score (six digits), document, chunk; distances are scores below zero;
--             ranked counts the chunks that have one of the words and match what the question demands, and where
--             beside_vectors those that have a vector
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.worded_chunks('default', '{1}', '{a.md,b.md}', 'parental leave', 3, false);
CREATE OR REPLACE FUNCTION docgraph.worded_chunks(
    tenant text, visible bigint[], documents text[], question text, per_document integer, beside_vectors boolean,
    OUT positions integer[], OUT chunks integer[], OUT places integer[], OUT distances double precision[],
    OUT scores double precision[], OUT ranked integer, OUT of_all integer
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    asked record;
    weighed record;
    good record;
    scored record;
BEGIN
    asked := docgraph.read_question(question);
    weighed := docgraph.weigh_words(tenant, visible, true, asked.words, asked.times);
    good := docgraph.score_documents(
        tenant, visible, documents, docgraph.sparse(docgraph.weights_text(weighed.numbers, weighed.worths)), asked.must,
        per_document, docgraph.sum_rounding(cardinality(weighed.known)), beside_vectors);
    scored := docgraph.exact_scores(
        tenant, visible, good.documents, good.ordinals, weighed.numbers, weighed.worths, cardinality(good.documents));
    ranked := good.of_all - good.unranked;
    of_all := good.of_all;
    SELECT coalesce(array_agg(l.position ORDER BY l.nth), '{}'), coalesce(array_agg(l.ordinal ORDER BY l.nth), '{}'),
        coalesce(array_agg(l.place ORDER BY l.nth), '{}'), coalesce(array_agg(-l.score ORDER BY l.nth), '{}'),
        coalesce(array_agg(l.score ORDER BY l.nth), '{}')
    INTO positions, chunks, places, distances, scores
    FROM (
        SELECT p.position::integer, s.ordinal, s.score, s.nth,
            (row_number() OVER (PARTITION BY p.position ORDER BY s.nth))::integer AS place
        FROM ROWS FROM (unnest(scored.documents), unnest(scored.ordinals), unnest(scored.scores))
            WITH ORDINALITY AS s (document_id, ordinal, score, nth)
        JOIN unnest(documents) WITH ORDINALITY AS p (document_id, position) ON p.document_id = s.document_id
    ) AS l
    WHERE l.place <= per_document;
END
$$;

COMMENT ON FUNCTION docgraph.worded_chunks(text, bigint[], text[], text, integer, boolean) IS
    'Core. The chunks of planned documents that fit a question best by its words.';
REVOKE ALL ON FUNCTION docgraph.worded_chunks(text, bigint[], text[], text, integer, boolean) FROM PUBLIC;
