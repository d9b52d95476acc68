-- check_fusion: refuses what can be no way of fusing ranks.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_fusion('hybrid', 'summaries', 60, true);
CREATE OR REPLACE FUNCTION docgraph.check_fusion(mode text, search_in text, rrf_k integer, title_hits boolean)
    RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF (rrf_k BETWEEN 1 AND docgraph.bound('rrf_k')) IS NOT TRUE THEN
        RAISE EXCEPTION 'rrf_k must be from 1 to %', docgraph.bound('rrf_k')
            USING ERRCODE = '22023', HINT = '60 is usual: the lower, the more the first places of a list count.';
    END IF;
    IF title_hits IS NULL THEN
        RAISE EXCEPTION 'title_hits must be true or false'
            USING ERRCODE = '22023', HINT = 'Leave it out for false.';
    END IF;
    IF title_hits AND (mode <> 'hybrid' OR search_in <> 'summaries') THEN
        RAISE EXCEPTION 'title_hits must be false but for mode hybrid in summaries'
            USING ERRCODE = '22023', HINT = 'It is a third list to fuse: add mode => ''hybrid'', or leave it out.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_fusion(text, text, integer, boolean) IS
    'Core. Refuses what can be no way of fusing ranks (22023).';
REVOKE ALL ON FUNCTION docgraph.check_fusion(text, text, integer, boolean) FROM PUBLIC;
