-- References are kept whether or not they lead anywhere: document_references takes the place of
-- unresolved_references, which nothing has written to so far. A run belongs to the login that began it.
-- squawk-ignore ban-drop-table
DROP TABLE docgraph.unresolved_references;
-- squawk-ignore adding-required-field
ALTER TABLE docgraph.ingestion_requests ADD COLUMN login name NOT NULL;
COMMENT ON COLUMN docgraph.ingestion_requests.login IS 'The login that began it: nobody else may continue or end it.';
