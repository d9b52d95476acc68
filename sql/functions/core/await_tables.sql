-- await_tables: waits for those who make the tables of documents anew, rebuild_lexical and switch_embedding_space.
--
-- document_nodes is the first table of documents that they lock, and by this the first that a reader does: neither has what the other waits
-- for. To a snapshot from before, tables that were made anew are empty: there is an error in place of such an answer.
-- The settings leave no other way to pg_class than its index, and no workers.
-- Reads:      pg_class; locks document_nodes as a reader does, and reads nothing of it
-- Guarantees: what is read afterwards in this snapshot is whole
-- Errors:     40001 where tables were made anew since the snapshot was taken
-- Example:    SELECT docgraph.await_tables();
CREATE OR REPLACE FUNCTION docgraph.await_tables() RETURNS void
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_indexscan = on
    SET enable_bitmapscan = off
    SET max_parallel_workers_per_gather = 0
    SET jit = off
AS $$
BEGIN
    PERFORM FROM docgraph.document_nodes LIMIT 0;
    IF EXISTS (
        SELECT FROM pg_class c
        WHERE c.relname IN ('document_nodes', 'vector_chunks', 'lexical_index', 'lexical_terms', 'lexical_counts')
            AND c.relnamespace = 'docgraph'::regnamespace AND c.relfilenode <> pg_relation_filenode(c.oid)
    ) THEN
        RAISE EXCEPTION 'the tables were made anew while this call waited, or since its transaction began'
            USING ERRCODE = '40001', HINT = 'Make the call again, in a new transaction.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.await_tables() IS 'Core. Waits for those who make the tables of documents anew (40001).';
REVOKE ALL ON FUNCTION docgraph.await_tables() FROM PUBLIC;
