-- embedding_space: the one embedding space of this database, and how its text is indexed.
-- At most one row, written by configure_embedding_space. A control table: no row security, because the
-- functions of every tenant read it; no role but the owner has any right on it.
CREATE TABLE docgraph.embedding_space (
    singleton       boolean NOT NULL DEFAULT true,
    model           text NOT NULL,
    dimensions      integer NOT NULL,
    metric          text NOT NULL,
    text_search     text NOT NULL,  -- as text: pg_upgrade refuses columns of type regconfig
    average_length  double precision NOT NULL,
    k1              double precision NOT NULL DEFAULT 1.2,
    b               double precision NOT NULL DEFAULT 0.75,
    CONSTRAINT embedding_space_pkey PRIMARY KEY (singleton),
    CONSTRAINT embedding_space_singleton_check CHECK (singleton),
    CONSTRAINT embedding_space_model_check CHECK (docgraph.is_id(model)),
    CONSTRAINT embedding_space_dimensions_check
        CHECK (dimensions BETWEEN 1 AND docgraph.bound('dimensions')),
    CONSTRAINT embedding_space_metric_check CHECK (metric IN ('cosine', 'l2', 'ip')),
    CONSTRAINT embedding_space_average_length_check
        CHECK (average_length BETWEEN 1 AND docgraph.bound('average_length')),
    CONSTRAINT embedding_space_k1_check CHECK (k1 BETWEEN 0 AND 10),
    CONSTRAINT embedding_space_b_check CHECK (b BETWEEN 0 AND 1)
);

COMMENT ON TABLE docgraph.embedding_space IS
    'The embedding space in use and the constants of the lexical index; at most one row. Control table.';
COMMENT ON COLUMN docgraph.embedding_space.singleton IS 'Always true: there is one space per database.';
COMMENT ON COLUMN docgraph.embedding_space.model IS 'Name of the embedding model; every vector stored or asked for is of it.';
COMMENT ON COLUMN docgraph.embedding_space.dimensions IS 'Elements of a vector.';
COMMENT ON COLUMN docgraph.embedding_space.metric IS 'cosine, l2 or ip (inner product).';
COMMENT ON COLUMN docgraph.embedding_space.text_search IS 'Text-search configuration of the lexical index.';
COMMENT ON COLUMN docgraph.embedding_space.average_length IS 'Lexemes of an average chunk: the constant of BM25, recorded so that stored weights never go stale.';
COMMENT ON COLUMN docgraph.embedding_space.k1 IS 'BM25: how soon repetition of a term stops to count.';
COMMENT ON COLUMN docgraph.embedding_space.b IS 'BM25: how much a long chunk is held against it.';
