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
