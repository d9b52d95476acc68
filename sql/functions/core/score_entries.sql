-- score_entries: the entries of the lexical index that score highest for a query: places of them, and what is as good.
--
-- candidates is what an entry must match to be looked at; where it is NULL, all that the call may see are looked at, by
-- their class. What must hold is looked at in the row, too: while an index takes new entries in from the list that it keeps
-- of them, a scan may find a row under one word, and not yet under one that it must not have. Scores are in single
-- precision here: whatever may be as good as the last place is given, too, so that an exact count may decide; rounding is
-- how far, as a part of a score, a sum can be from the exact one. What scores less than lowest is no better than the last
-- place; NULL where there are fewer.
-- The fence (OFFSET 0) leaves no other way than the indexes of lexemes, one for chunks and one for documents, of whose arms one is
-- executed. They know of no tenants, and the filter stands behind them. As a rule one round does: the second is for scores of
-- which many are the same.
-- Reads:      lexical_index
-- Guarantees: only visible entries for which must holds, none of an excluded document
-- Errors:     none
-- Example:    SELECT docgraph.score_entries('default', '{1}', true, docgraph.sparse('7:6.2'), 'leave', NULL, 10, 0.000001, '{}');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.score_entries(
    tenant text, visible bigint[], chunks boolean, query sparsevec, candidates tsquery, must tsquery, places integer,
    rounding double precision, excluded text[], OUT documents text[], OUT ordinals integer[], OUT lowest double precision
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_indexscan = on
    SET enable_bitmapscan = on
    SET jit = off
    SET max_parallel_workers_per_gather = 0
    SET gin_fuzzy_search_limit = 0
AS $$
DECLARE
    at_least double precision := 0;
    room integer := places + 20;
    found record;
    good integer;
BEGIN
    LOOP
        IF candidates IS NULL THEN
            SELECT array_agg(s.document_id) AS documents, array_agg(s.ordinal) AS ordinals, array_agg(s.score) AS scores INTO found
            FROM (
                SELECT i.document_id, i.ordinal, docgraph.words_score(i.weights, query) AS score
                FROM docgraph.lexical_index i
                WHERE i.tenant_id = tenant AND i.access_class = ANY (visible) AND (i.ordinal >= 0) = chunks
                    AND docgraph.words_score(i.weights, query) > at_least AND (must IS NULL OR i.lexemes @@ must)
                    AND i.document_id <> ALL (excluded)
                ORDER BY score DESC
                LIMIT room
            ) AS s;
        ELSE
            SELECT array_agg(s.document_id) AS documents, array_agg(s.ordinal) AS ordinals, array_agg(s.score) AS scores INTO found
            FROM (
                SELECT i.document_id, i.ordinal, docgraph.words_score(i.weights, query) AS score
                FROM (
                    SELECT * FROM docgraph.lexical_index c WHERE chunks AND c.ordinal >= 0 AND c.lexemes @@ candidates
                    UNION ALL
                    SELECT * FROM docgraph.lexical_index d WHERE NOT chunks AND d.ordinal < 0 AND d.lexemes @@ candidates
                    OFFSET 0
                ) AS i
                WHERE i.tenant_id = tenant AND i.access_class = ANY (visible) AND i.document_id <> ALL (excluded)
                    AND (must IS NULL OR i.lexemes @@ must)
                    AND (at_least = 0 OR docgraph.words_score(i.weights, query) > at_least)
                ORDER BY score DESC
                LIMIT room
            ) AS s;
        END IF;
        lowest := (1 - rounding) * found.scores[places] - 0.000001;
        EXIT WHEN room IS NULL OR cardinality(found.scores) < room OR found.scores[room] < lowest;
        at_least := greatest(lowest, 0);
        room := NULL;
        EXIT WHEN found.scores IS NULL;
    END LOOP;
    good := (SELECT count(*) FROM unnest(found.scores) AS s (score) WHERE lowest IS NULL OR s.score >= lowest);
    documents := coalesce(found.documents[:good], '{}');
    ordinals := coalesce(found.ordinals[:good], '{}');
END
$$;

COMMENT ON FUNCTION docgraph.score_entries(
    text, bigint[], boolean, sparsevec, tsquery, tsquery, integer, double precision, text[]
) IS 'Core. The entries of the lexical index that score highest for a query, and what is as good.';
REVOKE ALL ON FUNCTION docgraph.score_entries(
    text, bigint[], boolean, sparsevec, tsquery, tsquery, integer, double precision, text[]
) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
