-- type_vectors: gives the vector columns their dimensions. The vectors in them are gone: they were of another space.
--
-- Writes:     alters document_nodes and vector_chunks, drops their vector indexes (ACCESS EXCLUSIVE)
-- Guarantees: index_vectors makes the indexes again
-- Errors:     none for checked dimensions
-- Example:    SELECT docgraph.type_vectors(384);
CREATE OR REPLACE FUNCTION docgraph.type_vectors(dimensions integer) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text;
BEGIN
    IF to_regclass('docgraph.document_nodes_summary_embedding_idx') IS NOT NULL THEN
        DROP INDEX docgraph.document_nodes_summary_embedding_idx;
    END IF;
    IF to_regclass('docgraph.vector_chunks_embedding_idx') IS NOT NULL THEN
        DROP INDEX docgraph.vector_chunks_embedding_idx;
    END IF;
    -- Dynamic SQL: dimensions are part of the type, and the extension's schema differs from server to server. Both
    -- pieces are an identifier and a checked number.
    SELECT n.nspname INTO STRICT home
    FROM pg_extension e
    JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector';
    EXECUTE format(
        'ALTER TABLE docgraph.document_nodes ALTER COLUMN summary_embedding TYPE %I.halfvec(%s) USING NULL',
        home, dimensions);
    EXECUTE format(
        'ALTER TABLE docgraph.vector_chunks ALTER COLUMN embedding TYPE %I.halfvec(%s) USING NULL', home, dimensions);
    -- A change of type takes the storage back to the type's own.
    ALTER TABLE docgraph.document_nodes ALTER COLUMN summary_embedding SET STORAGE MAIN;
    ALTER TABLE docgraph.vector_chunks ALTER COLUMN embedding SET STORAGE MAIN;
END
$$;

COMMENT ON FUNCTION docgraph.type_vectors(integer) IS
    'Core. Gives the vector columns their dimensions; the vectors in them are gone.';
REVOKE ALL ON FUNCTION docgraph.type_vectors(integer) FROM PUBLIC;
