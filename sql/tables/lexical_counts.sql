-- lexical_counts: in how many entries of the lexical index a word stands, for each access class apart: what a call may
-- see is summed when it asks, so that nothing rests on hidden rows. Number 0 counts the entries themselves.
-- No foreign keys: they would be checked for every word of every document. The functions that write lexical_index keep it
-- in step, in the tenant's turn; what has come down to nothing is deleted.
CREATE TABLE docgraph.lexical_counts (
    tenant_id     text COLLATE "C" NOT NULL,
    term_number   integer NOT NULL,
    in_chunks     boolean NOT NULL,
    access_class  bigint NOT NULL,
    entries       integer NOT NULL,
    CONSTRAINT lexical_counts_pkey PRIMARY KEY (tenant_id, term_number, in_chunks, access_class),
    CONSTRAINT lexical_counts_tenant_id_check CHECK (docgraph.is_id(tenant_id)),
    CONSTRAINT lexical_counts_term_number_check CHECK (term_number >= 0),
    CONSTRAINT lexical_counts_entries_check CHECK (entries >= 0)
);

COMMENT ON TABLE docgraph.lexical_counts IS 'In how many entries of the lexical index a word stands, by access class.';
COMMENT ON COLUMN docgraph.lexical_counts.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.lexical_counts.term_number IS 'The word, as lexical_terms numbers it; 0 = all entries.';
COMMENT ON COLUMN docgraph.lexical_counts.in_chunks IS 'Entries of chunks, or of documents'' titles and summaries.';
COMMENT ON COLUMN docgraph.lexical_counts.access_class IS 'The class of their documents.';
COMMENT ON COLUMN docgraph.lexical_counts.entries IS 'How many.';
