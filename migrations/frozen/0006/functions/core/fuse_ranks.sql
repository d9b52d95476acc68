-- fuse_ranks: one order out of two or three: reciprocal rank fusion.
--
-- Each list gives a place in it 1 / (rrf_k + place); what stands in several lists has the sum. A list that is not there is
-- NULL. Chunks are NULL where documents are ranked.
-- Reads:      nothing
-- Guarantees: in order of the sum (12 digits, as numeric), then of the place by meaning, by words and by title (absent is
--             last), then document and chunk
-- Errors:     none
-- Example:    SELECT * FROM docgraph.fuse_ranks('{a,b}', NULL, '{b,c}', NULL, NULL, 60);
CREATE OR REPLACE FUNCTION docgraph.fuse_ranks(
    by_meaning text[], meaning_chunks integer[], by_words text[], words_chunks integer[], by_title text[], rrf_k integer,
    OUT documents text[], OUT chunks integer[], OUT scores double precision[]
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    SELECT coalesce(array_agg(f.document_id), '{}'), array_agg(f.chunk), coalesce(array_agg(f.score), '{}')
    INTO documents, chunks, scores
    FROM (
        SELECT l.document_id, l.chunk,
            round(coalesce(1::numeric / (rrf_k + min(l.meaning)), 0) + coalesce(1::numeric / (rrf_k + min(l.words)), 0)
                + coalesce(1::numeric / (rrf_k + min(l.title)), 0), 12) AS score
        FROM (
            SELECT m.document_id, m.chunk, m.place AS meaning, NULL::bigint AS words, NULL::bigint AS title
            FROM ROWS FROM (unnest(by_meaning), unnest(meaning_chunks)) WITH ORDINALITY AS m (document_id, chunk, place)
            UNION ALL
            SELECT w.document_id, w.chunk, NULL, w.place, NULL
            FROM ROWS FROM (unnest(by_words), unnest(words_chunks)) WITH ORDINALITY AS w (document_id, chunk, place)
            UNION ALL
            SELECT t.document_id, NULL, NULL, NULL, t.place
            FROM unnest(by_title) WITH ORDINALITY AS t (document_id, place)
        ) AS l
        GROUP BY l.document_id, l.chunk
        ORDER BY 3 DESC, min(l.meaning), min(l.words), min(l.title), l.document_id COLLATE "C", l.chunk
    ) AS f;
END
$$;

COMMENT ON FUNCTION docgraph.fuse_ranks(text[], integer[], text[], integer[], text[], integer) IS
    'Core. One order out of two or three: reciprocal rank fusion.';
REVOKE ALL ON FUNCTION docgraph.fuse_ranks(text[], integer[], text[], integer[], text[], integer) FROM PUBLIC;
