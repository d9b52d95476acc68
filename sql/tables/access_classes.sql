-- access_classes: the distinct combinations of access attributes in a tenant. A document carries its class;
-- a call first finds the classes it may see (leaf may_see, once per class), then filters by them.
-- When the last class of a tenant goes, the next one gets its number: nothing may keep a number longer than a transaction.
CREATE TABLE docgraph.access_classes (
    tenant_id     text COLLATE "C" NOT NULL,
    access_class  bigint NOT NULL,
    repository    text COLLATE "C" NOT NULL,
    snapshot      text COLLATE "C" NOT NULL,
    tags          text[] COLLATE "C" NOT NULL,
    labels        text[] COLLATE "C" NOT NULL,
    clearance     integer NOT NULL,
    fingerprint   bytea NOT NULL,
    CONSTRAINT access_classes_pkey PRIMARY KEY (tenant_id, access_class),
    CONSTRAINT access_classes_fingerprint_key UNIQUE (tenant_id, fingerprint),
    CONSTRAINT access_classes_tenant_id_check CHECK (docgraph.is_id(tenant_id)),
    CONSTRAINT access_classes_repository_check CHECK (octet_length(repository) <= docgraph.bound('id_bytes')),
    CONSTRAINT access_classes_snapshot_check CHECK (octet_length(snapshot) <= docgraph.bound('id_bytes')),
    CONSTRAINT access_classes_tags_check
        CHECK (tags = docgraph.canonical_list(tags) AND docgraph.list_fits(tags)),
    CONSTRAINT access_classes_labels_check
        CHECK (labels = docgraph.canonical_list(labels) AND docgraph.list_fits(labels)),
    CONSTRAINT access_classes_clearance_check CHECK (clearance BETWEEN 0 AND docgraph.bound('clearance')),
    CONSTRAINT access_classes_fingerprint_check
        CHECK (fingerprint = docgraph.access_fingerprint(repository, snapshot, tags, labels, clearance))
);

COMMENT ON TABLE docgraph.access_classes IS
    'The access rules of a tenant: each distinct combination of access attributes that a document has.';
COMMENT ON COLUMN docgraph.access_classes.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.access_classes.access_class IS 'The number that documents of this class carry.';
COMMENT ON COLUMN docgraph.access_classes.repository IS 'Where the documents come from; empty = nowhere named.';
COMMENT ON COLUMN docgraph.access_classes.snapshot IS 'Branch or commit; empty = none named.';
COMMENT ON COLUMN docgraph.access_classes.tags IS 'Tags: empty = public, else any one in common opens.';
COMMENT ON COLUMN docgraph.access_classes.labels IS 'Labels: all must be held.';
COMMENT ON COLUMN docgraph.access_classes.clearance IS 'Clearance level needed; 0 = none.';
COMMENT ON COLUMN docgraph.access_classes.fingerprint IS 'access_fingerprint of the five attributes.';
