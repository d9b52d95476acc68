-- expand_dependency_tree: what documents lead to over relationships, breadth first and within limits: ids, no text.
--
-- direction outgoing follows relationships as they point, incoming against it (what leads here?), both either way.
-- edge_allowlist NULL is all relation types, an empty list none. fan_out: so many relationships of one node, visible ones
-- only, in order of type and other end. max_nodes includes the seeds.
-- Gives {"nodes": [{"id", "depth", "parent", "is_seed"}], "edges": [{"from", "relation_type", "to"}], "truncated", "omitted"}.
-- It is one value, to be kept and handed to fetch_node_texts; jsonb_to_recordset makes rows of a list.
-- truncated says what there would be more of under a higher limit: depth, nodes, fan_out. omitted counts seeds that are
-- unknown or hidden; the two are not told apart.
-- Reads:      access_grants, access_classes, document_nodes, document_relationships; no column with text
-- Guarantees: nodes breadth first, seeds in their order, others by the place of their parent, relation type, id; each
--             once; edges between nodes only, by place of from, then type, to; the same whatever is hidden from the call
-- Errors:     22023, 40001, 42501
-- Example:    SELECT n.* FROM jsonb_to_recordset(
--                 docgraph.expand_dependency_tree('default', '{}', '{README.md}', max_depth => 3) -> 'nodes'
--             ) AS n (id text, depth integer, parent text, is_seed boolean);
CREATE OR REPLACE FUNCTION docgraph.expand_dependency_tree(
    tenant text, access jsonb, seeds text[], max_depth integer DEFAULT 2, max_nodes integer DEFAULT 200,
    fan_out integer DEFAULT 50, edge_allowlist text[] DEFAULT NULL, direction text DEFAULT 'outgoing'
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    allowed_types text[];
BEGIN
    PERFORM docgraph.check_seeds(seeds);
    allowed_types := docgraph.check_expansion(max_depth, max_nodes, fan_out, edge_allowlist, direction);
    RETURN docgraph.expand_tree(tenant, visible, seeds, max_depth, max_nodes, fan_out, allowed_types, direction);
END
$$;

COMMENT ON FUNCTION docgraph.expand_dependency_tree(
    text, jsonb, text[], integer, integer, integer, text[], text
) IS
    'API, reader. What documents lead to over relationships, breadth first and within limits: nodes and edges, ids only. '
    'SELECT n.* FROM jsonb_to_recordset('
    'docgraph.expand_dependency_tree(''default'', ''{}'', ''{README.md}'', max_depth => 3) -> ''nodes'''
    ') AS n (id text, depth integer, parent text, is_seed boolean);';
REVOKE ALL ON FUNCTION docgraph.expand_dependency_tree(
    text, jsonb, text[], integer, integer, integer, text[], text
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.expand_dependency_tree(
    text, jsonb, text[], integer, integer, integer, text[], text
) TO docgraph_reader;
