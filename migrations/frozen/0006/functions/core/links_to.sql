-- links_to: the first relationships that lead to each of some nodes, from documents that the call may see.
--
-- First each node is looked at once, up to the limit and one more, whatever can be seen of it; nearly always that is all
-- there is. Of a node that has more, each visible class, and each type if types are given, is read by itself, in the order
-- of its index, up to the limit and one more: a hub with a million relationships, visible or hidden, costs no more than
-- that. The classes: those of documents that lead to it, unless more lead to it than there are visible classes.
-- The settings, and orders that only one index gives, keep the planner to that index; IS TRUE has it look the classes up in a
-- table of hashes, however many there are.
-- Reads:      document_relationships
-- Guarantees: of each node the first most + 1 in order of type and other end; the lists are of one length, in no
--             order: the place of a node, a type, the other end; never NULL
-- Errors:     none for checked arguments: nodes that the call may see
-- Example:    SELECT * FROM docgraph.links_to('default', '{1}', '{a.md}', NULL, 50);
CREATE OR REPLACE FUNCTION docgraph.links_to(
    tenant text, visible bigint[], nodes text[], relation_types text[], most integer, OUT places integer[],
    OUT types text[], OUT others text[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_sort = off
    SET enable_mergejoin = off
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
AS $$
BEGIN
    WITH looked_at AS MATERIALIZED (
        SELECT n.id, n.place, e.*
        FROM unnest(nodes) WITH ORDINALITY AS n (id, place)
        CROSS JOIN LATERAL (
            SELECT f.*, row_number() OVER () AS nth, count(*) OVER () AS looked_at
            FROM (
                SELECT r.relation_type, r.from_document, r.from_access_class
                FROM docgraph.document_relationships r
                WHERE r.tenant_id = tenant AND r.to_document = n.id
                ORDER BY r.from_access_class
                LIMIT most + 1
            ) AS f
        ) AS e
    ), hubs AS MATERIALIZED (
        SELECT l.id, l.place FROM looked_at l WHERE l.nth > most
    ), links AS (
        SELECT l.place, l.relation_type, l.from_document
        FROM looked_at l
        WHERE l.looked_at <= most
            AND (l.from_access_class IN (SELECT v.access_class FROM unnest(visible) AS v (access_class))) IS TRUE
            AND (relation_types IS NULL OR l.relation_type = ANY (relation_types))
    ), of_hubs AS (
        SELECT h.place, n.relation_type, n.from_document,
            row_number() OVER (PARTITION BY h.place ORDER BY n.relation_type, n.from_document) AS nth
        FROM hubs h
        CROSS JOIN LATERAL (
            SELECT count(*) AS looked_at, array_agg(DISTINCT r.from_access_class) AS access_classes
            FROM (
                SELECT e.from_access_class
                FROM docgraph.document_relationships e
                WHERE e.tenant_id = tenant AND e.to_document = h.id
                ORDER BY e.from_access_class
                LIMIT cardinality(visible)
            ) AS r
        ) AS there
        CROSS JOIN LATERAL (
            SELECT c.access_class
            FROM unnest(CASE WHEN there.looked_at < cardinality(visible) THEN there.access_classes ELSE visible END)
                AS c (access_class)
            WHERE c.access_class = ANY (visible)
        ) AS v
        CROSS JOIN LATERAL (
            (
                SELECT e.relation_type, e.from_document
                FROM docgraph.document_relationships e
                WHERE relation_types IS NULL
                    AND e.tenant_id = tenant AND e.to_document = h.id AND e.from_access_class = v.access_class
                ORDER BY e.relation_type, e.from_document
                LIMIT most + 1
            )
            UNION ALL
            SELECT one.relation_type, one.from_document
            FROM unnest(relation_types) AS t (relation_type)
            CROSS JOIN LATERAL (
                SELECT e.relation_type, e.from_document
                FROM docgraph.document_relationships e
                WHERE e.tenant_id = tenant AND e.to_document = h.id AND e.from_access_class = v.access_class
                    AND e.relation_type BETWEEN t.relation_type AND t.relation_type
                ORDER BY e.relation_type, e.from_document
                LIMIT most + 1
            ) AS one
        ) AS n
    )
    SELECT coalesce(array_agg(f.place::integer), '{}'), coalesce(array_agg(f.relation_type), '{}'),
        coalesce(array_agg(f.from_document), '{}')
    INTO places, types, others
    FROM (
        SELECT l.* FROM links l
        UNION ALL
        SELECT o.place, o.relation_type, o.from_document FROM of_hubs o WHERE o.nth <= most + 1
    ) AS f;
END
$$;

COMMENT ON FUNCTION docgraph.links_to(text, bigint[], text[], text[], integer) IS
    'Core. The first relationships that lead to each of some nodes, as far as the call may see the other end.';
REVOKE ALL ON FUNCTION docgraph.links_to(text, bigint[], text[], text[], integer) FROM PUBLIC;
