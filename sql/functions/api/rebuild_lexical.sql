-- rebuild_lexical: makes the whole lexical index anew, with other constants or another text-search configuration.
--
-- What is NULL stays as it is recorded. mean_length is how many words the chunks have on average, in the new
-- configuration: a second call with average_length => mean_length makes it the constant that lengths are held against. All
-- tenants at once, for the constants are one for the database. While it runs, readers and writers wait.
-- Writes:     embedding_space, lexical_terms, lexical_index, lexical_counts (ACCESS EXCLUSIVE, as on document_nodes and
--             vector_chunks)
-- Guarantees: all or nothing; entries for all documents of all tenants, whoever calls; waits 5 seconds for a lock at most
-- Errors:     22023 (also for a text that has too many words: names the document), 25001, KG003
-- Example:    SELECT * FROM docgraph.rebuild_lexical(average_length => 120);
CREATE OR REPLACE FUNCTION docgraph.rebuild_lexical(
    average_length double precision DEFAULT NULL, text_search text DEFAULT NULL, k1 double precision DEFAULT NULL,
    b double precision DEFAULT NULL
)
    RETURNS TABLE (entries bigint, mean_length double precision)
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
    SET lock_timeout = '5s'
AS $$
DECLARE
    batch record;
BEGIN
    IF text_search IS NOT NULL THEN
        PERFORM docgraph.check_text_search(text_search);
    END IF;
    IF average_length NOT BETWEEN 1 AND docgraph.bound('average_length') THEN
        RAISE EXCEPTION 'average_length must be from 1 to %', docgraph.bound('average_length')
            USING ERRCODE = '22023', HINT = 'Words of an average chunk; the call gives what they have by now as mean_length.';
    END IF;
    -- Products of what is smaller, and not 0, are no numbers any more.
    IF NOT (k1 = 0 OR k1 BETWEEN 0.001 AND 10) THEN
        RAISE EXCEPTION 'k1 must be 0, or from 0.001 to 10' USING ERRCODE = '22023', HINT = '1.2 is usual.';
    END IF;
    IF NOT (b = 0 OR b BETWEEN 0.001 AND 1) THEN
        RAISE EXCEPTION 'b must be 0, or from 0.001 to 1' USING ERRCODE = '22023', HINT = '0.75 is usual.';
    END IF;
    PERFORM docgraph.lock_space();
    -- The tables before the row: whoever writes takes them in this order, too.
    LOCK TABLE docgraph.document_nodes, docgraph.vector_chunks, docgraph.lexical_index, docgraph.lexical_terms,
        docgraph.lexical_counts IN ACCESS EXCLUSIVE MODE;
    UPDATE docgraph.embedding_space s SET
        average_length = coalesce(rebuild_lexical.average_length, s.average_length),
        text_search = coalesce(rebuild_lexical.text_search, s.text_search),
        k1 = coalesce(rebuild_lexical.k1, s.k1), b = coalesce(rebuild_lexical.b, s.b);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this database has no embedding space yet'
            USING ERRCODE = 'KG003', HINT = 'There is nothing to rebuild: call docgraph.configure_embedding_space.';
    END IF;
    -- Every tenant's rows, also those that row security would hide from this login. An error brings FORCE back with
    -- everything else.
    ALTER TABLE docgraph.document_nodes NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.vector_chunks NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.lexical_terms NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.lexical_counts NO FORCE ROW LEVEL SECURITY;
    TRUNCATE docgraph.lexical_index, docgraph.lexical_counts, docgraph.lexical_terms;
    FOR batch IN
        SELECT d.tenant_id, array_agg(d.document_id) AS ids
        FROM (
            SELECT n.tenant_id, n.document_id,
                (row_number() OVER (PARTITION BY n.tenant_id ORDER BY n.document_id) - 1) / docgraph.bound('ids') AS batch
            FROM docgraph.document_nodes n
        ) AS d
        GROUP BY d.tenant_id, d.batch
        ORDER BY d.tenant_id, d.batch
    LOOP
        PERFORM docgraph.index_words(batch.tenant_id, batch.ids, NULL, false);
    END LOOP;
    -- At once: a count that is raised again and again within one transaction leaves a dead row each time.
    INSERT INTO docgraph.lexical_counts (tenant_id, term_number, in_chunks, access_class, entries)
    SELECT c.tenant_id, t.term_number, c.in_chunks, c.access_class, c.entries
    FROM (
        SELECT i.tenant_id, w.word, i.ordinal >= 0 AS in_chunks, i.access_class, count(*) AS entries
        FROM docgraph.lexical_index i
        CROSS JOIN LATERAL unnest(tsvector_to_array(i.lexemes)) AS w (word)
        GROUP BY i.tenant_id, w.word, i.ordinal >= 0, i.access_class
    ) AS c
    JOIN docgraph.lexical_terms t ON t.tenant_id = c.tenant_id AND t.term = c.word
    UNION ALL
    SELECT i.tenant_id, 0, i.ordinal >= 0, i.access_class, count(*)
    FROM docgraph.lexical_index i
    GROUP BY i.tenant_id, i.ordinal >= 0, i.access_class;
    ALTER TABLE docgraph.document_nodes FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.vector_chunks FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.lexical_terms FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.lexical_counts FORCE ROW LEVEL SECURITY;
    RETURN QUERY
    SELECT count(*), (avg(w.words) FILTER (WHERE i.ordinal >= 0))::double precision
    FROM docgraph.lexical_index i
    CROSS JOIN LATERAL (SELECT coalesce(sum(cardinality(u.positions)), 0) AS words FROM unnest(i.lexemes) AS u) AS w;
END
$$;

COMMENT ON FUNCTION docgraph.rebuild_lexical(double precision, text, double precision, double precision) IS
    'API, admin. Makes the lexical index anew, with other constants or another text-search configuration; readers and '
    'writers wait meanwhile. SELECT * FROM docgraph.rebuild_lexical(average_length => 120);';
REVOKE ALL ON FUNCTION docgraph.rebuild_lexical(double precision, text, double precision, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.rebuild_lexical(double precision, text, double precision, double precision)
    TO docgraph_admin;
