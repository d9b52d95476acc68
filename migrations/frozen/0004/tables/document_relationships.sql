-- document_relationships: typed, directed edges between documents that are both there.
-- Declared by a caller, inferred from a link in the text, or both. Each end's class is carried here, kept
-- true by the foreign keys, so that a hub whose neighbours are nearly all hidden costs no look-up of them.
-- It follows from document_references and document_names: core function connect_documents keeps it so. A document
-- that others refer to cannot simply be deleted: its incoming relationships go first, and their references wait again.
CREATE TABLE docgraph.document_relationships (
    tenant_id          text COLLATE "C" NOT NULL,
    from_document      text COLLATE "C" NOT NULL,
    relation_type      text COLLATE "C" NOT NULL,
    to_document        text COLLATE "C" NOT NULL,
    from_access_class  bigint NOT NULL,
    to_access_class    bigint NOT NULL,
    declared           boolean NOT NULL,
    inferred           boolean NOT NULL,
    evidence           text,
    -- The pair first: what leads from one document to another is asked for each pair of a plan.
    CONSTRAINT document_relationships_pkey PRIMARY KEY (tenant_id, from_document, to_document, relation_type),
    CONSTRAINT document_relationships_from_fkey FOREIGN KEY (tenant_id, from_access_class, from_document)
        REFERENCES docgraph.document_nodes (tenant_id, access_class, document_id)
        ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT document_relationships_to_fkey FOREIGN KEY (tenant_id, to_access_class, to_document)
        REFERENCES docgraph.document_nodes (tenant_id, access_class, document_id)
        ON UPDATE CASCADE,
    CONSTRAINT document_relationships_no_self_loop CHECK (from_document <> to_document),
    CONSTRAINT document_relationships_relation_type_check CHECK (docgraph.is_id(relation_type)),
    CONSTRAINT document_relationships_origin_check CHECK (declared OR inferred),
    CONSTRAINT document_relationships_evidence_check
        CHECK (octet_length(evidence) <= docgraph.bound('evidence_bytes'))
);

COMMENT ON TABLE docgraph.document_relationships IS 'Typed, directed relationships between documents.';
COMMENT ON COLUMN docgraph.document_relationships.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.document_relationships.from_document IS 'The document that refers.';
COMMENT ON COLUMN docgraph.document_relationships.relation_type IS 'Kind of relationship, as the caller names it.';
COMMENT ON COLUMN docgraph.document_relationships.to_document IS 'The document referred to.';
COMMENT ON COLUMN docgraph.document_relationships.from_access_class IS 'Class of the document that refers.';
COMMENT ON COLUMN docgraph.document_relationships.to_access_class IS 'Class of the document referred to.';
COMMENT ON COLUMN docgraph.document_relationships.declared IS 'A caller declared it.';
COMMENT ON COLUMN docgraph.document_relationships.inferred IS 'A link in the text says it.';
COMMENT ON COLUMN docgraph.document_relationships.evidence IS 'The words around the link.';
