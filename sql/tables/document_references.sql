-- document_references: what documents refer to, by name, whether or not there is a document of that name.
-- document_relationships follows from this table and document_names: a reference to a name that nobody bears
-- waits here, becomes a relationship when a document of that name arrives, and waits again when it is deleted.
CREATE TABLE docgraph.document_references (
    tenant_id      text COLLATE "C" NOT NULL,
    from_document  text COLLATE "C" NOT NULL,
    relation_type  text COLLATE "C" NOT NULL,
    to_name        text COLLATE "C" NOT NULL,
    declared       boolean NOT NULL,
    inferred       boolean NOT NULL,
    evidence       text,
    CONSTRAINT document_references_pkey PRIMARY KEY (tenant_id, from_document, relation_type, to_name),
    CONSTRAINT document_references_from_fkey FOREIGN KEY (tenant_id, from_document)
        REFERENCES docgraph.document_nodes (tenant_id, document_id) ON DELETE CASCADE,
    CONSTRAINT document_references_no_self_loop CHECK (from_document <> to_name),
    CONSTRAINT document_references_to_name_check CHECK (docgraph.is_id(to_name)),
    CONSTRAINT document_references_relation_type_check CHECK (docgraph.is_id(relation_type)),
    CONSTRAINT document_references_origin_check CHECK (declared OR inferred),
    CONSTRAINT document_references_evidence_check
        CHECK (octet_length(evidence) <= docgraph.bound('evidence_bytes'))
);

COMMENT ON TABLE docgraph.document_references IS 'What documents refer to, by name; those without a bearer wait.';
COMMENT ON COLUMN docgraph.document_references.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.document_references.from_document IS 'The document that refers.';
COMMENT ON COLUMN docgraph.document_references.relation_type IS 'Kind of relationship.';
COMMENT ON COLUMN docgraph.document_references.to_name IS 'The name of what it refers to: an id, or another name.';
COMMENT ON COLUMN docgraph.document_references.declared IS 'A caller declared it.';
COMMENT ON COLUMN docgraph.document_references.inferred IS 'A link in the text says it.';
COMMENT ON COLUMN docgraph.document_references.evidence IS 'The words around the link.';
