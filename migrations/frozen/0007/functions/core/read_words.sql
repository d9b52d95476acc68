-- read_words: what the lexical index should have of documents, where it has something else.
--
-- One place in the lists for each entry that is new, changed or gone: a chunk by its ordinal, a document's title and
-- summary as -1. was and lexemes are NULL where there was or shall be none. Among the entries that are read are those of
-- chunks that have not changed: what a text has for words is only known by reading it.
-- Reads:      embedding_space, document_nodes, vector_chunks, lexical_index
-- Guarantees: in order of document and ordinal
-- Errors:     54000 of PostgreSQL for a text whose words do not fit into a tsvector
-- Example:    SELECT docgraph.read_words('default', '{a.md}');
CREATE OR REPLACE FUNCTION docgraph.read_words(
    tenant text, ids text[], OUT documents text[], OUT ordinals integer[], OUT classes bigint[], OUT titles text[],
    OUT lexemes tsvector[], OUT was tsvector[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_nestloop = off
    SET jit = off
AS $$
DECLARE
    text_search constant text := (SELECT s.text_search FROM docgraph.embedding_space s);
    configuration constant regconfig := docgraph.parser_name(text_search);
BEGIN
    SELECT array_agg(c.document_id), array_agg(c.ordinal), array_agg(c.access_class), array_agg(c.title),
        array_agg(c.lexemes), array_agg(c.was)
    INTO documents, ordinals, classes, titles, lexemes, was
    FROM (
        SELECT coalesce(g.document_id, i.document_id) AS document_id, coalesce(g.ordinal, i.ordinal) AS ordinal,
            coalesce(g.access_class, i.access_class) AS access_class, g.title, g.lexemes, i.lexemes AS was
        FROM (
            SELECT v.document_id, v.ordinal, v.access_class, NULL AS title,
                to_tsvector(configuration, docgraph.indexed_text(v.text, text_search)) AS lexemes
            FROM docgraph.vector_chunks v
            WHERE v.tenant_id = tenant AND v.document_id = ANY (ids)
            UNION ALL
            SELECT d.document_id, -1, d.access_class, docgraph.title_key(d.title),
                to_tsvector(configuration, docgraph.indexed_text(concat_ws(E'\n', d.title, d.summary), text_search))
            FROM docgraph.document_nodes d
            WHERE d.tenant_id = tenant AND d.document_id = ANY (ids)
        ) AS g
        FULL JOIN (
            SELECT l.document_id, l.ordinal, l.access_class, l.title, l.lexemes
            FROM docgraph.lexical_index l
            WHERE l.tenant_id = tenant AND l.document_id = ANY (ids)
        ) AS i ON i.document_id = g.document_id AND i.ordinal = g.ordinal
        WHERE g.lexemes IS DISTINCT FROM i.lexemes OR g.title IS DISTINCT FROM i.title
        ORDER BY 1, 2
    ) AS c;
END
$$;

COMMENT ON FUNCTION docgraph.read_words(text, text[]) IS
    'Core. What the lexical index should have of documents, where it has something else.';
REVOKE ALL ON FUNCTION docgraph.read_words(text, text[]) FROM PUBLIC;
