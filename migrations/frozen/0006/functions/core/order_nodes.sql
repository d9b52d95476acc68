-- order_nodes: in which order nodes get room for their text: those of some nodes that the call may see, each once.
--
-- Seeds come in the order of seeds, and those that are not named there behind them, in the order of nodes; the others by
-- depth, then id. prioritization seed_first: seeds, then the others; graph_first: the others, then seeds; balanced: a
-- seed, another, a seed, another, and what is left of either at the end. Where nodes is empty, the seeds are the nodes.
-- What is hidden is left out first: it takes nobody's turn.
-- The settings, and an order that only one index gives, leave the planner no other way than that index.
-- Reads:      document_nodes
-- Guarantees: the lists are of one length, never NULL; given: how many different ids there were
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.order_nodes('default', '{1}', NULL, '{a.md}', 'seed_first');
CREATE OR REPLACE FUNCTION docgraph.order_nodes(
    tenant text, visible bigint[], nodes jsonb, seeds text[], prioritization text, OUT ids text[], OUT depths integer[],
    OUT parents text[], OUT are_seeds boolean[], OUT given integer
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET enable_mergejoin = off
    SET jit = off
AS $$
BEGIN
    WITH named AS MATERIALIZED (
        SELECT s.id, min(s.place) AS place FROM unnest(seeds) WITH ORDINALITY AS s (id, place) GROUP BY s.id
    ), listed AS (
        SELECT e.entry ->> 'id' AS id, (e.entry -> 'depth')::integer AS depth, e.entry ->> 'parent' AS parent,
            (e.entry -> 'is_seed')::boolean AS is_seed, e.place
        FROM jsonb_array_elements(coalesce(nodes, '[]')) WITH ORDINALITY AS e (entry, place)
        UNION ALL
        SELECT n.id, 0, NULL, true, n.place
        FROM named n
        WHERE coalesce(nodes, '[]') = '[]'
    ), once AS MATERIALIZED (
        SELECT DISTINCT ON (l.id) l.id, l.depth, l.parent, l.is_seed OR n.id IS NOT NULL AS is_seed,
            n.place AS seed_place, l.place
        FROM listed l
        LEFT JOIN named n ON n.id = l.id
        ORDER BY l.id, l.place
    ), seen AS (
        SELECT o.*, row_number() OVER (
            PARTITION BY o.is_seed
            ORDER BY CASE WHEN o.is_seed THEN o.seed_place END NULLS LAST, CASE WHEN o.is_seed THEN o.place END,
                o.depth, o.id COLLATE "C"
        ) AS turn
        FROM once o
        CROSS JOIN LATERAL (
            SELECT d.document_id
            FROM docgraph.document_nodes d
            WHERE d.tenant_id = tenant AND d.document_id BETWEEN o.id AND o.id AND d.access_class = ANY (visible)
            ORDER BY d.document_id
        ) AS d
    ), placed AS (
        SELECT s.*, row_number() OVER (
            ORDER BY CASE prioritization
                WHEN 'seed_first' THEN (NOT s.is_seed)::integer
                WHEN 'graph_first' THEN s.is_seed::integer
            END, s.turn, s.is_seed DESC
        ) AS nth
        FROM seen s
    )
    SELECT coalesce(array_agg(p.id ORDER BY p.nth), '{}'), coalesce(array_agg(p.depth ORDER BY p.nth), '{}'),
        coalesce(array_agg(p.parent ORDER BY p.nth), '{}'), coalesce(array_agg(p.is_seed ORDER BY p.nth), '{}'),
        (SELECT count(*) FROM once)
    INTO ids, depths, parents, are_seeds, given
    FROM placed p;
END
$$;

COMMENT ON FUNCTION docgraph.order_nodes(text, bigint[], jsonb, text[], text) IS
    'Core. In which order nodes get room for their text; those that the call may see, each once.';
REVOKE ALL ON FUNCTION docgraph.order_nodes(text, bigint[], jsonb, text[], text) FROM PUBLIC;
