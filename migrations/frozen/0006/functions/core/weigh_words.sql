-- weigh_words: the words of a question that what a call may see has, rarest first, with what each is worth.
--
-- The worth of a word is its rarity (idf) times how often it stands in the question. Counted over the visible classes
-- alone: a word that only hidden texts have is as unknown as one that none has.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      lexical_terms, lexical_counts
-- Guarantees: in order of worth, then of the word; nothing hidden changes it, but the numbers of words
-- Errors:     none
-- Example:    SELECT docgraph.weigh_words('default', '{1}', true, '{leave,pay}', '{1,1}');
CREATE OR REPLACE FUNCTION docgraph.weigh_words(
    tenant text, visible bigint[], chunks boolean, words text[], times integer[], OUT entries bigint, OUT known text[],
    OUT numbers integer[], OUT frequencies bigint[], OUT worths double precision[]
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
    dictionary record;
BEGIN
    SELECT array_agg(t.term) AS terms, array_agg(t.term_number) AS numbers INTO dictionary
    FROM unnest(words) AS w (word)
    CROSS JOIN LATERAL (
        SELECT t.term, t.term_number
        FROM docgraph.lexical_terms t
        WHERE t.tenant_id = tenant AND t.term BETWEEN w.word AND w.word
        ORDER BY t.term
    ) AS t;
    entries := (
        SELECT sum(c.entries)
        FROM docgraph.lexical_counts c
        WHERE c.tenant_id = tenant AND c.term_number = 0 AND c.in_chunks = chunks AND c.access_class = ANY (visible)
    );
    SELECT coalesce(array_agg(w.term), '{}'), coalesce(array_agg(w.term_number), '{}'),
        coalesce(array_agg(w.frequency), '{}'), coalesce(array_agg(w.worth), '{}')
    INTO known, numbers, frequencies, worths
    FROM (
        SELECT d.term, d.term_number, f.frequency,
            q.times * docgraph.word_rarity(weigh_words.entries, f.frequency) AS worth
        FROM ROWS FROM (unnest(words), unnest(times)) AS q (term, times)
        JOIN ROWS FROM (unnest(dictionary.terms), unnest(dictionary.numbers)) AS d (term, term_number) ON d.term = q.term
        CROSS JOIN LATERAL (
            SELECT sum(n.entries) AS frequency
            FROM (
                SELECT c.entries
                FROM docgraph.lexical_counts c
                WHERE c.tenant_id = tenant AND c.term_number BETWEEN d.term_number AND d.term_number
                    AND c.in_chunks = chunks AND c.access_class = ANY (visible)
                ORDER BY c.term_number, c.in_chunks, c.access_class
            ) AS n
        ) AS f
        WHERE f.frequency > 0
        ORDER BY worth DESC, d.term COLLATE "C"
    ) AS w;
END
$$;

COMMENT ON FUNCTION docgraph.weigh_words(text, bigint[], boolean, text[], integer[]) IS
    'Core. The words of a question that what a call may see has, rarest first, with what each is worth.';
REVOKE ALL ON FUNCTION docgraph.weigh_words(text, bigint[], boolean, text[], integer[]) FROM PUBLIC;
