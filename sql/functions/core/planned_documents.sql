-- planned_documents: the documents that a plan may bring in, in its order, and why each is in, in words.
--
-- A plan that was sealed anew may claim anything: its own limits are applied to it once more, and so are the highest
-- that there are. Its relation types and scope are no limits: they say how it was made. A document stays while it is
-- among the first expanded_per_seed, as planning orders them, of one of the seeds that stay; of these the first
-- max_documents stay, in the order of the plan, with the reasons that come from seeds that stay.
-- Reads:      nothing: whether the documents are there and to be seen is not asked here
-- Guarantees: of a plan that planning has made, all; seeds first: seeds is how many; places are those in the plan, from 1;
--             over_caps is how many are left out
-- Errors:     none for a checked plan
-- Example:    SELECT * FROM docgraph.planned_documents(docgraph.plan_retrieval('default', '{}', seeds => '{README.md}'));
CREATE OR REPLACE FUNCTION docgraph.planned_documents(
    plan jsonb, OUT documents text[], OUT places integer[], OUT reasons text[], OUT seeds integer,
    OUT over_caps integer
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET jit = off
AS $$
DECLARE
    claimed constant jsonb := plan -> 'constraints';
    found_limit constant integer := least((claimed -> 'seed_limit')::integer, docgraph.bound('seeds'));
    per_seed constant integer := least((claimed -> 'expanded_per_seed')::integer, docgraph.bound('expanded_per_seed'));
    total constant integer := least((claimed -> 'max_documents')::integer, docgraph.bound('documents'));
    listed_seeds constant integer := jsonb_array_length(plan -> 'seed_documents');
    seed_ids text[];
    seed_places integer[];
    seed_reasons text[];
BEGIN
    SELECT array_agg(s.document_id ORDER BY s.place), array_agg(s.place::integer ORDER BY s.place)
    INTO seed_ids, seed_places
    FROM (
        SELECT e.entry ->> 'document_id' AS document_id, e.place,
            row_number() OVER (PARTITION BY e.entry ->> 'origin' = 'given' ORDER BY e.place) AS nth,
            CASE e.entry ->> 'origin' WHEN 'given' THEN docgraph.bound('ids') ELSE found_limit END AS at_most
        FROM jsonb_array_elements(plan -> 'seed_documents') WITH ORDINALITY AS e (entry, place)
    ) AS s
    WHERE s.nth <= s.at_most;
    seed_ids := coalesce(seed_ids[:total], '{}');
    seed_places := coalesce(seed_places[:total], '{}');
    seeds := cardinality(seed_ids);
    SELECT coalesce(array_agg(docgraph.reasons_in_words(
        docgraph.reason_of_seed(e.entry ->> 'rank', e.entry ->> 'origin') || l.reasons) ORDER BY s.nth), '{}')
    INTO seed_reasons
    FROM unnest(seed_places) WITH ORDINALITY AS s (place, nth)
    CROSS JOIN LATERAL (SELECT plan -> 'seed_documents' -> (s.place - 1) AS entry) AS e
    CROSS JOIN LATERAL (
        SELECT array_agg(docgraph.reason_of_link(v.reason ->> 'relation_type', v.reason ->> 'from') ORDER BY v.nth) AS reasons
        FROM jsonb_array_elements(e.entry -> 'via') WITH ORDINALITY AS v (reason, nth)
        WHERE v.reason ->> 'from' IN (SELECT k.document_id FROM unnest(seed_ids) AS k (document_id))
    ) AS l;

    WITH led_to AS MATERIALIZED (
        -- By themselves: the windows below would sort whole entries, once for each of their reasons.
        SELECT e.entry ->> 'document_id' AS document_id, e.place, v.nth,
            v.reason ->> 'relation_type' AS relation_type, v.reason ->> 'from' AS from_document
        FROM jsonb_array_elements(plan -> 'expanded_documents') WITH ORDINALITY AS e (entry, place)
        CROSS JOIN jsonb_array_elements(e.entry -> 'via') WITH ORDINALITY AS v (reason, nth)
        WHERE v.reason ->> 'from' IN (SELECT s.document_id FROM unnest(seed_ids) AS s (document_id))
    )
    SELECT seed_ids || coalesce(array_agg(d.document_id ORDER BY d.place), '{}'),
        seed_places || coalesce(array_agg(listed_seeds + d.place::integer ORDER BY d.place), '{}'),
        seed_reasons || coalesce(array_agg(d.reason ORDER BY d.place), '{}')
    INTO documents, places, reasons
    FROM (
        SELECT r.document_id, r.place,
            docgraph.reasons_in_words(array_agg(
                docgraph.reason_of_link(r.relation_type, r.from_document) ORDER BY r.nth)) AS reason
        FROM (
            SELECT f.document_id, f.place, f.nth, f.relation_type, f.from_document,
                dense_rank() OVER (
                    PARTITION BY f.from_document
                    ORDER BY f.first_type COLLATE "C", f.document_id COLLATE "C") AS place_at_seed
            FROM (
                SELECT l.*, min(l.relation_type COLLATE "C") OVER (PARTITION BY l.place, l.from_document) AS first_type
                FROM led_to l
            ) AS f
        ) AS r
        GROUP BY r.document_id, r.place
        HAVING min(r.place_at_seed) <= per_seed
        ORDER BY r.place
        LIMIT total - cardinality(seed_ids)
    ) AS d;
    over_caps := listed_seeds + jsonb_array_length(plan -> 'expanded_documents') - cardinality(documents);
END
$$;

COMMENT ON FUNCTION docgraph.planned_documents(jsonb) IS
    'Core. The documents that a plan may bring in, its limits applied once more, and why each is in.';
REVOKE ALL ON FUNCTION docgraph.planned_documents(jsonb) FROM PUBLIC;
