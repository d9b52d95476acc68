-- node_texts: the texts of nodes within a budget, and the accounting.
--
-- Nodes get room in the order of core function order_nodes. A text is atomic: what does not fit is passed over and counted, and
-- the next one is tried.
-- Reads:      access_classes, document_nodes, vector_chunks
-- Guarantees: as API function fetch_node_texts
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.node_texts('default', '{1}', NULL, '{a.md}', 'tokens', 2000, 'seed_first');
CREATE OR REPLACE FUNCTION docgraph.node_texts(
    tenant text, visible bigint[], nodes jsonb, seeds text[], unit text, room integer, prioritization text
)
    RETURNS TABLE (
        place integer, id text, is_seed boolean, depth integer, parent text, text text, tokens integer,
        running_total bigint, accounting jsonb
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    ordered record;
    measured record;
    fitted record;
BEGIN
    ordered := docgraph.order_nodes(tenant, visible, nodes, seeds, prioritization);
    measured := docgraph.measure_texts(tenant, visible, ordered.ids, unit = 'tokens', room);
    fitted := docgraph.fit_pieces(measured.sizes, room);
    RETURN QUERY
    SELECT k.place::integer, n.id, n.is_seed, n.depth, n.parent, docgraph.read_text(tenant, visible, n.id), n.tokens,
        sum(n.size) OVER (ORDER BY k.place), NULL::jsonb
    FROM unnest(fitted.kept) WITH ORDINALITY AS k (nth, place)
    JOIN ROWS FROM (
        unnest(ordered.ids), unnest(ordered.are_seeds), unnest(ordered.depths), unnest(ordered.parents),
        unnest(measured.tokens), unnest(measured.sizes)
    ) WITH ORDINALITY AS n (id, is_seed, depth, parent, tokens, size, nth) ON n.nth = k.nth
    ORDER BY k.place;
    RETURN QUERY
    SELECT NULL::integer, NULL, NULL::boolean, NULL::integer, NULL, NULL, NULL::integer, NULL::bigint, jsonb_build_object(
        'format', 1,
        'nodes', jsonb_build_object(
            'given', ordered.given, 'missing', ordered.given - cardinality(ordered.ids),
            'without_text', cardinality(array_positions(measured.sizes, NULL)), 'shown', cardinality(fitted.kept)),
        'left_out', jsonb_build_object('budget', fitted.passed_over),
        'budget', jsonb_build_object('unit', unit, 'limit', room, 'used', fitted.used),
        'prioritization', prioritization,
        'sensitivity', docgraph.sensitivity_of(
            tenant, visible, ARRAY(SELECT ordered.ids[k.nth] FROM unnest(fitted.kept) AS k (nth))));
END
$$;

COMMENT ON FUNCTION docgraph.node_texts(text, bigint[], jsonb, text[], text, integer, text) IS
    'Core. The texts of nodes within a budget, and the accounting.';
REVOKE ALL ON FUNCTION docgraph.node_texts(text, bigint[], jsonb, text[], text, integer, text) FROM PUBLIC;
