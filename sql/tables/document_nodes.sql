-- document_nodes: the documents. The unit of planning; their text is in vector_chunks, the embedding of the
-- summary in tables/vectors.sql.
CREATE TABLE docgraph.document_nodes (
    tenant_id          text COLLATE "C" NOT NULL,
    document_id        text COLLATE "C" NOT NULL,
    access_class       bigint NOT NULL,
    ingestion_id       text COLLATE "C",
    doc_type           text COLLATE "C" NOT NULL DEFAULT '',
    title              text NOT NULL DEFAULT '',
    source             text NOT NULL DEFAULT '',
    summary            text NOT NULL DEFAULT '',
    section_titles     text[] NOT NULL DEFAULT '{}',
    metadata           jsonb NOT NULL DEFAULT '{}',
    content_hash       bytea NOT NULL,
    CONSTRAINT document_nodes_pkey PRIMARY KEY (tenant_id, document_id),
    -- The order serves a scan of one class; chunks and relationships refer to it, so that the class they
    -- carry is the document's own, always.
    CONSTRAINT document_nodes_class_key UNIQUE (tenant_id, access_class, document_id),
    CONSTRAINT document_nodes_access_class_fkey FOREIGN KEY (tenant_id, access_class)
        REFERENCES docgraph.access_classes (tenant_id, access_class),
    CONSTRAINT document_nodes_ingestion_id_fkey FOREIGN KEY (tenant_id, ingestion_id)
        REFERENCES docgraph.ingestion_requests (tenant_id, ingestion_id),
    CONSTRAINT document_nodes_document_id_check CHECK (docgraph.is_id(document_id)),
    CONSTRAINT document_nodes_doc_type_check CHECK (octet_length(doc_type) <= docgraph.bound('id_bytes')),
    CONSTRAINT document_nodes_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
    CONSTRAINT document_nodes_content_hash_check CHECK (octet_length(content_hash) = 32)
);

COMMENT ON TABLE docgraph.document_nodes IS 'Documents: what a plan is made of.';
COMMENT ON COLUMN docgraph.document_nodes.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.document_nodes.document_id IS 'Id, unique within the tenant, taken as it is.';
COMMENT ON COLUMN docgraph.document_nodes.access_class IS 'Who may see it: a row of access_classes.';
COMMENT ON COLUMN docgraph.document_nodes.ingestion_id IS 'The last run of a named source that brought it; else its first run.';
COMMENT ON COLUMN docgraph.document_nodes.doc_type IS 'Kind of document, as the caller names it.';
COMMENT ON COLUMN docgraph.document_nodes.title IS 'Title.';
COMMENT ON COLUMN docgraph.document_nodes.source IS 'Where it can be found: a path or an address.';
COMMENT ON COLUMN docgraph.document_nodes.summary IS 'Summary: the conceptual layer of a context.';
COMMENT ON COLUMN docgraph.document_nodes.section_titles IS 'Section titles, in the order of the document.';
COMMENT ON COLUMN docgraph.document_nodes.metadata IS 'Whatever else the caller keeps with it.';
COMMENT ON COLUMN docgraph.document_nodes.content_hash IS 'SHA-256 of the content: the same again is no change.';
