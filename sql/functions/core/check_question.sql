-- check_question: refuses what can be no question in words.
--
-- Blank is a question to which nothing fits.
-- Reads:      embedding_space
-- Errors:     22023, KG003 (no text-search configuration to read it by)
-- Example:    SELECT docgraph.check_question('query_text', 'parental leave');
CREATE OR REPLACE FUNCTION docgraph.check_question(parameter text, question text) RETURNS void
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF (docgraph.stored_bytes(question) <= docgraph.bound('query_bytes')) IS NOT TRUE THEN
        RAISE EXCEPTION '% must be a text of at most % bytes', parameter, docgraph.bound('query_bytes')
            USING ERRCODE = '22023', HINT = 'A question in words, not a whole document.';
    END IF;
    IF NOT EXISTS (SELECT FROM docgraph.embedding_space) THEN
        RAISE EXCEPTION 'this database has no embedding space yet'
            USING ERRCODE = 'KG003', HINT = 'An administrator records one with docgraph.configure_embedding_space.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_question(text, text) IS 'Core. Refuses what can be no question in words (22023, KG003).';
REVOKE ALL ON FUNCTION docgraph.check_question(text, text) FROM PUBLIC;
