-- lexical_terms: a number for each lexeme of a tenant, the position it has in the weights of lexical_index.
-- number_words gives a new word the one after the tenant's last.
CREATE TABLE docgraph.lexical_terms (
    tenant_id    text COLLATE "C" NOT NULL,
    term         text COLLATE "C" NOT NULL,
    term_number  integer NOT NULL,
    CONSTRAINT lexical_terms_pkey PRIMARY KEY (tenant_id, term),
    CONSTRAINT lexical_terms_term_number_key UNIQUE (tenant_id, term_number),
    CONSTRAINT lexical_terms_tenant_id_check CHECK (docgraph.is_id(tenant_id))
);

COMMENT ON TABLE docgraph.lexical_terms IS 'Numbers of the lexemes of a tenant.';
COMMENT ON COLUMN docgraph.lexical_terms.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.lexical_terms.term IS 'The lexeme.';
COMMENT ON COLUMN docgraph.lexical_terms.term_number IS 'Its position in lexical_index.weights.';
