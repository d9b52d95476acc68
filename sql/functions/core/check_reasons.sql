-- check_reasons: refuses a plan in which a document has no reason, one reason twice, or one that is no other seed's.
--
-- A seed needs none; what other seeds say of it stands in its via, if there is any.
--
-- A part of core function check_plan, which has looked at everything around the reasons.
-- Reads:      nothing
-- Guarantees: the first bad document is named
-- Errors:     22023
-- Example:    SELECT docgraph.check_reasons('{"seed_documents": [], "expanded_documents": []}');
CREATE OR REPLACE FUNCTION docgraph.check_reasons(plan jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    seeds constant text[] := ARRAY(
        SELECT s.entry ->> 'document_id' FROM jsonb_array_elements(plan -> 'seed_documents') AS s (entry));
    bad record;
BEGIN
    -- By themselves: the grouping below would sort whole entries, once for each of their reasons.
    WITH r AS MATERIALIZED (
        SELECT d.list, d.n, d.i, v.reason,
            CASE jsonb_typeof(v.reason)
                WHEN 'object' THEN v.reason - ARRAY['from', 'relation_type'] = '{}'
                    AND coalesce(docgraph.fits(v.reason -> 'from', 'id'), false)
                    AND coalesce(docgraph.fits(v.reason -> 'relation_type', 'id'), false)
                ELSE false
            END AS is_reason,
            -- Looked up, not compared with each: there can be thousands of both.
            v.reason ->> 'from' IN (SELECT s.document_id FROM unnest(seeds) AS s (document_id))
                AND v.reason -> 'from' <> d.entry -> 'document_id' AS is_seeds
        FROM (
            SELECT l.list, l.n, e.i, e.entry
            FROM (VALUES (1, 'seed_documents'), (2, 'expanded_documents')) AS l (n, list)
            CROSS JOIN jsonb_array_elements(plan -> l.list) WITH ORDINALITY AS e (entry, i)
            WHERE l.list = 'expanded_documents' OR e.entry ? 'via'
        ) AS d
        LEFT JOIN LATERAL jsonb_array_elements(d.entry -> 'via') AS v (reason) ON true
    )
    SELECT format('plan.%s[%s].via', r.list, r.i - 1) AS place,
        count(r.reason) = 0 AS is_empty,
        coalesce(bool_or(NOT r.is_reason), false) AS has_another_shape,
        coalesce(bool_or(NOT r.is_seeds), false) AS is_no_seeds
    INTO bad
    FROM r
    GROUP BY r.list, r.n, r.i
    HAVING count(DISTINCT r.reason) <> greatest(count(r.reason), 1)
        OR bool_or(NOT r.is_reason) OR bool_or(NOT r.is_seeds)
    ORDER BY r.n, r.i
    LIMIT 1;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF bad.is_empty THEN
        RAISE EXCEPTION '% must not be empty', bad.place
            USING ERRCODE = '22023', HINT = 'It says why the document is in the plan; a seed that needs no reason has none.';
    END IF;
    IF bad.has_another_shape THEN
        RAISE EXCEPTION '% must be a list of objects with from and relation_type, both a text of 1 to % bytes',
            bad.place, docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'from is the id of a seed of the plan.';
    END IF;
    IF bad.is_no_seeds THEN
        RAISE EXCEPTION '% must come from other seeds of the plan', bad.place
            USING ERRCODE = '22023', HINT = 'A plan goes one step: from a seed, never from what a seed brought in.';
    END IF;
    RAISE EXCEPTION '% has the same reason twice', bad.place
        USING ERRCODE = '22023', HINT = 'Each pair of seed and relation type stands there once.';
END
$$;

COMMENT ON FUNCTION docgraph.check_reasons(jsonb) IS
    'Core. Refuses a plan whose documents do not come from its seeds (22023).';
REVOKE ALL ON FUNCTION docgraph.check_reasons(jsonb) FROM PUBLIC;
