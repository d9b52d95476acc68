-- move_counts: counts the words of documents in another access class, or not at all, before the documents go there.
--
-- Called before a document's class changes or it is deleted: the foreign keys then carry the entries themselves.
-- Reads:      lexical_index, lexical_terms
-- Writes:     lexical_counts
-- Guarantees: what is in that class already stays counted; NULL for the class: no longer counted
-- Errors:     none
-- Example:    SELECT docgraph.move_counts('default', '{a.md}', 1);
CREATE OR REPLACE FUNCTION docgraph.move_counts(tenant text, documents text[], new_class bigint) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_nestloop = off
    SET jit = off
AS $$
DECLARE
    dictionary record;
    moved record;
BEGIN
    dictionary := docgraph.number_words(tenant, ARRAY(
        SELECT DISTINCT w.lexeme
        FROM docgraph.lexical_index i
        CROSS JOIN LATERAL unnest(i.lexemes) AS w
        WHERE i.tenant_id = tenant AND i.document_id = ANY (documents)
            AND i.access_class IS DISTINCT FROM new_class
    ));
    SELECT array_agg(g.term_number) AS numbers, array_agg(g.in_chunks) AS chunks, array_agg(g.class) AS classes,
        array_agg(g.change) AS changes
    INTO moved
    FROM (
        SELECT f.term_number, f.in_chunks, c.class, sum(c.sign)::integer AS change
        FROM (
            SELECT d.term_number, i.ordinal >= 0 AS in_chunks, i.access_class
            FROM docgraph.lexical_index i
            CROSS JOIN LATERAL unnest(i.lexemes) AS w
            JOIN ROWS FROM (unnest(dictionary.known), unnest(dictionary.numbers)) AS d (term, term_number)
                ON d.term = w.lexeme
            WHERE i.tenant_id = tenant AND i.document_id = ANY (documents)
            UNION ALL
            SELECT 0, i.ordinal >= 0, i.access_class
            FROM docgraph.lexical_index i
            WHERE i.tenant_id = tenant AND i.document_id = ANY (documents)
        ) AS f
        CROSS JOIN LATERAL (VALUES (f.access_class, -1), (new_class, 1)) AS c (class, sign)
        WHERE f.access_class IS DISTINCT FROM new_class AND c.class IS NOT NULL
        GROUP BY f.term_number, f.in_chunks, c.class
        ORDER BY f.term_number, f.in_chunks, c.class
    ) AS g;
    PERFORM docgraph.add_counts(tenant, moved.numbers, moved.chunks, moved.classes, moved.changes);
END
$$;

COMMENT ON FUNCTION docgraph.move_counts(text, text[], bigint) IS
    'Core. Counts the words of documents in another access class, or not at all, before the documents go there.';
REVOKE ALL ON FUNCTION docgraph.move_counts(text, text[], bigint) FROM PUBLIC;
