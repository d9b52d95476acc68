-- The backstop behind the predicate: rows of the login's tenants only, whatever a function forgets.
-- FORCE binds the owner too. The sub-select makes it an InitPlan: computed once per statement.
ALTER TABLE docgraph.next_vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE docgraph.next_vectors FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_wall ON docgraph.next_vectors
    USING (tenant_id = ANY ((SELECT docgraph.allowed_tenants())::text[]));
COMMENT ON POLICY tenant_wall ON docgraph.next_vectors IS 'Only tenants in which the login has a ceiling.';
