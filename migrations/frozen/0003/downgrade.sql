-- Back to 0002, from 0003: Writing documents
DROP FUNCTION docgraph.wal_position();
DROP FUNCTION docgraph.list_relationships(text, jsonb, text, text, text[], integer);
DROP FUNCTION docgraph.list_documents(text, jsonb, text, integer, text);
DROP FUNCTION docgraph.get_document(text, jsonb, text);
DROP FUNCTION docgraph.delete_relationships(text, jsonb, jsonb);
DROP FUNCTION docgraph.put_relationships(text, jsonb, jsonb);
DROP FUNCTION docgraph.set_document_access(text, jsonb, text[], jsonb);
DROP FUNCTION docgraph.delete_documents(text, jsonb, text[]);
DROP FUNCTION docgraph.put_documents(text, jsonb, jsonb, text);
DROP FUNCTION docgraph.unchanged_documents(text, jsonb, jsonb, text);
DROP FUNCTION docgraph.finish_ingestion(text, jsonb, text, text, jsonb);
DROP FUNCTION docgraph.begin_ingestion(text, jsonb, text, text);
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
DROP INDEX docgraph.document_references_to_idx;
DROP INDEX docgraph.document_names_name_idx;
DROP TABLE docgraph.write_turns;
DROP TABLE docgraph.document_references;
DROP TABLE docgraph.document_names;
ALTER TABLE docgraph.ingestion_requests DROP COLUMN login;
DROP FUNCTION docgraph.same_vector;
DROP FUNCTION docgraph.stored_vector(text, text);
DROP FUNCTION docgraph.given_vector_norm(text);
DROP FUNCTION docgraph.estimated_tokens(text);
DROP FUNCTION docgraph.without(text[], text[]);
DROP FUNCTION docgraph.read_lines(jsonb);
DROP FUNCTION docgraph.read_names(jsonb);
DROP FUNCTION docgraph.keys_in_words(jsonb);
DROP FUNCTION docgraph.kind_in_words(text);
DROP FUNCTION docgraph.fits(jsonb, text);
DROP FUNCTION docgraph.stored_bytes(text);
DROP FUNCTION docgraph.may_write( text, text, text[], text[], integer, text[], text[], text[], text[], integer );
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
