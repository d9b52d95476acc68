-- The pair first: what leads from one document to another is asked for each pair of a plan.
ALTER TABLE docgraph.document_relationships
    -- squawk-ignore ban-drop-constraint
    DROP CONSTRAINT document_relationships_pkey,
    ADD CONSTRAINT document_relationships_pkey PRIMARY KEY (tenant_id, from_document, to_document, relation_type);
