-- number_words: the numbers of words in a tenant; a word that has none yet gets one.
--
-- Only in the tenant's turn, or with the tables locked: nobody else numbers words meanwhile, so that the next number is the
-- one after the last. A sequence would not do: in a database that was copied from another, a crash can set it back behind
-- what is committed.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the table; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      lexical_terms
-- Writes:     lexical_terms
-- Guarantees: each word once, in no order
-- Errors:     none
-- Example:    SELECT * FROM docgraph.number_words('default', '{leave,pay}');
CREATE OR REPLACE FUNCTION docgraph.number_words(tenant text, words text[], OUT known text[], OUT numbers integer[])
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
AS $$
DECLARE
    last integer;
    added record;
BEGIN
    SELECT coalesce(array_agg(t.term), '{}'), coalesce(array_agg(t.term_number), '{}') INTO known, numbers
    FROM unnest(words) AS w (word)
    CROSS JOIN LATERAL (
        SELECT t.term, t.term_number
        FROM docgraph.lexical_terms t
        WHERE t.tenant_id = tenant AND t.term BETWEEN w.word AND w.word
        ORDER BY t.term
    ) AS t;
    SELECT t.term_number INTO last
    FROM docgraph.lexical_terms t
    WHERE t.tenant_id = tenant
    ORDER BY t.term_number DESC
    LIMIT 1;
    WITH made AS (
        INSERT INTO docgraph.lexical_terms (tenant_id, term, term_number)
        SELECT tenant, n.word, coalesce(last, 0) + row_number() OVER (ORDER BY n.word)
        FROM (SELECT unnest(words) COLLATE "C" EXCEPT SELECT unnest(known) COLLATE "C") AS n (word)
        ORDER BY n.word
        RETURNING term, term_number
    )
    SELECT array_agg(m.term) AS terms, array_agg(m.term_number) AS numbers INTO added FROM made m;
    known := known || added.terms;
    numbers := numbers || added.numbers;
END
$$;

COMMENT ON FUNCTION docgraph.number_words(text, text[]) IS
    'Core. The numbers of words in a tenant; a word that has none yet gets one.';
REVOKE ALL ON FUNCTION docgraph.number_words(text, text[]) FROM PUBLIC;
