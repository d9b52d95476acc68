-- access_grants: the ceiling. The most a login may see in a tenant; no row means nothing at all.
-- NULL in a column means all of that kind. Every call's claim is intersected with it.
-- A control table: no row security, because the policies themselves are computed from it (a policy here
-- would recurse); no role but the owner has any right on it.
CREATE TABLE docgraph.access_grants (
    tenant_id     text COLLATE "C" NOT NULL,
    login         name NOT NULL,  -- compared with session_user as it is, case and all
    repositories  text[] COLLATE "C",
    snapshots     text[] COLLATE "C",
    tags          text[] COLLATE "C",
    labels        text[] COLLATE "C",
    clearance     integer,
    CONSTRAINT access_grants_pkey PRIMARY KEY (tenant_id, login),
    CONSTRAINT access_grants_tenant_id_check CHECK (docgraph.is_id(tenant_id)),
    CONSTRAINT access_grants_repositories_check
        CHECK (repositories = docgraph.canonical_list(repositories) AND docgraph.list_fits(repositories)),
    CONSTRAINT access_grants_snapshots_check
        CHECK (snapshots = docgraph.canonical_list(snapshots) AND docgraph.list_fits(snapshots)),
    CONSTRAINT access_grants_tags_check
        CHECK (tags = docgraph.canonical_list(tags) AND docgraph.list_fits(tags)),
    CONSTRAINT access_grants_labels_check
        CHECK (labels = docgraph.canonical_list(labels) AND docgraph.list_fits(labels)),
    CONSTRAINT access_grants_clearance_check CHECK (clearance BETWEEN 0 AND docgraph.bound('clearance'))
);

COMMENT ON TABLE docgraph.access_grants IS
    'Ceilings: the most a login may see in a tenant (NULL = all of that kind). Control table.';
COMMENT ON COLUMN docgraph.access_grants.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.access_grants.login IS 'The login (session_user), exactly as it is spelt.';
COMMENT ON COLUMN docgraph.access_grants.repositories IS 'Repositories within reach; NULL = all.';
COMMENT ON COLUMN docgraph.access_grants.snapshots IS 'Snapshots within reach; NULL = all.';
COMMENT ON COLUMN docgraph.access_grants.tags IS 'Tags that may be claimed; NULL = all.';
COMMENT ON COLUMN docgraph.access_grants.labels IS 'Labels that may be claimed; NULL = all.';
COMMENT ON COLUMN docgraph.access_grants.clearance IS 'Highest clearance that may be claimed; NULL = any.';
