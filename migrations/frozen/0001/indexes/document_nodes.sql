-- Which documents a run changed (dominant scope, pruning). The primary key and document_nodes_class_key
-- serve everything else; the vector index is built by configure_embedding_space.
CREATE INDEX document_nodes_ingestion_idx ON docgraph.document_nodes (tenant_id, ingestion_id);
COMMENT ON INDEX docgraph.document_nodes_ingestion_idx IS 'Documents of a run.';
