-- check_space: refuses what can be no embedding space.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_space('my-model', 384, 'cosine');
CREATE OR REPLACE FUNCTION docgraph.check_space(model text, dimensions integer, metric text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF docgraph.is_id(model) IS NOT TRUE THEN
        RAISE EXCEPTION 'model must be a text of 1 to % bytes', docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'The name of the embedding model.';
    END IF;
    IF (dimensions BETWEEN 1 AND docgraph.bound('dimensions')) IS NOT TRUE THEN
        RAISE EXCEPTION 'dimensions must be from 1 to %', docgraph.bound('dimensions')
            USING ERRCODE = '22023', HINT = 'The number of elements of the model''s vectors.';
    END IF;
    IF (metric IN ('cosine', 'l2', 'ip')) IS NOT TRUE THEN
        RAISE EXCEPTION 'metric must be cosine, l2 or ip'
            USING ERRCODE = '22023', HINT = 'cosine fits most embedding models.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_space(text, integer, text) IS 'Core. Refuses what can be no embedding space (22023).';
REVOKE ALL ON FUNCTION docgraph.check_space(text, integer, text) FROM PUBLIC;
