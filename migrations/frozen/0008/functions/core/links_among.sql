-- links_among: the relationships between some documents: from which of them to which, and of which type.
--
-- Each pair is looked up by itself: one of them may have a million relationships. The settings, and an order that only
-- one index gives, keep the planner to the key; BETWEEN an id AND itself, because after = the order would say nothing.
-- Reads:      document_relationships
-- Guarantees: the lists are of one length, in no order, never NULL: places among ids
-- Errors:     none for checked arguments: documents that the call may see, each once
-- Example:    SELECT * FROM docgraph.links_among('default', '{1}', '{a.md,b.md}', NULL);
CREATE OR REPLACE FUNCTION docgraph.links_among(
    tenant text, visible bigint[], ids text[], relation_types text[], OUT from_places integer[], OUT types text[],
    OUT to_places integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_sort = off
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
AS $$
BEGIN
    SELECT coalesce(array_agg(d.place::integer), '{}'), coalesce(array_agg(r.relation_type), '{}'),
        coalesce(array_agg(t.place::integer), '{}')
    INTO from_places, types, to_places
    FROM unnest(ids) WITH ORDINALITY AS d (document_id, place)
    CROSS JOIN unnest(ids) WITH ORDINALITY AS t (document_id, place)
    CROSS JOIN LATERAL (
        SELECT e.relation_type
        FROM docgraph.document_relationships e
        WHERE e.tenant_id = tenant AND e.from_document = d.document_id
            AND e.to_document BETWEEN t.document_id AND t.document_id
            AND e.from_access_class = ANY (visible) AND e.to_access_class = ANY (visible)
            AND (relation_types IS NULL OR e.relation_type = ANY (relation_types))
        ORDER BY e.to_document, e.relation_type
    ) AS r;
END
$$;

COMMENT ON FUNCTION docgraph.links_among(text, bigint[], text[], text[]) IS 'Core. The relationships between some documents.';
REVOKE ALL ON FUNCTION docgraph.links_among(text, bigint[], text[], text[]) FROM PUBLIC;
