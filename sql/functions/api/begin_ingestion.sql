-- begin_ingestion: opens a run that brings documents in, or takes it up again.
--
-- The caller chooses the id: the same one again continues the run, whatever became of it. source says in words where
-- the documents come from; a later run of the same source can prune what has vanished from it.
-- Writes:     ingestion_requests, write_turns
-- Guarantees: the run is open afterwards
-- Errors:     22023, 42501 (no ceiling in the tenant; or another login has begun a run of that id), KG003
-- Example:    SELECT docgraph.begin_ingestion('default', '{}', 'nightly', '/srv/handbook');
CREATE OR REPLACE FUNCTION docgraph.begin_ingestion(tenant text, access jsonb, ingestion text, source text)
    RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    IF docgraph.is_id(ingestion) IS NOT TRUE THEN
        RAISE EXCEPTION 'ingestion must be a text of 1 to % bytes', docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'A name of the run, of your choice.';
    END IF;
    IF (octet_length(source) <= docgraph.bound('line_bytes')) IS NOT TRUE THEN
        RAISE EXCEPTION 'source must be a text of at most % bytes', docgraph.bound('line_bytes')
            USING ERRCODE = '22023', HINT = 'Where the documents come from: a folder, an address.';
    END IF;
    PERFORM docgraph.take_turn(tenant);
    INSERT INTO docgraph.ingestion_requests AS i (tenant_id, ingestion_id, source, login)
    VALUES (tenant, ingestion, source, session_user)
    ON CONFLICT ON CONSTRAINT ingestion_requests_pkey DO UPDATE SET
        source = excluded.source, state = 'running', finished_at = NULL
    WHERE i.login = session_user;
    IF NOT FOUND THEN
        PERFORM docgraph.refuse_outside('ingestion');
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.begin_ingestion(text, jsonb, text, text) IS
    'API, writer. Opens a run that brings documents in, or takes it up again. '
    'SELECT docgraph.begin_ingestion(''default'', ''{}'', ''nightly'', ''/srv/handbook'');';
REVOKE ALL ON FUNCTION docgraph.begin_ingestion(text, jsonb, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.begin_ingestion(text, jsonb, text, text) TO docgraph_writer;
