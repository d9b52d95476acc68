-- References are kept whether or not they lead anywhere: document_references takes the place of
-- unresolved_references, and relationships follow from it. What is there has to be in it, of every tenant.
ALTER TABLE docgraph.document_nodes NO FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.document_relationships NO FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.document_names NO FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.document_references NO FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.unresolved_references NO FORCE ROW LEVEL SECURITY;
INSERT INTO docgraph.document_names (tenant_id, document_id, name)
SELECT d.tenant_id, d.document_id, d.document_id FROM docgraph.document_nodes d;
INSERT INTO docgraph.document_references
    (tenant_id, from_document, relation_type, to_name, declared, inferred, evidence)
SELECT e.tenant_id, e.from_document, e.relation_type, e.to_document, e.declared, e.inferred, e.evidence
FROM docgraph.document_relationships e;
INSERT INTO docgraph.document_references
    (tenant_id, from_document, relation_type, to_name, declared, inferred, evidence)
SELECT u.tenant_id, u.from_document, u.relation_type, u.to_document, u.declared, u.inferred, u.evidence
FROM docgraph.unresolved_references u
ON CONFLICT ON CONSTRAINT document_references_pkey DO NOTHING;
ALTER TABLE docgraph.document_nodes FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.document_relationships FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.document_names FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.document_references FORCE ROW LEVEL SECURITY;
-- squawk-ignore ban-drop-table
DROP TABLE docgraph.unresolved_references;
