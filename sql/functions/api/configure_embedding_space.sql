-- configure_embedding_space: records the embedding space, types the vector columns, builds their indexes.
--
-- A database holds one space: every vector stored or asked for is of this model and has this many elements.
-- The same values again change nothing. Other values are taken as long as nothing of the old space is stored.
-- Writes:     embedding_space; alters document_nodes and vector_chunks (ACCESS EXCLUSIVE, on empty columns)
-- Guarantees: all or nothing; true if something changed; waits 5 seconds for a lock at most
-- Errors:     22023 for a value out of range, KG001 while vectors or lexical entries are stored,
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
    home text;
BEGIN
    IF docgraph.is_id(model) IS NOT TRUE THEN
        RAISE EXCEPTION 'model must be a text of 1 to % bytes', docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'The name of the embedding model.';
    END IF;
    IF (dimensions BETWEEN 1 AND docgraph.bound('dimensions')) IS NOT TRUE THEN
        RAISE EXCEPTION 'dimensions must be from 1 to %', docgraph.bound('dimensions')
            USING ERRCODE = '22023', HINT = 'The number of elements of the model''s vectors.';
    END IF;
    IF (metric IN ('cosine', 'l2', 'ip')) IS NOT TRUE THEN
        RAISE EXCEPTION 'metric must be cosine, l2 or ip'
            USING ERRCODE = '22023', HINT = 'cosine fits most embedding models.';
    END IF;
    IF NOT EXISTS (
        SELECT
        FROM pg_ts_config c
        JOIN pg_namespace n ON n.oid = c.cfgnamespace
        WHERE text_search IN (
                CASE n.nspname WHEN 'pg_catalog' THEN c.cfgname END,
                quote_ident(n.nspname) || '.' || quote_ident(c.cfgname)
            )
            AND NOT pg_is_other_temp_schema(n.oid) AND n.oid <> pg_my_temp_schema()
    ) THEN
        RAISE EXCEPTION 'text_search must be a text-search configuration of this database'
            USING ERRCODE = '22023',
                  HINT = 'For example english or simple; \dF in psql lists them. Outside pg_catalog: schema.name.';
    END IF;
    IF (average_length BETWEEN 1 AND docgraph.bound('average_length')) IS NOT TRUE THEN
        RAISE EXCEPTION 'average_length must be from 1 to %', docgraph.bound('average_length')
            USING ERRCODE = '22023', HINT = 'Lexemes of an average chunk; 100 if unknown.';
    END IF;

    -- In a stricter level the check below would look at an old snapshot, and miss what was stored since.
    IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE EXCEPTION 'configure_embedding_space must run in a READ COMMITTED transaction'
            USING ERRCODE = '25001', HINT = 'Call it in a transaction of its own.';
    END IF;

    -- One at a time; readers are not kept waiting. Whatever stores vectors locks the row FOR SHARE before it
    -- looks at the space, so that none of the old space arrives after the check below.
    LOCK TABLE docgraph.embedding_space IN SHARE ROW EXCLUSIVE MODE;
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
        OR EXISTS (SELECT FROM docgraph.lexical_index)
    THEN
        RAISE EXCEPTION 'what is stored belongs to another embedding space: model "%", % dimensions, metric %, '
            'text search %, average length %; not model "%", % dimensions, metric %, text search %, average length %',
            recorded.model, recorded.dimensions, recorded.metric, recorded.text_search, recorded.average_length,
            model, dimensions, metric, text_search, average_length
            USING ERRCODE = 'KG001',
                  HINT = 'To move it to another space: docgraph reembed --embedding-model ... --dimensions ...';
    END IF;
    ALTER TABLE docgraph.document_nodes FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.vector_chunks FORCE ROW LEVEL SECURITY;

    -- Dynamic SQL, the one place: dimensions and operator class are part of types and indexes, and the
    -- extension's schema differs from server to server. Every piece is an identifier or a checked number.
    SELECT n.nspname INTO STRICT home
    FROM pg_extension e
    JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector';
    IF to_regclass('docgraph.document_nodes_summary_embedding_idx') IS NOT NULL THEN
        DROP INDEX docgraph.document_nodes_summary_embedding_idx;
    END IF;
    IF to_regclass('docgraph.vector_chunks_embedding_idx') IS NOT NULL THEN
        DROP INDEX docgraph.vector_chunks_embedding_idx;
    END IF;
    EXECUTE format(
        'ALTER TABLE docgraph.document_nodes ALTER COLUMN summary_embedding TYPE %I.halfvec(%s)', home, dimensions);
    EXECUTE format(
        'ALTER TABLE docgraph.vector_chunks ALTER COLUMN embedding TYPE %I.halfvec(%s)', home, dimensions);
    -- A change of type takes the storage back to the type's own.
    ALTER TABLE docgraph.document_nodes ALTER COLUMN summary_embedding SET STORAGE MAIN;
    ALTER TABLE docgraph.vector_chunks ALTER COLUMN embedding SET STORAGE MAIN;
    EXECUTE format(
        'CREATE INDEX document_nodes_summary_embedding_idx ON docgraph.document_nodes '
        'USING hnsw (summary_embedding %I.%I)', home, 'halfvec_' || metric || '_ops');
    EXECUTE format(
        'CREATE INDEX vector_chunks_embedding_idx ON docgraph.vector_chunks '
        'USING hnsw (embedding %I.%I)', home, 'halfvec_' || metric || '_ops');
    COMMENT ON INDEX docgraph.document_nodes_summary_embedding_idx IS 'Approximate search by summary.';
    COMMENT ON INDEX docgraph.vector_chunks_embedding_idx IS 'Approximate search by chunk.';

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
