-- check_expansion: refuses what can be no way of expanding; gives the distinct relation types of the allow-list.
--
-- Reads:      nothing
-- Guarantees: NULL, which is all types, stays NULL
-- Errors:     22023
-- Example:    SELECT docgraph.check_expansion(2, 200, 50, '{calls}', 'incoming');
CREATE OR REPLACE FUNCTION docgraph.check_expansion(
    max_depth integer, max_nodes integer, fan_out integer, edge_allowlist text[], direction text
) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM docgraph.check_limit('max_depth', max_depth, 'tree_depth');
    PERFORM docgraph.check_limit('max_nodes', max_nodes, 'tree_nodes');
    PERFORM docgraph.check_limit('fan_out', fan_out, 'fan_out');
    IF max_nodes::bigint * fan_out > docgraph.bound('tree_edges') THEN
        RAISE EXCEPTION 'max_nodes times fan_out must be at most %', docgraph.bound('tree_edges')
            USING ERRCODE = '22023', HINT = 'So many relationships may be followed: lower one of the two.';
    END IF;
    PERFORM docgraph.check_choice('direction', direction, ARRAY['outgoing', 'incoming', 'both']);
    RETURN CASE WHEN edge_allowlist IS NOT NULL THEN docgraph.check_ids('edge_allowlist', edge_allowlist) END;
END
$$;

COMMENT ON FUNCTION docgraph.check_expansion(integer, integer, integer, text[], text) IS
    'Core. Refuses what can be no way of expanding (22023); the distinct relation types that are allowed.';
REVOKE ALL ON FUNCTION docgraph.check_expansion(integer, integer, integer, text[], text) FROM PUBLIC;
