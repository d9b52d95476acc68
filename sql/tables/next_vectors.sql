-- next_vectors: vectors of the next embedding space, made while the old ones still serve. Each says by a digest of
-- which words it is: a text that has changed since needs another one.
CREATE TABLE docgraph.next_vectors (
    tenant_id    text COLLATE "C" NOT NULL,
    document_id  text COLLATE "C" NOT NULL,
    ordinal      integer NOT NULL,
    digest       bytea NOT NULL,
    CONSTRAINT next_vectors_pkey PRIMARY KEY (tenant_id, document_id, ordinal),
    CONSTRAINT next_vectors_document_fkey FOREIGN KEY (tenant_id, document_id)
        REFERENCES docgraph.document_nodes (tenant_id, document_id) ON DELETE CASCADE,
    CONSTRAINT next_vectors_ordinal_check CHECK (ordinal >= -1)
);

-- As in vectors.sql: where pgvector's schema is on the path, only its types are named. No dimensions yet.
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;
-- The table has just been made.
-- squawk-ignore adding-required-field
ALTER TABLE docgraph.next_vectors ADD COLUMN embedding halfvec NOT NULL;
SET LOCAL search_path = pg_catalog;

COMMENT ON TABLE docgraph.next_vectors IS 'Vectors of the next embedding space.';
COMMENT ON COLUMN docgraph.next_vectors.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.next_vectors.document_id IS 'The document.';
COMMENT ON COLUMN docgraph.next_vectors.ordinal IS 'The chunk; -1 = the document''s summary.';
COMMENT ON COLUMN docgraph.next_vectors.digest IS 'Of the words that were embedded.';
COMMENT ON COLUMN docgraph.next_vectors.embedding IS 'The vector.';
