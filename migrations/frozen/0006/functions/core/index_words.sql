-- index_words: brings the lexical index up to date with documents and chunks as they are stored by now.
--
-- named has the ids of the call in its order, for error messages; NULL where there was no such list. Who counts all words anew
-- afterwards leaves counting out.
-- Reads:      embedding_space, document_nodes, vector_chunks
-- Writes:     lexical_terms, lexical_index, lexical_counts
-- Guarantees: an entry whose words are the same is not touched
-- Errors:     22023 names the place of a text that has too many words
-- Example:    SELECT docgraph.index_words('default', '{a.md}', '{a.md}', true);
CREATE OR REPLACE FUNCTION docgraph.index_words(tenant text, ids text[], named text[], counting boolean) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET extra_float_digits = 1
    SET enable_nestloop = off
    SET jit = off
AS $$
DECLARE
    space record;
    found record;
    dictionary record;
    counted record;
BEGIN
    SELECT s.average_length, s.k1, s.b INTO space FROM docgraph.embedding_space s;
    BEGIN
        found := docgraph.read_words(tenant, ids);
    EXCEPTION
        WHEN program_limit_exceeded THEN
            -- Reads the same texts again, one by one, and so comes upon it.
            PERFORM docgraph.refuse_words(tenant, ids, named);
    END;
    IF found.documents IS NULL THEN
        RETURN;
    END IF;
    IF EXISTS (SELECT FROM unnest(found.lexemes) AS e (lexemes) WHERE length(e.lexemes) > docgraph.bound('words_of_text')) THEN
        PERFORM docgraph.refuse_words(tenant, ids, named);
    END IF;
    dictionary := docgraph.number_words(tenant, ARRAY(
        SELECT DISTINCT w.lexeme FROM unnest(found.lexemes || found.was) AS e (lexemes) CROSS JOIN LATERAL unnest(e.lexemes) AS w
    ));

    DELETE FROM docgraph.lexical_index i
    USING ROWS FROM (unnest(found.documents), unnest(found.ordinals), unnest(found.lexemes))
        AS e (document_id, ordinal, lexemes)
    WHERE e.lexemes IS NULL AND i.tenant_id = tenant AND i.document_id = e.document_id AND i.ordinal = e.ordinal
        AND i.document_id = ANY (ids);
    INSERT INTO docgraph.lexical_index (tenant_id, document_id, ordinal, access_class, lexemes, title, weights)
    SELECT tenant, e.document_id, e.ordinal, e.access_class, e.lexemes, e.title, docgraph.sparse(coalesce(w.weights, ''))
    FROM ROWS FROM (unnest(found.documents), unnest(found.ordinals), unnest(found.classes), unnest(found.titles),
        unnest(found.lexemes)) WITH ORDINALITY AS e (document_id, ordinal, access_class, title, lexemes, place)
    LEFT JOIN (
        SELECT t.place, string_agg(
            d.term_number || ':' || docgraph.word_weight(t.times, t.length, space.average_length, space.k1, space.b), ','
        ) AS weights
        FROM (
            SELECT e.place, w.lexeme, cardinality(w.positions) AS times,
                sum(cardinality(w.positions)) OVER (PARTITION BY e.place) AS length
            FROM unnest(found.lexemes) WITH ORDINALITY AS e (lexemes, place)
            CROSS JOIN LATERAL unnest(e.lexemes) AS w
        ) AS t
        JOIN ROWS FROM (unnest(dictionary.known), unnest(dictionary.numbers)) AS d (term, term_number) ON d.term = t.lexeme
        GROUP BY t.place
    ) AS w ON w.place = e.place
    WHERE e.lexemes IS NOT NULL
    ON CONFLICT ON CONSTRAINT lexical_index_pkey DO UPDATE SET
        lexemes = excluded.lexemes, title = excluded.title, weights = excluded.weights;

    IF NOT counting THEN
        RETURN;
    END IF;
    SELECT array_agg(g.term_number) AS numbers, array_agg(g.in_chunks) AS chunks, array_agg(g.access_class) AS classes,
        array_agg(g.change) AS changes
    INTO counted
    FROM (
        SELECT f.term_number, f.in_chunks, f.access_class, sum(f.sign)::integer AS change
        FROM (
            SELECT d.term_number, e.ordinal >= 0 AS in_chunks, e.access_class, e.sign
            FROM (
                SELECT n.lexemes, n.ordinal, n.access_class, 1 AS sign
                FROM ROWS FROM (unnest(found.lexemes), unnest(found.ordinals), unnest(found.classes))
                    AS n (lexemes, ordinal, access_class)
                UNION ALL
                SELECT o.lexemes, o.ordinal, o.access_class, -1
                FROM ROWS FROM (unnest(found.was), unnest(found.ordinals), unnest(found.classes))
                    AS o (lexemes, ordinal, access_class)
            ) AS e
            CROSS JOIN LATERAL unnest(e.lexemes) AS w
            JOIN ROWS FROM (unnest(dictionary.known), unnest(dictionary.numbers)) AS d (term, term_number) ON d.term = w.lexeme
            UNION ALL
            SELECT 0, e.ordinal >= 0, e.access_class, (e.lexemes IS NOT NULL)::integer - (e.was IS NOT NULL)::integer
            FROM ROWS FROM (unnest(found.lexemes), unnest(found.was), unnest(found.ordinals), unnest(found.classes))
                AS e (lexemes, was, ordinal, access_class)
        ) AS f
        GROUP BY f.term_number, f.in_chunks, f.access_class
        HAVING sum(f.sign) <> 0
        ORDER BY f.term_number, f.in_chunks, f.access_class
    ) AS g;
    PERFORM docgraph.add_counts(tenant, counted.numbers, counted.chunks, counted.classes, counted.changes);
END
$$;

COMMENT ON FUNCTION docgraph.index_words(text, text[], text[], boolean) IS
    'Core. Brings the lexical index up to date with documents and chunks as they are stored by now.';
REVOKE ALL ON FUNCTION docgraph.index_words(text, text[], text[], boolean) FROM PUBLIC;
