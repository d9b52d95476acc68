-- check_evidence: refuses what evidence cannot be asked for: a question, how it is compared, and a way of choosing chunks.
--
-- Reads:      embedding_space
-- Guarantees: gives the metric in which vectors are compared; NULL where words alone are
-- Errors:     22023, KG003
-- Example:    SELECT docgraph.check_evidence('{3,4}', NULL, 'semantic', 60, 10, 3, 0.4, 'similarity');
CREATE OR REPLACE FUNCTION docgraph.check_evidence(
    query_embedding double precision[], query_text text, chunk_mode text, rrf_k integer, max_chunks integer,
    per_document integer, reserve numeric, selection text
) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    metric text;
BEGIN
    PERFORM docgraph.check_mode('chunk_mode', chunk_mode);
    metric := docgraph.check_query(chunk_mode, query_embedding, query_text);
    IF metric IS NULL AND chunk_mode <> 'bm25' THEN
        RAISE EXCEPTION 'query_embedding must not be null'
            USING ERRCODE = '22023',
                  HINT = 'Chunks are chosen by their distance to it. docgraph.embedding_space() names the model.';
    END IF;
    IF query_text IS NULL AND chunk_mode = 'bm25' THEN
        RAISE EXCEPTION 'query_text must not be null in mode bm25'
            USING ERRCODE = '22023', HINT = 'Chunks are chosen by its words: give the question as it was asked.';
    END IF;
    PERFORM docgraph.check_fusion(chunk_mode, 'chunks', rrf_k, false);
    PERFORM docgraph.check_choosing(max_chunks, per_document, reserve, selection);
    RETURN metric;
END
$$;

COMMENT ON FUNCTION docgraph.check_evidence(
    double precision[], text, text, integer, integer, integer, numeric, text
) IS 'Core. Refuses what evidence cannot be asked for (22023, KG003); the metric of the query.';
REVOKE ALL ON FUNCTION docgraph.check_evidence(
    double precision[], text, text, integer, integer, integer, numeric, text
) FROM PUBLIC;
