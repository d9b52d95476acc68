-- Both directions begin with the document in hand, then the class at the other end: a hub whose neighbours
-- are nearly all hidden is read only where they are visible.
CREATE INDEX document_relationships_out_idx ON docgraph.document_relationships
    (tenant_id, from_document, to_access_class, relation_type, to_document);
COMMENT ON INDEX docgraph.document_relationships_out_idx IS 'Outgoing relationships by class of the target.';
CREATE INDEX document_relationships_in_idx ON docgraph.document_relationships
    (tenant_id, to_document, from_access_class, relation_type, from_document);
COMMENT ON INDEX docgraph.document_relationships_in_idx IS 'Incoming relationships by class of the origin.';
