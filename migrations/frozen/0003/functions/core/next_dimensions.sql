-- next_dimensions: the dimensions of the next embedding space.
--
-- Reads:      next_embedding_space
-- Errors:     22023 without begin_reembedding
-- Example:    SELECT docgraph.next_dimensions();
CREATE OR REPLACE FUNCTION docgraph.next_dimensions() RETURNS integer
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    found_dimensions constant integer := (SELECT n.dimensions FROM docgraph.next_embedding_space n);
BEGIN
    IF found_dimensions IS NULL THEN
        RAISE EXCEPTION 'this database is not being moved to another embedding space'
            USING ERRCODE = '22023', HINT = 'Call docgraph.begin_reembedding first.';
    END IF;
    RETURN found_dimensions;
END
$$;

COMMENT ON FUNCTION docgraph.next_dimensions() IS
    'Core. The dimensions of the next embedding space; 22023 without begin_reembedding.';
REVOKE ALL ON FUNCTION docgraph.next_dimensions() FROM PUBLIC;
