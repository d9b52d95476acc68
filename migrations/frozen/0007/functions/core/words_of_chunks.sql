-- words_of_chunks: which words of a question stand in which of some chunks.
--
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      embedding_space, document_nodes, lexical_index
-- Guarantees: two lists of one length: the place of a chunk among those given, and that of a word among the question's; chunks
--             that the call may see only; NULL if there is no question, or it has no words
-- Errors:     none for a checked question
-- Example:    SELECT docgraph.words_of_chunks('default', '{1}', '{a.md,b.md}', '{1,2}', '{0,0}', 'parental leave');
CREATE OR REPLACE FUNCTION docgraph.words_of_chunks(
    tenant text, visible bigint[], documents text[], positions integer[], chunks integer[], question text,
    OUT found_in integer[], OUT words integer[]
)
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
    asked text[];
BEGIN
    IF question IS NULL THEN
        RETURN;
    END IF;
    asked := (docgraph.read_question(question)).words;
    IF asked = '{}' THEN
        RETURN;
    END IF;
    SELECT coalesce(array_agg(f.nth), '{}'), coalesce(array_agg(w.place), '{}')
    INTO found_in, words
    FROM ROWS FROM (unnest(docgraph.picked(documents, positions)), unnest(chunks))
        WITH ORDINALITY AS f (document_id, ordinal, nth)
    CROSS JOIN LATERAL (
        SELECT n.document_id, n.access_class
        FROM docgraph.document_nodes n
        WHERE n.tenant_id = tenant AND n.document_id BETWEEN f.document_id AND f.document_id
            AND n.access_class = ANY (visible)
        ORDER BY n.document_id
    ) AS d
    CROSS JOIN LATERAL (
        SELECT l.lexemes
        FROM docgraph.lexical_index l
        WHERE l.tenant_id = tenant AND l.document_id BETWEEN d.document_id AND d.document_id
            AND l.ordinal BETWEEN f.ordinal AND f.ordinal AND l.access_class = d.access_class
        ORDER BY l.document_id, l.ordinal
    ) AS i
    CROSS JOIN LATERAL unnest(asked) WITH ORDINALITY AS w (word, place)
    WHERE i.lexemes @@ docgraph.any_word(ARRAY[w.word]);
END
$$;

COMMENT ON FUNCTION docgraph.words_of_chunks(text, bigint[], text[], integer[], integer[], text) IS
    'Core. Which words of a question stand in which of some chunks.';
REVOKE ALL ON FUNCTION docgraph.words_of_chunks(text, bigint[], text[], integer[], integer[], text) FROM PUBLIC;
