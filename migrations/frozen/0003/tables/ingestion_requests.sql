-- ingestion_requests: one row for each run that brought documents in.
CREATE TABLE docgraph.ingestion_requests (
    tenant_id     text COLLATE "C" NOT NULL,
    ingestion_id  text COLLATE "C" NOT NULL,
    source        text NOT NULL DEFAULT '',
    state         text NOT NULL DEFAULT 'running',
    started_at    timestamptz NOT NULL DEFAULT now(),
    finished_at   timestamptz,
    report        jsonb NOT NULL DEFAULT '{}',
    login         name NOT NULL,
    CONSTRAINT ingestion_requests_pkey PRIMARY KEY (tenant_id, ingestion_id),
    CONSTRAINT ingestion_requests_tenant_id_check CHECK (docgraph.is_id(tenant_id)),
    CONSTRAINT ingestion_requests_ingestion_id_check CHECK (docgraph.is_id(ingestion_id)),
    CONSTRAINT ingestion_requests_state_check CHECK (state IN ('running', 'finished', 'failed')),
    CONSTRAINT ingestion_requests_finished_at_check CHECK ((finished_at IS NULL) = (state = 'running')),
    CONSTRAINT ingestion_requests_report_check CHECK (jsonb_typeof(report) = 'object')
);

COMMENT ON TABLE docgraph.ingestion_requests IS 'Runs that brought documents in.';
COMMENT ON COLUMN docgraph.ingestion_requests.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.ingestion_requests.ingestion_id IS 'Name of the run, chosen by the caller: the same name again continues it.';
COMMENT ON COLUMN docgraph.ingestion_requests.source IS 'Where the documents came from, in words.';
COMMENT ON COLUMN docgraph.ingestion_requests.state IS 'running, finished or failed.';
COMMENT ON COLUMN docgraph.ingestion_requests.started_at IS 'When the run began.';
COMMENT ON COLUMN docgraph.ingestion_requests.finished_at IS 'When it ended; NULL while it runs.';
COMMENT ON COLUMN docgraph.ingestion_requests.report IS 'What the run did, as counts.';
COMMENT ON COLUMN docgraph.ingestion_requests.login IS 'The login that began it: nobody else may continue or end it.';
