-- next_embedding_space: the space that this database is being moved to, while its vectors are made; else no row.
-- A control table, like embedding_space: no row security; no role but the owner has any right on it.
CREATE TABLE docgraph.next_embedding_space (
    singleton   boolean NOT NULL DEFAULT true,
    model       text NOT NULL,
    dimensions  integer NOT NULL,
    metric      text NOT NULL,
    CONSTRAINT next_embedding_space_pkey PRIMARY KEY (singleton),
    CONSTRAINT next_embedding_space_singleton_check CHECK (singleton),
    CONSTRAINT next_embedding_space_model_check CHECK (docgraph.is_id(model)),
    CONSTRAINT next_embedding_space_dimensions_check
        CHECK (dimensions BETWEEN 1 AND docgraph.bound('dimensions')),
    CONSTRAINT next_embedding_space_metric_check CHECK (metric IN ('cosine', 'l2', 'ip'))
);

COMMENT ON TABLE docgraph.next_embedding_space IS 'The space that the database is being moved to. Control table.';
COMMENT ON COLUMN docgraph.next_embedding_space.singleton IS 'Always true: one move at a time.';
COMMENT ON COLUMN docgraph.next_embedding_space.model IS 'Name of the embedding model.';
COMMENT ON COLUMN docgraph.next_embedding_space.dimensions IS 'Elements of a vector.';
COMMENT ON COLUMN docgraph.next_embedding_space.metric IS 'cosine, l2 or ip (inner product).';
