-- fused_chunks: the chunks of planned documents that fit a question best by words and meaning, per_document of each document.
--
-- Two lists are fused by their ranks: what core functions nearest_chunks and worded_chunks give of bound('fused_of_document') chunks
-- of each document, or of per_document if that is more: the chunk that fits best by both need not be the first by either.
-- Reads:      what they read
-- Guarantees: as they give it, in order of the fusion; distances are places in it; ranked counts the chunks that have a vector or
--             one of the words
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.fused_chunks('default', '{1}', '{a.md,b.md}', '[3,4]', 'cosine', 'parental leave', 60, 3);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.fused_chunks(
    tenant text, visible bigint[], documents text[], query halfvec, metric text, question text, rrf_k integer,
    per_document integer, OUT positions integer[], OUT chunks integer[], OUT places integer[],
    OUT distances double precision[], OUT scores double precision[], OUT ranked integer, OUT of_all integer
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    depth constant integer := greatest(per_document, docgraph.bound('fused_of_document'));
    by_meaning record;
    by_words record;
    fused record;
BEGIN
    by_meaning := docgraph.nearest_chunks(tenant, visible, documents, query, metric, depth);
    by_words := docgraph.worded_chunks(tenant, visible, documents, question, depth, true);
    fused := docgraph.fuse_ranks(
        docgraph.picked(documents, by_meaning.positions), by_meaning.chunks,
        docgraph.picked(documents, by_words.positions), by_words.chunks, NULL, rrf_k);
    ranked := by_words.ranked;
    of_all := by_words.of_all;
    SELECT coalesce(array_agg(l.position ORDER BY l.nth), '{}'), coalesce(array_agg(l.chunk ORDER BY l.nth), '{}'),
        coalesce(array_agg(l.place ORDER BY l.nth), '{}'), coalesce(array_agg(l.nth ORDER BY l.nth), '{}'),
        coalesce(array_agg(l.score ORDER BY l.nth), '{}')
    INTO positions, chunks, places, distances, scores
    FROM (
        SELECT p.position::integer, f.chunk, f.score, f.nth,
            (row_number() OVER (PARTITION BY p.position ORDER BY f.nth))::integer AS place
        FROM ROWS FROM (unnest(fused.documents), unnest(fused.chunks), unnest(fused.scores))
            WITH ORDINALITY AS f (document_id, chunk, score, nth)
        JOIN unnest(documents) WITH ORDINALITY AS p (document_id, position) ON p.document_id = f.document_id
    ) AS l
    WHERE l.place <= per_document;
END
$$;

COMMENT ON FUNCTION docgraph.fused_chunks(text, bigint[], text[], halfvec, text, text, integer, integer) IS
    'Core. The chunks of planned documents that fit a question best by words and meaning.';
REVOKE ALL ON FUNCTION docgraph.fused_chunks(text, bigint[], text[], halfvec, text, text, integer, integer) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
