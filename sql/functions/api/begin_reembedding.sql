-- begin_reembedding: says to which embedding space the database shall move, or takes such a move up again.
--
-- Then: texts_to_reembed, put_new_vectors, until there is nothing left; and switch_embedding_space. The old space serves
-- readers and writers until the switch. Another target than before starts from nothing.
-- Writes:     next_embedding_space, next_vectors
-- Guarantees: vectors that were made for the same target are kept
-- Errors:     22023, 25001, KG003
-- Example:    SELECT docgraph.begin_reembedding('other-model', 768, 'cosine');
CREATE OR REPLACE FUNCTION docgraph.begin_reembedding(model text, dimensions integer, metric text) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
    SET lock_timeout = '5s'
AS $$
BEGIN
    PERFORM docgraph.check_space(model, dimensions, metric);
    PERFORM docgraph.lock_space();
    IF NOT EXISTS (SELECT FROM docgraph.embedding_space) THEN
        RAISE EXCEPTION 'this database has no embedding space yet'
            USING ERRCODE = 'KG003', HINT = 'Nothing has to be moved: call docgraph.configure_embedding_space.';
    END IF;
    IF EXISTS (
        SELECT FROM docgraph.next_embedding_space n
        WHERE (n.model, n.dimensions, n.metric)
            = (begin_reembedding.model, begin_reembedding.dimensions, begin_reembedding.metric)
    ) THEN
        RETURN;
    END IF;
    DELETE FROM docgraph.next_embedding_space;
    TRUNCATE docgraph.next_vectors;
    INSERT INTO docgraph.next_embedding_space (model, dimensions, metric) VALUES (model, dimensions, metric);
END
$$;

COMMENT ON FUNCTION docgraph.begin_reembedding(text, integer, text) IS
    'API, admin. Says to which embedding space the database shall move; the old one serves until the switch. '
    'SELECT docgraph.begin_reembedding(''other-model'', 768, ''cosine'');';
REVOKE ALL ON FUNCTION docgraph.begin_reembedding(text, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.begin_reembedding(text, integer, text) TO docgraph_admin;
