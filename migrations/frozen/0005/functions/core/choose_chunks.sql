-- choose_chunks: which chunks of planned documents become evidence, in the order in which they are chosen.
--
-- Candidates are the per_document nearest chunks of each document; every chunk of it is compared. Choosing goes by
-- places: at place n the next of the reserve is taken where floor(reserve * n) rises, if it is not chosen already; at all
-- other places the nearest that is left. The reserve is for documents that seeds brought in: their candidates by
-- distance, one of each document before any gets a second. So a smaller max_chunks gives the beginning of a larger one.
-- The settings, and an order that only one index gives, leave the planner no other way than that index.
-- Reads:      vector_chunks
-- Guarantees: chunks of these documents only, that the call may see and that have a vector; the lists are of one length;
--             over_document and over_all count what per_document and max_chunks left out
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.choose_chunks('default', '{1}', '{a.md,b.md}', 1, '[3,4]', 'cosine', 10, 3, 0.4);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.choose_chunks(
    tenant text, visible bigint[], documents text[], seeds integer, query halfvec, metric text, max_chunks integer,
    per_document integer, reserve numeric, OUT positions integer[], OUT chunks integer[],
    OUT distances double precision[], OUT chosen_by text[], OUT over_document integer, OUT over_all integer
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET max_parallel_workers_per_gather = 0
    SET jit = off
AS $$
DECLARE
    near record;
    kept integer[];
    is_taken boolean[];
    next_near integer := 1;
    next_reserved integer := 0;
    one integer;
BEGIN
    SELECT coalesce(array_agg(c.position ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}') AS positions,
        coalesce(array_agg(c.ordinal ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}') AS chunks,
        coalesce(array_agg(c.distance ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}') AS distances,
        array_agg(c.nth ORDER BY c.place, c.nth) FILTER (WHERE c.is_candidate AND c.position > seeds) AS reserved,
        count(*) AS of_all
    INTO near
    FROM (
        SELECT a.position, a.ordinal, a.distance, a.place, a.place <= per_document AS is_candidate,
            row_number() OVER (
                ORDER BY a.place > per_document, a.distance, a.document_id, a.ordinal) AS nth
        FROM (
            SELECT p.position, p.document_id, v.ordinal, v.distance,
                row_number() OVER (PARTITION BY p.position ORDER BY v.distance, v.ordinal) AS place
            FROM unnest(documents) WITH ORDINALITY AS p (document_id, position)
            CROSS JOIN LATERAL (
                SELECT c.ordinal, docgraph.distance(c.embedding, query, metric) AS distance
                FROM docgraph.vector_chunks c
                WHERE c.tenant_id = tenant AND c.document_id BETWEEN p.document_id AND p.document_id
                    AND c.access_class = ANY (visible) AND c.embedding IS NOT NULL
                ORDER BY c.document_id, c.ordinal
            ) AS v
        ) AS a
    ) AS c;

    kept := '{}';
    chosen_by := '{}';
    FOR n IN 1 .. least(max_chunks, cardinality(near.positions)) LOOP
        one := NULL;
        IF floor(reserve * n) > floor(reserve * (n - 1)) THEN
            next_reserved := next_reserved + 1;
            one := near.reserved[next_reserved];
        END IF;
        IF one IS NULL OR is_taken[one] THEN
            WHILE is_taken[next_near] LOOP
                next_near := next_near + 1;
            END LOOP;
            one := next_near;
            chosen_by := chosen_by || 'similarity'::text;
        ELSE
            chosen_by := chosen_by || 'reserve'::text;
        END IF;
        is_taken[one] := true;
        kept := kept || one;
    END LOOP;

    SELECT coalesce(array_agg(near.positions[k.nth] ORDER BY k.turn), '{}'),
        coalesce(array_agg(near.chunks[k.nth] ORDER BY k.turn), '{}'),
        coalesce(array_agg(near.distances[k.nth] ORDER BY k.turn), '{}')
    INTO positions, chunks, distances
    FROM unnest(kept) WITH ORDINALITY AS k (nth, turn);
    over_document := near.of_all - cardinality(near.positions);
    over_all := cardinality(near.positions) - cardinality(kept);
END
$$;

COMMENT ON FUNCTION docgraph.choose_chunks(
    text, bigint[], text[], integer, halfvec, text, integer, integer, numeric
) IS 'Core. Which chunks of planned documents become evidence, in the order in which they are chosen.';
REVOKE ALL ON FUNCTION docgraph.choose_chunks(
    text, bigint[], text[], integer, halfvec, text, integer, integer, numeric
) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
