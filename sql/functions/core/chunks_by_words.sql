-- chunks_by_words: the chunks of planned documents that fit a question best by its words, or by words and meaning:
-- per_document of each document.
--
-- By words (bm25) every chunk of them is scored; what a word is worth depends on all chunks that the call may see, so that a
-- chunk has the score that a search gives it. By both (hybrid), the first bound('fused') places of either list, among the
-- chunks of the plan, are fused; the figure of their order is then their place.
-- Reads:      embedding_space, lexical_terms, lexical_counts, document_nodes, lexical_index; vector_chunks for hybrid
-- Guarantees: as core function nearest_chunks gives them, distances being any figures of which less is better; ranked counts
--             those that have one of the words, or a place in one of the lists
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.chunks_by_words(
--                 'default', '{1}', '{a.md,b.md}', NULL, NULL, 'parental leave', 'bm25', 60, 3);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.chunks_by_words(
    tenant text, visible bigint[], documents text[], query halfvec, metric text, question text, chunk_mode text,
    rrf_k integer, per_document integer, OUT positions integer[], OUT chunks integer[], OUT places integer[],
    OUT distances double precision[], OUT scores double precision[], OUT ranked integer, OUT of_all integer
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    fused constant integer := docgraph.bound('fused');
    asked record;
    weighed record;
    by_meaning record;
    scored record;
    merged record;
    found_documents text[];
    found_chunks integer[];
    found_scores double precision[];
BEGIN
    asked := docgraph.read_question(question);
    weighed := docgraph.weigh_words(tenant, visible, true, asked.words, asked.times);
    scored := docgraph.exact_scores(
        tenant, visible, documents, NULL, weighed.numbers, weighed.worths, asked.must, NULL);
    of_all := cardinality(scored.scores);
    ranked := (SELECT count(*) FROM unnest(scored.scores) AS s (score) WHERE s.score > 0);
    found_documents := scored.documents[:ranked];
    found_chunks := scored.ordinals[:ranked];
    found_scores := scored.scores[:ranked];
    IF chunk_mode = 'hybrid' THEN
        by_meaning := docgraph.nearest_chunks(tenant, visible, documents, query, metric, fused);
        merged := docgraph.fuse_ranks(
            ARRAY(
                SELECT documents[m.position] FROM unnest(by_meaning.positions[:fused]) WITH ORDINALITY AS m (position, place)
                ORDER BY m.place),
            by_meaning.chunks[:fused], found_documents[:fused], found_chunks[:fused], NULL, rrf_k);
        ranked := cardinality(merged.documents);
        found_documents := merged.documents;
        found_chunks := merged.chunks;
        found_scores := merged.scores;
    END IF;
    SELECT coalesce(array_agg(l.position ORDER BY l.nth), '{}'), coalesce(array_agg(l.chunk ORDER BY l.nth), '{}'),
        coalesce(array_agg(l.place ORDER BY l.nth), '{}'),
        coalesce(array_agg(CASE chunk_mode WHEN 'hybrid' THEN l.nth ELSE -l.score END ORDER BY l.nth), '{}'),
        coalesce(array_agg(l.score ORDER BY l.nth), '{}')
    INTO positions, chunks, places, distances, scores
    FROM (
        SELECT p.position::integer, f.chunk, f.score, f.nth,
            (row_number() OVER (PARTITION BY p.position ORDER BY f.nth))::integer AS place
        FROM ROWS FROM (unnest(found_documents), unnest(found_chunks), unnest(found_scores))
            WITH ORDINALITY AS f (document_id, chunk, score, nth)
        JOIN unnest(documents) WITH ORDINALITY AS p (document_id, position) ON p.document_id = f.document_id
    ) AS l
    WHERE l.place <= per_document;
END
$$;

COMMENT ON FUNCTION docgraph.chunks_by_words(
    text, bigint[], text[], halfvec, text, text, text, integer, integer
) IS 'Core. The chunks of planned documents that fit a question best by its words, or by words and meaning.';
REVOKE ALL ON FUNCTION docgraph.chunks_by_words(
    text, bigint[], text[], halfvec, text, text, text, integer, integer
) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
