-- write_turns: one row for each tenant that has been written to. Whoever writes in a tenant changes its row first
-- and holds it until the transaction ends: writers of a tenant take turns. Finer locks would deadlock, or miss that
-- a reference and the document it waits for arrive at the same time. Not an advisory lock: any login could take that.
CREATE TABLE docgraph.write_turns (
    tenant_id  text COLLATE "C" NOT NULL,
    turn       bigint NOT NULL DEFAULT 1,
    CONSTRAINT write_turns_pkey PRIMARY KEY (tenant_id),
    CONSTRAINT write_turns_tenant_id_check CHECK (docgraph.is_id(tenant_id))
);

COMMENT ON TABLE docgraph.write_turns IS 'Writers of a tenant take turns: the row is the lock.';
COMMENT ON COLUMN docgraph.write_turns.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.write_turns.turn IS 'Write calls so far.';
