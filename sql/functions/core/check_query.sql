-- check_query: refuses what can be no query: a mode, a vector or a text that do not go together.
--
-- semantic compares vectors, bm25 words, hybrid both. A query that is not there at all passes.
-- Reads:      embedding_space
-- Guarantees: what passes in a mode that compares vectors is a vector of this database's space; gives its metric,
--             NULL where no vector is given
-- Errors:     22023, KG003 (no embedding space to compare in)
-- Example:    SELECT docgraph.check_query('semantic', '{3,4}', NULL);
CREATE OR REPLACE FUNCTION docgraph.check_query(mode text, query_embedding double precision[], query_text text)
    RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM docgraph.check_mode('mode', mode);
    IF mode = 'semantic' AND query_text IS NOT NULL THEN
        RAISE EXCEPTION 'query_text must be null in mode %', mode
            USING ERRCODE = '22023', HINT = 'This mode compares vectors: embed the text, and give query_embedding.';
    END IF;
    IF mode = 'bm25' AND query_embedding IS NOT NULL THEN
        RAISE EXCEPTION 'query_embedding must be null in mode %', mode
            USING ERRCODE = '22023', HINT = 'This mode compares words: give query_text alone. hybrid takes both.';
    END IF;
    IF mode = 'hybrid' AND (query_embedding IS NULL) <> (query_text IS NULL) THEN
        RAISE EXCEPTION '% must not be null in mode %',
            CASE WHEN query_text IS NULL THEN 'query_text' ELSE 'query_embedding' END, mode
            USING ERRCODE = '22023', HINT = 'This mode compares words and vectors: give the question as both.';
    END IF;
    IF query_text IS NOT NULL THEN
        PERFORM docgraph.check_question('query_text', query_text);
    END IF;
    IF query_embedding IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN docgraph.check_vector('query_embedding', query_embedding);
END
$$;

COMMENT ON FUNCTION docgraph.check_query(text, double precision[], text) IS
    'Core. Refuses what can be no query (22023, KG003); the metric of its vector.';
REVOKE ALL ON FUNCTION docgraph.check_query(text, double precision[], text) FROM PUBLIC;
