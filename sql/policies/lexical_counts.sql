-- The backstop behind the predicate: rows of the login's tenants only, whatever a function forgets.
-- FORCE binds the owner too. The sub-select makes it an InitPlan: computed once per statement.
ALTER TABLE docgraph.lexical_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE docgraph.lexical_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_wall ON docgraph.lexical_counts
    USING (tenant_id = ANY ((SELECT docgraph.allowed_tenants())::text[]));
COMMENT ON POLICY tenant_wall ON docgraph.lexical_counts IS 'Only tenants in which the login has a ceiling.';
