-- Who bears a name.
CREATE INDEX document_names_name_idx ON docgraph.document_names (tenant_id, name);
COMMENT ON INDEX docgraph.document_names_name_idx IS 'Documents by name.';
