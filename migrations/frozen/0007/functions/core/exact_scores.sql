-- exact_scores: the BM25 scores of some entries of the lexical index, best first.
--
-- Word by word in the order given, in double precision, so that neither the numbers of words nor the order of rows can
-- move a digit. What the call may not see has no score, whatever brought it here: this is the join to the table behind row
-- security by which entries of the lexical index, which has none, reach a result.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      document_nodes, lexical_index
-- Guarantees: six digits; in order of score, document, ordinal; what has none of the words scores 0
-- Errors:     none
-- Example:    SELECT docgraph.exact_scores('default', '{1}', '{a.md}', '{0}', '{7}', '{6.2}', 10);
CREATE OR REPLACE FUNCTION docgraph.exact_scores(
    tenant text, visible bigint[], among text[], among_ordinals integer[], numbers integer[], worths double precision[],
    places integer, OUT documents text[], OUT ordinals integer[], OUT scores double precision[]
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
BEGIN
    WITH asked AS MATERIALIZED (
        SELECT q.worth, q.place, docgraph.sparse(q.number || ':1') AS word
        FROM ROWS FROM (unnest(numbers), unnest(worths)) WITH ORDINALITY AS q (number, worth, place)
    )
    SELECT coalesce(array_agg(s.document_id), '{}'), coalesce(array_agg(s.ordinal), '{}'), coalesce(array_agg(s.score), '{}')
    INTO documents, ordinals, scores
    FROM (
        SELECT e.document_id, e.ordinal, round(1000000 * e.score) / 1000000 AS score
        FROM (
            SELECT i.document_id, i.ordinal, (
                SELECT coalesce(sum(q.worth * docgraph.words_score(i.weights, q.word) ORDER BY q.place), 0) FROM asked q
            ) AS score
            FROM ROWS FROM (unnest(among), unnest(among_ordinals)) AS f (document_id, ordinal)
            CROSS JOIN LATERAL (
                SELECT n.document_id, n.access_class
                FROM docgraph.document_nodes n
                WHERE n.tenant_id = tenant AND n.document_id BETWEEN f.document_id AND f.document_id
                    AND n.access_class = ANY (visible)
                ORDER BY n.document_id
            ) AS d
            CROSS JOIN LATERAL (
                SELECT l.document_id, l.ordinal, l.weights
                FROM docgraph.lexical_index l
                WHERE l.tenant_id = tenant AND l.document_id BETWEEN d.document_id AND d.document_id
                    AND l.ordinal BETWEEN f.ordinal AND f.ordinal AND l.access_class = d.access_class
                ORDER BY l.document_id, l.ordinal
            ) AS i
        ) AS e
        ORDER BY 3 DESC, e.document_id, e.ordinal
        LIMIT places
    ) AS s;
END
$$;

COMMENT ON FUNCTION docgraph.exact_scores(text, bigint[], text[], integer[], integer[], double precision[], integer) IS
    'Core. The BM25 scores of some entries of the lexical index, best first.';
REVOKE ALL ON FUNCTION docgraph.exact_scores(text, bigint[], text[], integer[], integer[], double precision[], integer)
    FROM PUBLIC;
