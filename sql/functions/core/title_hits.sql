-- title_hits: the documents whose title stands in a question: those first of which most stands there, then those whose
-- whole title does, then by id.
--
-- Word by word, whatever their case and the signs between them. What stands in parentheses at a title's end need not be
-- asked for, nor is a title of too many words looked for (leaf title_key). Every row of words of the question is looked up in
-- the index of titles.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables: all keys of a name are one range (leaf title_key), and an id is sought BETWEEN it AND itself,
-- because after = the order would say nothing.
-- Reads:      lexical_index, document_nodes
-- Guarantees: wanted documents at most, visible ones, none of them excluded
-- Errors:     none
-- Example:    SELECT docgraph.title_hits('default', '{1}', 'What does Parental leave say?', 10, '{}');
CREATE OR REPLACE FUNCTION docgraph.title_hits(
    tenant text, visible bigint[], question text, wanted integer, excluded text[]
) RETURNS text[]
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
    words constant text[] := string_to_array(docgraph.title_words(normalize(question)), ' ');
    titles constant text[] := ARRAY(
        SELECT DISTINCT array_to_string(words[f.first:l.last], ' ')
        FROM generate_series(1, cardinality(words)) AS f (first)
        CROSS JOIN LATERAL generate_series(
            f.first, least(f.first + docgraph.bound('title_words') - 1, cardinality(words))) AS l (last)
    );
BEGIN
    RETURN ARRAY(
        SELECT d.document_id
        FROM unnest(titles) AS t (title)
        CROSS JOIN LATERAL (
            SELECT l.document_id, l.access_class,
                CASE WHEN translate(l.title, '()', '') = ANY (titles) THEN length(translate(l.title, '()', ''))
                    ELSE 0 END AS asked
            FROM docgraph.lexical_index l
            WHERE l.tenant_id = tenant AND l.title BETWEEN t.title AND t.title || ' )' AND l.title IS NOT NULL
                AND l.access_class = ANY (visible) AND l.document_id <> ALL (excluded)
            ORDER BY l.title
        ) AS i
        CROSS JOIN LATERAL (
            SELECT n.document_id
            FROM docgraph.document_nodes n
            WHERE n.tenant_id = tenant AND n.document_id BETWEEN i.document_id AND i.document_id
                AND n.access_class = i.access_class
            ORDER BY n.document_id
        ) AS d
        ORDER BY greatest(length(t.title), i.asked) DESC, i.asked DESC, d.document_id
        LIMIT wanted
    );
END
$$;

COMMENT ON FUNCTION docgraph.title_hits(text, bigint[], text, integer, text[]) IS
    'Core. The documents whose title stands in a question, longest title first.';
REVOKE ALL ON FUNCTION docgraph.title_hits(text, bigint[], text, integer, text[]) FROM PUBLIC;
