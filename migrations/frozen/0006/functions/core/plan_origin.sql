-- plan_origin: how a plan was made, as it says it itself: mode, method, embedding space, and revision of the functions.
--
-- Reads:      embedding_space, alembic_version
-- Guarantees: for mode ids, which searches nothing, search_in and embedding_space are null and the method is exact; for mode
--             bm25, which compares no vectors, embedding_space is null; rrf_k is there for mode hybrid, title_hits where true
-- Errors:     none
-- Example:    SELECT docgraph.plan_origin('ids', NULL, NULL, 60, false);
CREATE OR REPLACE FUNCTION docgraph.plan_origin(
    mode text, search_in text, method text, rrf_k integer, title_hits boolean
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN jsonb_build_object(
        'mode', mode,
        'search_in', CASE WHEN mode <> 'ids' THEN search_in END,
        'method', CASE WHEN mode <> 'ids' THEN method ELSE 'exact' END,
        'embedding_space', CASE WHEN mode NOT IN ('ids', 'bm25') THEN (
            SELECT jsonb_build_object('model', s.model, 'dimensions', s.dimensions, 'metric', s.metric)
            FROM docgraph.embedding_space s
        ) END,
        'revision', (SELECT v.version_num FROM docgraph.alembic_version v)
    ) || CASE WHEN mode = 'hybrid' THEN jsonb_strip_nulls(
        jsonb_build_object('rrf_k', rrf_k, 'title_hits', nullif(title_hits, false))) ELSE '{}' END;
END
$$;

COMMENT ON FUNCTION docgraph.plan_origin(text, text, text, integer, boolean) IS
    'Core. How a plan was made, as it says it itself.';
REVOKE ALL ON FUNCTION docgraph.plan_origin(text, text, text, integer, boolean) FROM PUBLIC;
