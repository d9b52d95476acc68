-- question_warnings: what a caller should know about a question in words, for the accounting.
--
-- question_without_words: stop words and signs only, or nothing but exclusions: nothing is found by words.
-- Reads:      embedding_space
-- Guarantees: a JSON list, empty where there is no question in words
-- Errors:     none for a checked question
-- Example:    SELECT docgraph.question_warnings('the and of');
CREATE OR REPLACE FUNCTION docgraph.question_warnings(question text) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF question IS NULL OR (docgraph.read_question(question)).words <> '{}' THEN
        RETURN '[]';
    END IF;
    RETURN '["question_without_words"]';
END
$$;

COMMENT ON FUNCTION docgraph.question_warnings(text) IS
    'Core. What a caller should know about a question in words.';
REVOKE ALL ON FUNCTION docgraph.question_warnings(text) FROM PUBLIC;
