-- check_reranking: refuses what can be no way of reranking.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_reranking('semantic', 'keyword', false);
CREATE OR REPLACE FUNCTION docgraph.check_reranking(mode text, rerank text, rerank_lexical boolean) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM docgraph.check_choice('rerank', rerank, ARRAY['none', 'keyword']);
    IF rerank_lexical IS NULL THEN
        RAISE EXCEPTION 'rerank_lexical must be true or false'
            USING ERRCODE = '22023', HINT = 'Leave it out for false.';
    END IF;
    IF rerank <> 'none' AND mode <> 'semantic' AND NOT rerank_lexical THEN
        RAISE EXCEPTION 'rerank must be none in mode %', mode
            USING ERRCODE = '22023', HINT = 'What this mode finds is in order of words already. To rerank it nevertheless: '
                                           'rerank_lexical => true.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_reranking(text, text, boolean) IS 'Core. Refuses what can be no way of reranking (22023).';
REVOKE ALL ON FUNCTION docgraph.check_reranking(text, text, boolean) FROM PUBLIC;
