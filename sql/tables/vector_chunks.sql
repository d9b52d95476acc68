-- vector_chunks: the text of documents, in pieces, embedded.
-- Its embedding stands in tables/vectors.sql. The class is the document's own, carried
-- here so that a search filters without a join; the foreign key keeps it true.
CREATE TABLE docgraph.vector_chunks (
    tenant_id     text COLLATE "C" NOT NULL,
    document_id   text COLLATE "C" NOT NULL,
    ordinal       integer NOT NULL,
    access_class  bigint NOT NULL,
    start_offset  integer,
    end_offset    integer,
    token_count   integer NOT NULL,
    section_path  text[] NOT NULL DEFAULT '{}',
    text          text NOT NULL,
    CONSTRAINT vector_chunks_pkey PRIMARY KEY (tenant_id, document_id, ordinal),
    CONSTRAINT vector_chunks_document_fkey FOREIGN KEY (tenant_id, access_class, document_id)
        REFERENCES docgraph.document_nodes (tenant_id, access_class, document_id)
        ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT vector_chunks_ordinal_check CHECK (ordinal >= 0),
    CONSTRAINT vector_chunks_offsets_check
        CHECK ((start_offset IS NULL) = (end_offset IS NULL) AND start_offset >= 0 AND end_offset >= start_offset),
    CONSTRAINT vector_chunks_token_count_check CHECK (token_count >= 0)
);

COMMENT ON TABLE docgraph.vector_chunks IS 'Pieces of documents with their embeddings: the evidence layer.';
COMMENT ON COLUMN docgraph.vector_chunks.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.vector_chunks.document_id IS 'The document; no chunk is without one.';
COMMENT ON COLUMN docgraph.vector_chunks.ordinal IS 'Place among the document''s chunks, from 0.';
COMMENT ON COLUMN docgraph.vector_chunks.access_class IS 'The document''s class.';
COMMENT ON COLUMN docgraph.vector_chunks.start_offset IS 'Where it begins in the source, in characters.';
COMMENT ON COLUMN docgraph.vector_chunks.end_offset IS 'Where it ends in the source, in characters.';
COMMENT ON COLUMN docgraph.vector_chunks.token_count IS 'Length in tokens.';
COMMENT ON COLUMN docgraph.vector_chunks.section_path IS 'Titles of the sections it stands in, outermost first.';
COMMENT ON COLUMN docgraph.vector_chunks.text IS 'The text.';
