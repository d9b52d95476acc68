-- refuse_words: refuses the first text of some documents that has more words than the lexical index can hold.
--
-- Each text is read by itself: this is only called where it is known that there is one. named has the ids of the call in
-- its order, for the place in it; without it the message has the id, for an administrator.
-- Reads:      embedding_space, document_nodes, vector_chunks
-- Errors:     22023 names the place
-- Example:    SELECT docgraph.refuse_words('default', '{a.md}', '{a.md}');
CREATE OR REPLACE FUNCTION docgraph.refuse_words(tenant text, ids text[], named text[]) RETURNS void
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    text_search constant text := (SELECT s.text_search FROM docgraph.embedding_space s);
    configuration constant regconfig := docgraph.parser_name(text_search);
    one record;
    words integer;
BEGIN
    FOR one IN
        SELECT t.document_id, t.ordinal, t.value
        FROM (
            SELECT d.document_id, -1 AS ordinal, concat_ws(E'\n', d.title, d.summary) AS value
            FROM docgraph.document_nodes d
            WHERE d.tenant_id = tenant AND d.document_id = ANY (ids)
            UNION ALL
            SELECT v.document_id, v.ordinal, v.text
            FROM docgraph.vector_chunks v
            WHERE v.tenant_id = tenant AND v.document_id = ANY (ids)
        ) AS t
        ORDER BY array_position(named, t.document_id), t.document_id, t.ordinal
    LOOP
        BEGIN
            words := length(to_tsvector(configuration, docgraph.indexed_text(one.value, text_search)));
        EXCEPTION
            WHEN program_limit_exceeded THEN
                words := NULL;
        END;
        IF (words <= docgraph.bound('words_of_text')) IS NOT TRUE THEN
            RAISE EXCEPTION '%.% has more different words than the lexical index can hold, %',
                coalesce('documents[' || (array_position(named, one.document_id) - 1) || ']',
                    format('tenant "%s", document "%s"', tenant, one.document_id)),
                CASE one.ordinal WHEN -1 THEN 'summary' ELSE format('chunks[%s].text', one.ordinal) END,
                docgraph.bound('words_of_text')
                USING ERRCODE = '22023', HINT = 'Cut the text into smaller chunks.';
        END IF;
    END LOOP;
END
$$;

COMMENT ON FUNCTION docgraph.refuse_words(text, text[], text[]) IS
    'Core. Refuses the first text that has more words than the lexical index can hold (22023).';
REVOKE ALL ON FUNCTION docgraph.refuse_words(text, text[], text[]) FROM PUBLIC;
