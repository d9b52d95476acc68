-- switch_embedding_space: makes the next embedding space the one in use, in one step.
--
-- Documents, links and access stay as they are. While it runs, readers and writers wait: it exchanges every vector
-- and builds the vector indexes.
-- Writes:     embedding_space, next_embedding_space, next_vectors; rewrites document_nodes and vector_chunks
--             (ACCESS EXCLUSIVE)
-- Guarantees: all or nothing; afterwards every text that had a vector has a new one; waits 5 seconds for a lock at most
-- Errors:     22023 without begin_reembedding, 25001, KG004 while texts have no new vector
-- Example:    SELECT docgraph.switch_embedding_space();
CREATE OR REPLACE FUNCTION docgraph.switch_embedding_space() RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
    SET lock_timeout = '5s'
AS $$
DECLARE
    next_space record;
BEGIN
    PERFORM docgraph.lock_space();
    PERFORM docgraph.next_dimensions();
    SELECT n.model, n.dimensions, n.metric INTO next_space FROM docgraph.next_embedding_space n;
    LOCK TABLE docgraph.document_nodes, docgraph.vector_chunks, docgraph.next_vectors IN ACCESS EXCLUSIVE MODE;
    -- Every tenant's rows count, also those that row security would hide from this login. An error brings FORCE back
    -- with everything else.
    ALTER TABLE docgraph.document_nodes NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.vector_chunks NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.next_vectors NO FORCE ROW LEVEL SECURITY;
    IF EXISTS (
        SELECT FROM docgraph.document_nodes d
        WHERE d.summary_embedding IS NOT NULL AND NOT EXISTS (
            SELECT FROM docgraph.next_vectors v
            WHERE v.tenant_id = d.tenant_id AND v.document_id = d.document_id AND v.ordinal = -1
                AND v.digest = docgraph.words_digest('', '{}', d.summary))
    ) OR EXISTS (
        SELECT FROM docgraph.vector_chunks c
        JOIN docgraph.document_nodes d ON d.tenant_id = c.tenant_id AND d.document_id = c.document_id
        WHERE c.embedding IS NOT NULL AND NOT EXISTS (
            SELECT FROM docgraph.next_vectors v
            WHERE v.tenant_id = c.tenant_id AND v.document_id = c.document_id AND v.ordinal = c.ordinal
                AND v.digest = docgraph.words_digest(d.title, c.section_path, c.text))
    ) THEN
        RAISE EXCEPTION 'not every text has a vector of the next embedding space yet'
            USING ERRCODE = 'KG004',
                  HINT = 'Go on with texts_to_reembed and put_new_vectors. It shows texts of tenants in which the login '
                         'may see everything; those of other tenants need a login that may.';
    END IF;
    -- What had no vector gets none.
    DELETE FROM docgraph.next_vectors v
    WHERE v.ordinal = -1 AND NOT EXISTS (
            SELECT FROM docgraph.document_nodes d
            WHERE d.tenant_id = v.tenant_id AND d.document_id = v.document_id AND d.summary_embedding IS NOT NULL)
        OR v.ordinal >= 0 AND NOT EXISTS (
            SELECT FROM docgraph.vector_chunks c
            WHERE c.tenant_id = v.tenant_id AND c.document_id = v.document_id AND c.ordinal = v.ordinal
                AND c.embedding IS NOT NULL);
    PERFORM docgraph.type_vectors(next_space.dimensions);
    UPDATE docgraph.document_nodes d SET summary_embedding = v.embedding
    FROM docgraph.next_vectors v
    WHERE v.tenant_id = d.tenant_id AND v.document_id = d.document_id AND v.ordinal = -1;
    UPDATE docgraph.vector_chunks c SET embedding = v.embedding
    FROM docgraph.next_vectors v
    WHERE v.tenant_id = c.tenant_id AND v.document_id = c.document_id AND v.ordinal = c.ordinal;
    PERFORM docgraph.index_vectors(next_space.metric);
    UPDATE docgraph.embedding_space SET
        model = next_space.model, dimensions = next_space.dimensions, metric = next_space.metric;
    TRUNCATE docgraph.next_vectors;
    DELETE FROM docgraph.next_embedding_space;
    ALTER TABLE docgraph.document_nodes FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.vector_chunks FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.next_vectors FORCE ROW LEVEL SECURITY;
END
$$;

COMMENT ON FUNCTION docgraph.switch_embedding_space() IS
    'API, admin. Makes the next embedding space the one in use; readers and writers wait meanwhile. '
    'SELECT docgraph.switch_embedding_space();';
REVOKE ALL ON FUNCTION docgraph.switch_embedding_space() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.switch_embedding_space() TO docgraph_admin;
