-- finish_ingestion: closes a run, with what it did.
--
-- Reads:      access_grants, access_classes, document_nodes, document_references, document_names
-- Writes:     ingestion_requests, write_turns
-- Guarantees: a run that has ended takes no documents until begin_ingestion opens it again; closing it twice is no
--             error; gives {"waiting": n}, the references without a document in sight, of the visible documents of the run
-- Errors:     22023, 40001, 42501, KG003
-- Example:    SELECT docgraph.finish_ingestion('default', '{}', 'nightly', 'finished', '{"added": 3}');
CREATE OR REPLACE FUNCTION docgraph.finish_ingestion(
    tenant text, access jsonb, ingestion text, state text, report jsonb
) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible bigint[];
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    IF (state IN ('finished', 'failed')) IS NOT TRUE THEN
        RAISE EXCEPTION 'state must be finished or failed'
            USING ERRCODE = '22023', HINT = 'A run that is neither is still running.';
    END IF;
    IF (docgraph.fits(report, 'object')) IS NOT TRUE THEN
        RAISE EXCEPTION 'report must be %', docgraph.kind_in_words('object')
            USING ERRCODE = '22023', HINT = 'For example {"added": 3}.';
    END IF;
    PERFORM docgraph.take_turn(tenant);
    UPDATE docgraph.ingestion_requests i
    SET state = finish_ingestion.state, finished_at = now(), report = finish_ingestion.report
    WHERE i.tenant_id = tenant AND i.ingestion_id = ingestion AND i.login = session_user;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'ingestion must be one that this login has begun'
            USING ERRCODE = '22023', HINT = 'Call docgraph.begin_ingestion first.';
    END IF;
    visible := docgraph.visible_classes(tenant, access);
    RETURN jsonb_build_object('waiting', (
        SELECT count(*)
        FROM docgraph.document_nodes d
        JOIN docgraph.document_references r ON r.tenant_id = tenant AND r.from_document = d.document_id
        WHERE d.tenant_id = tenant AND d.ingestion_id = ingestion AND d.access_class = ANY (visible)
            AND NOT EXISTS (
                SELECT
                FROM docgraph.document_names n
                JOIN docgraph.document_nodes t ON t.tenant_id = tenant AND t.document_id = n.document_id
                WHERE n.tenant_id = tenant AND n.name = r.to_name AND t.access_class = ANY (visible)
            )
    ));
END
$$;

COMMENT ON FUNCTION docgraph.finish_ingestion(text, jsonb, text, text, jsonb) IS
    'API, writer. Closes a run as finished or failed, with what it did. '
    'SELECT docgraph.finish_ingestion(''default'', ''{}'', ''nightly'', ''finished'', ''{"added": 3}'');';
REVOKE ALL ON FUNCTION docgraph.finish_ingestion(text, jsonb, text, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.finish_ingestion(text, jsonb, text, text, jsonb) TO docgraph_writer;
