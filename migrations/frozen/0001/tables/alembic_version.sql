-- alembic_version: which revision this database is at. Alembic makes it before the first revision runs;
-- a control table, no role but the owner has any right on it.
CREATE TABLE IF NOT EXISTS docgraph.alembic_version (
    version_num varchar(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

COMMENT ON TABLE docgraph.alembic_version IS 'The revision of this schema. Control table.';
COMMENT ON COLUMN docgraph.alembic_version.version_num IS 'Number of the revision.';
