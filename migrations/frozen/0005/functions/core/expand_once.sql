-- expand_once: the documents that seeds bring into a plan: what they refer to, one step, and why each is in.
--
-- Nearly always the limits leave nothing out, and one look at the relationships of the seeds gives all (core function
-- all_links); else which of them count is another matter (core function first_links).
-- There is no other step: nothing here calls it again, and what is found is never looked at as a seed.
-- Reads:      document_relationships
-- Guarantees: documents: [{"document_id", "via": [{"from", "relation_type"}]}], reasons in order of seed and type,
--             documents in order of their first reason, then id; ids and reasons are theirs, the reasons in words;
--             truncated: documents, expanded_per_seed
-- Errors:     none for checked arguments: seeds that the call may see
-- Example:    SELECT * FROM docgraph.expand_once('default', '{1}', '{a.md}', NULL, 10, 39);
CREATE OR REPLACE FUNCTION docgraph.expand_once(
    tenant text, visible bigint[], seeds text[], relation_types text[], per_seed integer, total integer,
    OUT documents jsonb, OUT ids text[], OUT reasons text[], OUT truncated text[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET jit = off
AS $$
DECLARE
    links record;
BEGIN
    links := docgraph.all_links(tenant, visible, seeds, relation_types, per_seed);
    IF links.documents IS NOT NULL THEN
        truncated := '{}';
    ELSE
        links := docgraph.first_links(tenant, visible, seeds, relation_types, per_seed, total);
        truncated := links.truncated;
    END IF;

    SELECT coalesce(jsonb_agg(d.document ORDER BY d.place) FILTER (WHERE d.place <= total), '[]'),
        coalesce(array_agg(d.to_document ORDER BY d.place) FILTER (WHERE d.place <= total), '{}'),
        coalesce(array_agg(d.reason ORDER BY d.place) FILTER (WHERE d.place <= total), '{}'),
        CASE WHEN max(d.place) > total THEN '{documents}' ELSE truncated END
    INTO documents, ids, reasons, truncated
    FROM (
        SELECT r.to_document, docgraph.reasons_in_words(r.reasons) AS reason,
            jsonb_build_object('document_id', r.to_document, 'via', r.via) AS document,
            row_number() OVER (ORDER BY r.first_place, r.first_type, r.to_document) AS place
        FROM (
            SELECT l.to_document,
                jsonb_agg(jsonb_build_object('from', seeds[l.place], 'relation_type', l.relation_type)
                    ORDER BY l.place, l.relation_type) AS via,
                array_agg(docgraph.reason_of_link(l.relation_type, seeds[l.place])
                    ORDER BY l.place, l.relation_type) AS reasons,
                min(l.place) AS first_place,
                (array_agg(l.relation_type ORDER BY l.place, l.relation_type))[1] AS first_type
            FROM (
                SELECT l.place, l.relation_type COLLATE "C" AS relation_type, l.to_document COLLATE "C" AS to_document
                FROM ROWS FROM (unnest(links.places), unnest(links.types), unnest(links.documents))
                    AS l (place, relation_type, to_document)
            ) AS l
            GROUP BY l.to_document
        ) AS r
    ) AS d;
END
$$;

COMMENT ON FUNCTION docgraph.expand_once(text, bigint[], text[], text[], integer, integer) IS
    'Core. The documents that seeds bring into a plan: what they refer to, one step, and why each is in.';
REVOKE ALL ON FUNCTION docgraph.expand_once(text, bigint[], text[], text[], integer, integer) FROM PUBLIC;
