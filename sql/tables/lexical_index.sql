-- lexical_index: what BM25 reads. One row for each chunk (ordinal from 0) and one for each document's own
-- title and summary (ordinal -1).
-- A control table: no row security, because behind a policy the text-search operators are no index
-- conditions (they are not leakproof) and the GIN index would silently be ignored. No role but the owner
-- has any right on it, and its rows reach a result only through a join to a table that has the policy.
CREATE TABLE docgraph.lexical_index (
    tenant_id     text COLLATE "C" NOT NULL,
    document_id   text COLLATE "C" NOT NULL,
    ordinal       integer NOT NULL,
    access_class  bigint NOT NULL,
    lexemes       tsvector NOT NULL,
    title         text COLLATE "C",
    CONSTRAINT lexical_index_pkey PRIMARY KEY (tenant_id, document_id, ordinal),
    CONSTRAINT lexical_index_document_fkey FOREIGN KEY (tenant_id, access_class, document_id)
        REFERENCES docgraph.document_nodes (tenant_id, access_class, document_id)
        ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT lexical_index_ordinal_check CHECK (ordinal >= -1)
);

-- The functions that read it pin their plans; to gather statistics of so many lexemes takes long.
ALTER TABLE docgraph.lexical_index ALTER COLUMN lexemes SET STATISTICS 0;

COMMENT ON TABLE docgraph.lexical_index IS 'The lexical index: lexemes and BM25 weights. Control table.';
COMMENT ON COLUMN docgraph.lexical_index.tenant_id IS 'The tenant.';
COMMENT ON COLUMN docgraph.lexical_index.document_id IS 'The document.';
COMMENT ON COLUMN docgraph.lexical_index.ordinal IS 'The chunk; -1 = the document''s title and summary.';
COMMENT ON COLUMN docgraph.lexical_index.access_class IS 'The document''s class.';
COMMENT ON COLUMN docgraph.lexical_index.lexemes IS 'The lexemes, for finding candidates.';
COMMENT ON COLUMN docgraph.lexical_index.title IS
    'Words of the title, for documents whose title stands in a question; NULL for chunks and for long titles.';
