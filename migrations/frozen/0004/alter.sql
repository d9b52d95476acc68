-- The pair first: what leads from one document to another is asked for each pair of a plan.
-- squawk-ignore constraint-missing-not-valid, adding-serial-primary-key-field, disallowed-unique-constraint
ALTER TABLE docgraph.document_relationships
    DROP CONSTRAINT document_relationships_pkey,
    ADD CONSTRAINT document_relationships_pkey PRIMARY KEY (tenant_id, from_document, to_document, relation_type);
