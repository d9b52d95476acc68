-- A run belongs to the login that began it: of those that are there, to the one that upgrades.
ALTER TABLE docgraph.ingestion_requests NO FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.ingestion_requests ADD COLUMN login name;
UPDATE docgraph.ingestion_requests SET login = session_user;
-- squawk-ignore adding-not-nullable-field
ALTER TABLE docgraph.ingestion_requests ALTER COLUMN login SET NOT NULL;
ALTER TABLE docgraph.ingestion_requests FORCE ROW LEVEL SECURITY;
COMMENT ON COLUMN docgraph.ingestion_requests.login IS 'The login that began it: nobody else may continue or end it.';
COMMENT ON COLUMN docgraph.document_nodes.ingestion_id IS 'The last run of a named source that brought it; else its first run.';
