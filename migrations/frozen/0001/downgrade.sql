-- Back to base, from 0001: everything but what comes before every revision (the roles, the empty schema and Alembic's
-- version table). All documents are lost. Policies and indexes go with their tables.
DROP TABLE docgraph.lexical_index;
DROP TABLE docgraph.lexical_terms;
DROP TABLE docgraph.unresolved_references;
DROP TABLE docgraph.document_relationships;
DROP TABLE docgraph.vector_chunks;
DROP TABLE docgraph.document_nodes;
DROP TABLE docgraph.ingestion_requests;
DROP TABLE docgraph.access_classes;
DROP TABLE docgraph.access_grants;
DROP TABLE docgraph.embedding_space;
DROP FUNCTION docgraph.allowed_tenants();
DROP FUNCTION docgraph.vector_norm;
DROP FUNCTION docgraph.access_fingerprint(text, text, text[], text[], integer);
DROP FUNCTION docgraph.list_fits(text[]);
DROP FUNCTION docgraph.canonical_list(text[]);
DROP FUNCTION docgraph.is_id(text);
DROP FUNCTION docgraph.bound(text);
COMMENT ON COLUMN docgraph.alembic_version.version_num IS NULL;
COMMENT ON TABLE docgraph.alembic_version IS NULL;
REVOKE USAGE ON SCHEMA docgraph FROM docgraph_reader;
COMMENT ON SCHEMA docgraph IS NULL;
ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO PUBLIC;
