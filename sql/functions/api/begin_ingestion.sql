-- begin_ingestion: opens a run that brings documents in, or takes it up again.
--
-- The caller chooses the id: the same one again continues the run, whatever became of it. source says in words where
-- the documents come from; a later run of the same source can prune what has vanished from it. A run keeps its source:
-- else its documents would move to another one, and be pruned with that.
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
    PERFORM docgraph.check_id('ingestion', ingestion);
    IF (octet_length(source) <= docgraph.bound('line_bytes')) IS NOT TRUE THEN
        RAISE EXCEPTION 'source must be a text of at most % bytes', docgraph.bound('line_bytes')
            USING ERRCODE = '22023', HINT = 'Where the documents come from: a folder, an address.';
    END IF;
    PERFORM docgraph.take_turn(tenant);
    INSERT INTO docgraph.ingestion_requests AS i (tenant_id, ingestion_id, source, login)
    VALUES (tenant, ingestion, source, session_user)
    ON CONFLICT ON CONSTRAINT ingestion_requests_pkey DO UPDATE SET
        state = 'running', finished_at = NULL
    WHERE i.login = session_user AND i.source = excluded.source;
    IF NOT FOUND THEN
        IF EXISTS (
            SELECT FROM docgraph.ingestion_requests i
            WHERE i.tenant_id = tenant AND i.ingestion_id = ingestion AND i.login = session_user
        ) THEN
            RAISE EXCEPTION 'source must be the one that the ingestion was begun with'
                USING ERRCODE = '22023', HINT = 'Choose another id for a run of another source.';
        END IF;
        PERFORM docgraph.refuse_outside('ingestion');
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.begin_ingestion(text, jsonb, text, text) IS
    'API, writer. Opens a run that brings documents in, or takes it up again. '
    'SELECT docgraph.begin_ingestion(''default'', ''{}'', ''nightly'', ''/srv/handbook'');';
REVOKE ALL ON FUNCTION docgraph.begin_ingestion(text, jsonb, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.begin_ingestion(text, jsonb, text, text) TO docgraph_writer;
