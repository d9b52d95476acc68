-- Who refers to a name: asked when a document of that name arrives or leaves.
CREATE INDEX document_references_to_idx ON docgraph.document_references (tenant_id, to_name);
COMMENT ON INDEX docgraph.document_references_to_idx IS 'References by the name they use.';
