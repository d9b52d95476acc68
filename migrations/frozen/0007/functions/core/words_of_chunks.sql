-- words_of_chunks: which words of a question stand in which of some chunks.
--
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      embedding_space, document_nodes, lexical_index
-- Guarantees: for each chunk given, a bit for each word of the question: 1 where it stands in a chunk that the call may see;
--             NULL if there is no question, or it has no words
-- Errors:     none for a checked question
-- Example:    SELECT docgraph.words_of_chunks('default', '{1}', '{a.md,b.md}', '{1,2}', '{0,0}', 'parental leave');
CREATE OR REPLACE FUNCTION docgraph.words_of_chunks(
    tenant text, visible bigint[], documents text[], positions integer[], chunks integer[], question text
) RETURNS bit varying[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
    SET max_parallel_workers_per_gather = 0
AS $$
DECLARE
    asked tsquery[];
BEGIN
    IF question IS NULL THEN
        RETURN NULL;
    END IF;
    asked := ARRAY(
        SELECT docgraph.any_word(ARRAY[w.word]) FROM unnest((docgraph.read_question(question)).words) AS w (word)
    );
    IF asked = '{}' THEN
        RETURN NULL;
    END IF;
    RETURN ARRAY(
        SELECT coalesce(i.words, repeat('0', cardinality(asked))::bit varying)
        FROM ROWS FROM (unnest(docgraph.picked(documents, positions)), unnest(chunks))
            WITH ORDINALITY AS f (document_id, ordinal, nth)
        LEFT JOIN LATERAL (
            SELECT n.document_id, n.access_class
            FROM docgraph.document_nodes n
            WHERE n.tenant_id = tenant AND n.document_id BETWEEN f.document_id AND f.document_id
                AND n.access_class = ANY (visible)
            ORDER BY n.document_id
        ) AS d ON true
        LEFT JOIN LATERAL (
            SELECT (
                SELECT string_agg(CASE WHEN l.lexemes @@ w.query THEN '1' ELSE '0' END, '' ORDER BY w.place)::bit varying
                FROM unnest(asked) WITH ORDINALITY AS w (query, place)
            ) AS words
            FROM (
                -- strip: read from the table once, and not anew for each word.
                SELECT strip(e.lexemes) AS lexemes
                FROM docgraph.lexical_index e
                WHERE e.tenant_id = tenant AND e.document_id BETWEEN d.document_id AND d.document_id
                    AND e.ordinal BETWEEN f.ordinal AND f.ordinal AND e.access_class = d.access_class
                ORDER BY e.document_id, e.ordinal
            ) AS l
        ) AS i ON true
        ORDER BY f.nth
    );
END
$$;

COMMENT ON FUNCTION docgraph.words_of_chunks(text, bigint[], text[], integer[], integer[], text) IS
    'Core. Which words of a question stand in which of some chunks.';
REVOKE ALL ON FUNCTION docgraph.words_of_chunks(text, bigint[], text[], integer[], integer[], text) FROM PUBLIC;
