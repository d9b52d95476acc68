-- Documents that are there get their entries in the lexical index, in every tenant.
DO $$
BEGIN
    IF EXISTS (SELECT FROM docgraph.embedding_space) THEN
        PERFORM docgraph.rebuild_lexical();
    END IF;
END
$$;
