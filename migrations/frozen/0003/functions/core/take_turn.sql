-- take_turn: makes this transaction the only one that writes in a tenant, until it ends.
--
-- Under READ COMMITTED a second writer waits, and then sees what the first one wrote. In a stricter level it gets a
-- serialization failure (40001) instead of working on an old snapshot.
-- Writes:     write_turns
-- Guarantees: no vector of another embedding space can arrive before the transaction ends
-- Errors:     KG003 before configure_embedding_space
-- Example:    SELECT * FROM docgraph.take_turn('default');
CREATE OR REPLACE FUNCTION docgraph.take_turn(tenant text)
    RETURNS TABLE (model text, dimensions integer, metric text)
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- The tables before the row: configure_embedding_space takes them in this order, too.
    LOCK TABLE docgraph.document_nodes, docgraph.vector_chunks IN ROW EXCLUSIVE MODE;
    SELECT s.model, s.dimensions, s.metric INTO model, dimensions, metric FROM docgraph.embedding_space s FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this database has no embedding space yet'
            USING ERRCODE = 'KG003',
                  HINT = 'Run docgraph init, or docgraph.configure_embedding_space as an administrator.';
    END IF;
    INSERT INTO docgraph.write_turns AS w (tenant_id) VALUES (tenant)
    ON CONFLICT ON CONSTRAINT write_turns_pkey DO UPDATE SET turn = w.turn + 1;
    RETURN NEXT;
END
$$;

COMMENT ON FUNCTION docgraph.take_turn(text) IS
    'Core. Makes this transaction the only writer in a tenant; the embedding space to write for.';
REVOKE ALL ON FUNCTION docgraph.take_turn(text) FROM PUBLIC;
