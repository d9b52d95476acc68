-- learn_sizes: has the planner look at tables that have begun to fill, once.
--
-- Without statistics it takes every tenant for small, and reads all rows of one for each look-up: a first load of 4,000
-- small documents took eight times as long, until autovacuum came by. Later growth is autovacuum's.
-- Writes:     statistics of document_nodes, vector_chunks, document_names, document_references, document_relationships
-- Guarantees: waits for nobody: a table that is locked against it is left out, and nobody is told
-- Errors:     none
-- Example:    SELECT docgraph.learn_sizes();
CREATE OR REPLACE FUNCTION docgraph.learn_sizes() RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = error
AS $$
BEGIN
    -- More than one page: of a single row it would learn that a tenant has one.
    IF EXISTS (
        SELECT
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'docgraph' AND c.reltuples <= 0
            AND c.relname IN (
                'document_nodes', 'vector_chunks', 'document_names', 'document_references', 'document_relationships')
            AND pg_relation_size(c.oid) > current_setting('block_size')::bigint
    ) THEN
        ANALYZE (SKIP_LOCKED) docgraph.document_nodes, docgraph.vector_chunks, docgraph.document_names,
            docgraph.document_references, docgraph.document_relationships;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.learn_sizes() IS 'Core. Has the planner look at tables that have begun to fill, once.';
REVOKE ALL ON FUNCTION docgraph.learn_sizes() FROM PUBLIC;
