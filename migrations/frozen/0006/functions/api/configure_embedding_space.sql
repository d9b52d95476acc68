-- configure_embedding_space: records the embedding space, types the vector columns, builds their indexes.
--
-- A database holds one space: every vector stored or asked for is of this model and has this many elements.
-- The same values again change nothing. Other values are taken as long as nothing of the old space is stored.
-- Writes:     embedding_space; alters document_nodes and vector_chunks (ACCESS EXCLUSIVE, on empty columns)
-- Guarantees: all or nothing; true if something changed; waits 5 seconds for a lock at most
-- Errors:     22023 for a value out of range, KG001 while vectors are stored, or lexical entries of other settings,
--             25001 in a transaction whose snapshot is older than the call
-- Example:    SELECT docgraph.configure_embedding_space('my-model', 384, 'cosine', 'english', 100);
CREATE OR REPLACE FUNCTION docgraph.configure_embedding_space(
    model text, dimensions integer, metric text, text_search text, average_length double precision
) RETURNS boolean
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
    SET lock_timeout = '5s'
AS $$
DECLARE
    recorded record;
BEGIN
    PERFORM docgraph.check_space(model, dimensions, metric);
    PERFORM docgraph.check_text_search(text_search);
    IF (average_length BETWEEN 1 AND docgraph.bound('average_length')) IS NOT TRUE THEN
        RAISE EXCEPTION 'average_length must be from 1 to %', docgraph.bound('average_length')
            USING ERRCODE = '22023', HINT = 'Lexemes of an average chunk; 100 if unknown.';
    END IF;

    PERFORM docgraph.lock_space();
    SELECT s.model, s.dimensions, s.metric, s.text_search, s.average_length INTO recorded
    FROM docgraph.embedding_space s;
    IF recorded IS NOT DISTINCT FROM ROW (model, dimensions, metric, text_search, average_length) THEN
        RETURN false;
    END IF;

    -- Row security would hide other tenants' rows from this check, so FORCE is lifted for it, under the
    -- exclusive lock that the change of type needs anyway. An error brings it back with everything else.
    ALTER TABLE docgraph.document_nodes NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.vector_chunks NO FORCE ROW LEVEL SECURITY;
    IF EXISTS (SELECT FROM docgraph.vector_chunks c WHERE c.embedding IS NOT NULL)
        OR EXISTS (SELECT FROM docgraph.document_nodes d WHERE d.summary_embedding IS NOT NULL)
        OR (recorded.text_search, recorded.average_length) IS DISTINCT FROM (text_search, average_length)
            AND EXISTS (SELECT FROM docgraph.lexical_index)
    THEN
        RAISE EXCEPTION 'what is stored belongs to another embedding space: model "%", % dimensions, metric %, '
            'text search %, average length %; not model "%", % dimensions, metric %, text search %, average length %',
            recorded.model, recorded.dimensions, recorded.metric, recorded.text_search, recorded.average_length,
            model, dimensions, metric, text_search, average_length
            USING ERRCODE = 'KG001',
                  HINT = 'To move it to another space: docgraph reembed --embedding-model ... --dimensions ...; for other '
                         'words or another length: docgraph.rebuild_lexical.';
    END IF;
    ALTER TABLE docgraph.document_nodes FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.vector_chunks FORCE ROW LEVEL SECURITY;

    PERFORM docgraph.type_vectors(dimensions);
    PERFORM docgraph.index_vectors(metric);
    INSERT INTO docgraph.embedding_space AS s (model, dimensions, metric, text_search, average_length)
    VALUES (model, dimensions, metric, text_search, average_length)
    ON CONFLICT ON CONSTRAINT embedding_space_pkey DO UPDATE SET
        model = excluded.model, dimensions = excluded.dimensions, metric = excluded.metric,
        text_search = excluded.text_search, average_length = excluded.average_length;
    RETURN true;
END
$$;

COMMENT ON FUNCTION docgraph.configure_embedding_space(text, integer, text, text, double precision) IS
    'API, admin. Records the embedding space, types the vector columns and builds their indexes; true if '
    'something changed. '
    'SELECT docgraph.configure_embedding_space(''my-model'', 384, ''cosine'', ''english'', 100);';
REVOKE ALL ON FUNCTION docgraph.configure_embedding_space(text, integer, text, text, double precision)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.configure_embedding_space(text, integer, text, text, double precision)
    TO docgraph_admin;
