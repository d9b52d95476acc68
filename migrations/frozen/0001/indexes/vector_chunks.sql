-- Chunks of the classes a caller may see, when those are few. The vector index is built by
-- configure_embedding_space.
CREATE INDEX vector_chunks_class_idx ON docgraph.vector_chunks (tenant_id, access_class, document_id);
COMMENT ON INDEX docgraph.vector_chunks_class_idx IS 'Chunks by access class.';
