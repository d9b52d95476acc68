-- What waits for a document that has just arrived.
CREATE INDEX unresolved_references_to_idx ON docgraph.unresolved_references (tenant_id, to_document);
COMMENT ON INDEX docgraph.unresolved_references_to_idx IS 'References by the id they wait for.';
