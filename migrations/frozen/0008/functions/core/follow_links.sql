-- follow_links: the first relationships of each of some nodes that an expansion follows, in the order in which it does.
--
-- direction outgoing: those that lead from a node, incoming: to it, both: either way.
-- Reads:      document_relationships
-- Guarantees: of each node at most most, in order of type, other end, and outgoing before incoming; the lists are of one
--             length, in order of node and then as above; never NULL; is_cut: some node has more
-- Errors:     none for checked arguments: nodes that the call may see
-- Example:    SELECT * FROM docgraph.follow_links('default', '{1}', '{a.md}', NULL, 50, 'both');
CREATE OR REPLACE FUNCTION docgraph.follow_links(
    tenant text, visible bigint[], nodes text[], relation_types text[], most integer, direction text,
    OUT places integer[], OUT types text[], OUT others text[], OUT is_incoming boolean[], OUT is_cut boolean
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET jit = off
AS $$
DECLARE
    outgoing record;
    incoming record;
BEGIN
    outgoing := docgraph.links_from(
        tenant, visible, CASE WHEN direction = 'incoming' THEN '{}' ELSE nodes END, relation_types, most);
    incoming := docgraph.links_to(
        tenant, visible, CASE WHEN direction = 'outgoing' THEN '{}' ELSE nodes END, relation_types, most);
    -- All orders are one order, so that one sort does (from PostgreSQL 16 on).
    SELECT
        coalesce(array_agg(f.place ORDER BY f.place, f.relation_type, f.other, f.is_incoming)
            FILTER (WHERE f.nth <= most), '{}'),
        coalesce(array_agg(f.relation_type ORDER BY f.place, f.relation_type, f.other, f.is_incoming)
            FILTER (WHERE f.nth <= most), '{}'),
        coalesce(array_agg(f.other ORDER BY f.place, f.relation_type, f.other, f.is_incoming)
            FILTER (WHERE f.nth <= most), '{}'),
        coalesce(array_agg(f.is_incoming ORDER BY f.place, f.relation_type, f.other, f.is_incoming)
            FILTER (WHERE f.nth <= most), '{}'),
        coalesce(max(f.nth) > most, false)
    INTO places, types, others, is_incoming, is_cut
    FROM (
        SELECT l.*, row_number() OVER (
            PARTITION BY l.place ORDER BY l.relation_type, l.other, l.is_incoming) AS nth
        FROM (
            SELECT o.place, o.relation_type COLLATE "C" AS relation_type, o.other COLLATE "C" AS other,
                false AS is_incoming
            FROM ROWS FROM (unnest(outgoing.places), unnest(outgoing.types), unnest(outgoing.others))
                AS o (place, relation_type, other)
            UNION ALL
            SELECT i.place, i.relation_type COLLATE "C", i.other COLLATE "C", true
            FROM ROWS FROM (unnest(incoming.places), unnest(incoming.types), unnest(incoming.others))
                AS i (place, relation_type, other)
        ) AS l
    ) AS f;
END
$$;

COMMENT ON FUNCTION docgraph.follow_links(text, bigint[], text[], text[], integer, text) IS
    'Core. The first relationships of each of some nodes that an expansion follows.';
REVOKE ALL ON FUNCTION docgraph.follow_links(text, bigint[], text[], text[], integer, text) FROM PUBLIC;
