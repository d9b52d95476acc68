-- all_links: the relationships of seeds to documents that the call may see: all, if none of the seeds has more than a few.
--
-- Of a seed that has more than per_seed, visible or not, no limit can be said to leave it whole: core function
-- first_links looks at those.
-- The settings, and an order that only one index gives, keep the planner to that index.
-- Reads:      document_relationships
-- Guarantees: the lists are of one length, in no order: the place of a seed, a type, a document it leads to, which is no
--             seed; NULL where a seed has more than per_seed
-- Errors:     none for checked arguments: seeds that the call may see
-- Example:    SELECT * FROM docgraph.all_links('default', '{1}', '{a.md}', NULL, 10);
CREATE OR REPLACE FUNCTION docgraph.all_links(
    tenant text, visible bigint[], seeds text[], relation_types text[], per_seed integer, OUT places integer[],
    OUT types text[], OUT documents text[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_sort = off
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
AS $$
DECLARE
    has_more boolean;
BEGIN
    SELECT coalesce(bool_or(l.nth > per_seed), false),
        coalesce(array_agg(l.place) FILTER (WHERE l.counts), '{}'),
        coalesce(array_agg(l.relation_type) FILTER (WHERE l.counts), '{}'),
        coalesce(array_agg(l.to_document) FILTER (WHERE l.counts), '{}')
    INTO has_more, places, types, documents
    FROM (
        SELECT s.place::integer, r.relation_type, r.to_document, r.nth,
            r.to_access_class = ANY (visible) AND r.to_document <> ALL (seeds)
                AND (relation_types IS NULL OR r.relation_type = ANY (relation_types)) AS counts
        FROM unnest(seeds) WITH ORDINALITY AS s (document_id, place)
        CROSS JOIN LATERAL (
            SELECT e.relation_type, e.to_document, e.to_access_class, row_number() OVER () AS nth
            FROM docgraph.document_relationships e
            WHERE e.tenant_id = tenant AND e.from_document = s.document_id
            ORDER BY e.to_access_class
            LIMIT per_seed + 1
        ) AS r
    ) AS l;
    IF has_more THEN
        places := NULL;
        types := NULL;
        documents := NULL;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.all_links(text, bigint[], text[], text[], integer) IS
    'Core. The relationships of seeds, if none of them has more than a few.';
REVOKE ALL ON FUNCTION docgraph.all_links(text, bigint[], text[], text[], integer) FROM PUBLIC;
