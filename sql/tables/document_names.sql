-- document_names: what a document may be called in references: its id, and the other names it goes by (an
-- identifier such as PEP-8, a path). A name may be borne by several documents: a reference then leads to each.
CREATE TABLE docgraph.document_names (
    tenant_id    text COLLATE "C" NOT NULL,
    document_id  text COLLATE "C" NOT NULL,
    name         text COLLATE "C" NOT NULL,
    CONSTRAINT document_names_pkey PRIMARY KEY (tenant_id, document_id, name),
    CONSTRAINT document_names_document_fkey FOREIGN KEY (tenant_id, document_id)
        REFERENCES docgraph.document_nodes (tenant_id, document_id) ON DELETE CASCADE,
    CONSTRAINT document_names_name_check CHECK (docgraph.is_id(name))
);

COMMENT ON TABLE docgraph.document_names IS 'What documents may be called in references, their ids included.';
COMMENT ON COLUMN docgraph.document_names.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.document_names.document_id IS 'The document.';
COMMENT ON COLUMN docgraph.document_names.name IS 'A name of it.';
