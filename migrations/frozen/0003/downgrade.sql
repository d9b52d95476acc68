-- Back to 0002, from 0003: Writing documents
-- unresolved_references: relationships whose target is not there yet. They become relationships when it
-- arrives, whatever the order of arrival.
CREATE TABLE docgraph.unresolved_references (
    tenant_id      text COLLATE "C" NOT NULL,
    from_document  text COLLATE "C" NOT NULL,
    relation_type  text COLLATE "C" NOT NULL,
    to_document    text COLLATE "C" NOT NULL,
    declared       boolean NOT NULL,
    inferred       boolean NOT NULL,
    evidence       text,
    CONSTRAINT unresolved_references_pkey PRIMARY KEY (tenant_id, from_document, relation_type, to_document),
    CONSTRAINT unresolved_references_from_fkey FOREIGN KEY (tenant_id, from_document)
        REFERENCES docgraph.document_nodes (tenant_id, document_id) ON DELETE CASCADE,
    CONSTRAINT unresolved_references_no_self_loop CHECK (from_document <> to_document),
    CONSTRAINT unresolved_references_to_document_check CHECK (docgraph.is_id(to_document)),
    CONSTRAINT unresolved_references_relation_type_check CHECK (docgraph.is_id(relation_type)),
    CONSTRAINT unresolved_references_origin_check CHECK (declared OR inferred),
    CONSTRAINT unresolved_references_evidence_check
        CHECK (octet_length(evidence) <= docgraph.bound('evidence_bytes'))
);

COMMENT ON TABLE docgraph.unresolved_references IS 'Relationships that wait for their target.';
COMMENT ON COLUMN docgraph.unresolved_references.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.unresolved_references.from_document IS 'The document that refers.';
COMMENT ON COLUMN docgraph.unresolved_references.relation_type IS 'Kind of relationship.';
COMMENT ON COLUMN docgraph.unresolved_references.to_document IS 'The id that is not there yet.';
COMMENT ON COLUMN docgraph.unresolved_references.declared IS 'A caller declared it.';
COMMENT ON COLUMN docgraph.unresolved_references.inferred IS 'A link in the text says it.';
COMMENT ON COLUMN docgraph.unresolved_references.evidence IS 'The words around the link.';

-- What waits for a document that has just arrived.
CREATE INDEX unresolved_references_to_idx ON docgraph.unresolved_references (tenant_id, to_document);
COMMENT ON INDEX docgraph.unresolved_references_to_idx IS 'References by the id they wait for.';

-- The backstop behind the predicate: rows of the login's tenants only, whatever a function forgets.
-- FORCE binds the owner too. The sub-select makes it an InitPlan: computed once per statement.
ALTER TABLE docgraph.unresolved_references ENABLE ROW LEVEL SECURITY;
ALTER TABLE docgraph.unresolved_references FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_wall ON docgraph.unresolved_references
    USING (tenant_id = ANY ((SELECT docgraph.allowed_tenants())::text[]));
COMMENT ON POLICY tenant_wall ON docgraph.unresolved_references IS 'Only tenants in which the login has a ceiling.';

-- What leads nowhere waits in the older table again.
ALTER TABLE docgraph.document_names NO FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.document_references NO FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.unresolved_references NO FORCE ROW LEVEL SECURITY;
INSERT INTO docgraph.unresolved_references
    (tenant_id, from_document, relation_type, to_document, declared, inferred, evidence)
SELECT r.tenant_id, r.from_document, r.relation_type, r.to_name, r.declared, r.inferred, r.evidence
FROM docgraph.document_references r
WHERE NOT EXISTS (
    SELECT FROM docgraph.document_names n WHERE n.tenant_id = r.tenant_id AND n.name = r.to_name
);
ALTER TABLE docgraph.unresolved_references FORCE ROW LEVEL SECURITY;

DROP FUNCTION docgraph.switch_embedding_space();
DROP FUNCTION docgraph.put_new_vectors(text, jsonb);
DROP FUNCTION docgraph.texts_to_reembed(text[], integer);
DROP FUNCTION docgraph.begin_reembedding(text, integer, text);
DROP FUNCTION docgraph.wal_position();
DROP FUNCTION docgraph.list_relationships(text, jsonb, text, text, text[], integer);
DROP FUNCTION docgraph.list_documents(text, jsonb, text, integer, text);
DROP FUNCTION docgraph.get_document(text, jsonb, text);
DROP FUNCTION docgraph.delete_relationships(text, jsonb, jsonb);
DROP FUNCTION docgraph.put_relationships(text, jsonb, jsonb);
DROP FUNCTION docgraph.set_document_access(text, jsonb, text[], jsonb);
DROP FUNCTION docgraph.delete_documents(text, jsonb, text[]);
DROP FUNCTION docgraph.put_documents(text, jsonb, jsonb, text, text);
DROP FUNCTION docgraph.unchanged_documents(text, jsonb, jsonb, text);
DROP FUNCTION docgraph.finish_ingestion(text, jsonb, text, text, jsonb);
DROP FUNCTION docgraph.begin_ingestion(text, jsonb, text, text);
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
-- api_version: the version of this set of functions, 'major.minor'.
--
-- A client works with the same major and a minor at least its own: a new function raises the minor, a change
-- that an old client would not survive raises the major.
-- Reads:      nothing
-- Errors:     none
-- Example:    SELECT docgraph.api_version();
CREATE OR REPLACE FUNCTION docgraph.api_version() RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '1.0';

COMMENT ON FUNCTION docgraph.api_version() IS
    'API, reader. Version of the functions: same major, at least the client''s minor. '
    'SELECT docgraph.api_version();';
REVOKE ALL ON FUNCTION docgraph.api_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.api_version() TO docgraph_reader;
DROP FUNCTION docgraph.write_references(text, jsonb);
DROP FUNCTION docgraph.write_chunks(text, jsonb, text);
DROP FUNCTION docgraph.waiting_references(text, text[], bigint[]);
DROP FUNCTION docgraph.connect_documents(text, text[], text[]);
DROP FUNCTION docgraph.missing_vector(text, jsonb);
DROP FUNCTION docgraph.compare_documents(text, jsonb, jsonb);
DROP FUNCTION docgraph.is_from_elsewhere(text, text, text);
DROP FUNCTION docgraph.ensure_class(text, text, text, text[], text[], integer);
DROP FUNCTION docgraph.learn_sizes();
DROP FUNCTION docgraph.take_turn(text);
DROP FUNCTION docgraph.check_relationships(text, jsonb, jsonb);
DROP FUNCTION docgraph.check_ingestion(text, text);
DROP FUNCTION docgraph.check_documents(jsonb, integer, text);
DROP FUNCTION docgraph.check_entries(text, jsonb, text, jsonb);
DROP FUNCTION docgraph.check_page(text, integer);
DROP FUNCTION docgraph.check_ids(text, text[]);
DROP FUNCTION docgraph.check_id(text, text);
DROP FUNCTION docgraph.writable_among(text, jsonb, text, text[]);
DROP FUNCTION docgraph.refuse_outside(text);
DROP FUNCTION docgraph.writable_classes(text, jsonb);
DROP FUNCTION docgraph.next_dimensions();
DROP FUNCTION docgraph.unlimited_tenants();
DROP FUNCTION docgraph.index_vectors(text);
DROP FUNCTION docgraph.type_vectors(integer);
DROP FUNCTION docgraph.lock_space();
DROP FUNCTION docgraph.check_space(text, integer, text);
DROP INDEX docgraph.document_references_to_idx;
DROP INDEX docgraph.document_names_name_idx;
DROP TABLE docgraph.next_vectors;
DROP TABLE docgraph.next_embedding_space;
DROP TABLE docgraph.write_turns;
DROP TABLE docgraph.document_references;
DROP TABLE docgraph.document_names;
COMMENT ON COLUMN docgraph.document_nodes.ingestion_id IS 'The run that last changed it.';
ALTER TABLE docgraph.ingestion_requests DROP COLUMN login;
DROP FUNCTION docgraph.same_vector;
DROP FUNCTION docgraph.is_storable(text, integer, text);
DROP FUNCTION docgraph.stored_vector(text, text);
DROP FUNCTION docgraph.given_vector_norm(text);
DROP FUNCTION docgraph.estimated_tokens(text);
DROP FUNCTION docgraph.without(text[], text[]);
DROP FUNCTION docgraph.read_lines(jsonb);
DROP FUNCTION docgraph.read_names(jsonb);
DROP FUNCTION docgraph.keys_in_words(jsonb);
DROP FUNCTION docgraph.kind_in_words(text);
DROP FUNCTION docgraph.fits(jsonb, text);
DROP FUNCTION docgraph.vector_text(jsonb);
DROP FUNCTION docgraph.fits_list(jsonb, text);
DROP FUNCTION docgraph.stored_bytes(text);
DROP FUNCTION docgraph.may_write( text, text, text[], text[], integer, text[], text[], text[], text[], integer );
DROP FUNCTION docgraph.words_digest(text, text[], text);
-- bound: the limits of what callers may pass and store, in one place.
--
-- Functions, CHECKs and error messages read them here. Measure, then change them here.
-- Reads:      nothing
-- Guarantees: an unknown name gives NULL; the tests hold every name in use against this list
-- Errors:     none
-- Example:    SELECT docgraph.bound('id_bytes');
CREATE OR REPLACE FUNCTION docgraph.bound(name text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE name
        WHEN 'id_bytes' THEN 512          -- ids, tags, labels, names: the longest, in bytes
        WHEN 'list_items' THEN 1000       -- entries in one list of a claim or a ceiling
        WHEN 'clearance' THEN 32767       -- the highest clearance level
        WHEN 'dimensions' THEN 4000       -- of an embedding: what an HNSW index on halfvec can hold
        WHEN 'average_length' THEN 1000000  -- lexemes in an average chunk
        WHEN 'evidence_bytes' THEN 4000   -- the words around a link
    END;

COMMENT ON FUNCTION docgraph.bound(text) IS
    'Leaf. A limit by name, for example bound(''id_bytes'').';
REVOKE ALL ON FUNCTION docgraph.bound(text) FROM PUBLIC;
