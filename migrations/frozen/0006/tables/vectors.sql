-- The columns of pgvector's types. Apart from their tables, because the schema of pgvector is on the path here:
-- only names of types may stand where it is. Dimensions come from configure_embedding_space.
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;
ALTER TABLE docgraph.document_nodes ADD COLUMN summary_embedding halfvec;
ALTER TABLE docgraph.vector_chunks ADD COLUMN embedding halfvec;
-- The table has just been made.
-- squawk-ignore adding-required-field
ALTER TABLE docgraph.lexical_index ADD COLUMN weights sparsevec NOT NULL;
SET LOCAL search_path = pg_catalog;

-- Zero and degenerate vectors: cosine is NaN for them, and an HNSW index leaves them out in silence.
ALTER TABLE docgraph.document_nodes ADD CONSTRAINT document_nodes_summary_embedding_check
    CHECK (docgraph.vector_norm(summary_embedding) BETWEEN 0.001 AND 60000);
ALTER TABLE docgraph.vector_chunks ADD CONSTRAINT vector_chunks_embedding_check
    CHECK (docgraph.vector_norm(embedding) BETWEEN 0.001 AND 60000);

-- Kept in the row, while long text goes to the side: a scan that follows a pointer for each vector takes about
-- four times as long (768 dimensions, 1.5 kB of text). In this form because STORAGE in CREATE TABLE is new in PostgreSQL 16.
ALTER TABLE docgraph.document_nodes ALTER COLUMN summary_embedding SET STORAGE MAIN;
ALTER TABLE docgraph.vector_chunks ALTER COLUMN embedding SET STORAGE MAIN;
ALTER TABLE docgraph.lexical_index ALTER COLUMN weights SET STORAGE MAIN;
ALTER TABLE docgraph.lexical_index ALTER COLUMN weights SET STATISTICS 0;

COMMENT ON COLUMN docgraph.document_nodes.summary_embedding IS 'Embedding of the summary.';
COMMENT ON COLUMN docgraph.vector_chunks.embedding IS 'Embedding of the text.';
COMMENT ON COLUMN docgraph.lexical_index.weights IS 'Term weights of BM25 without the idf, by term number.';
