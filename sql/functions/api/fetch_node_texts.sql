-- fetch_node_texts: the texts of nodes, as rows, within a budget. The only one of the three stages that gives text.
--
-- nodes is what expand_dependency_tree gives under that name; where it is NULL or empty, the seeds are fetched: one of the two
-- must be given. seeds also says in which order seeds come, and makes seeds of nodes that are among them. The budget is
-- max_chars or budget_tokens, one of the two; running_total counts in its unit.
-- The text of a document is that of its chunks, in their order, without what overlapping chunks repeat; of one without
-- chunks it is the summary. Texts are atomic: what does not fit is passed over, and the next one is tried.
-- prioritization seed_first: seeds, then the others by depth and id; graph_first: the others, then seeds; balanced: a seed,
-- another, a seed, another.
-- The last row is the accounting: how many nodes there were, what was left out and for which reason, and under sensitivity
-- every tag, every label and the highest clearance of the documents that are shown: treat the answer by that.
-- Reads:      access_grants, access_classes, document_nodes, vector_chunks
-- Guarantees: every id is authorised anew, none is added; the budget is never exceeded; one row of accounting, always;
--             missing counts ids that are unknown or hidden, which are not told apart
-- Errors:     22023, 40001, 42501
-- Example:    SELECT * FROM docgraph.fetch_node_texts('default', '{}',
--                 docgraph.expand_dependency_tree('default', '{}', '{README.md}') -> 'nodes', budget_tokens => 2000);
CREATE OR REPLACE FUNCTION docgraph.fetch_node_texts(
    tenant text, access jsonb, nodes jsonb DEFAULT NULL, seeds text[] DEFAULT NULL, max_chars integer DEFAULT NULL,
    budget_tokens integer DEFAULT NULL, prioritization text DEFAULT 'seed_first'
)
    RETURNS TABLE (
        place integer, id text, is_seed boolean, depth integer, parent text, text text, tokens integer,
        running_total bigint, accounting jsonb
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    budget record;
BEGIN
    PERFORM docgraph.check_nodes(nodes, seeds);
    budget := docgraph.check_fetching(max_chars, budget_tokens, prioritization, NULL);
    RETURN QUERY
    SELECT t.*
    FROM docgraph.node_texts(tenant, visible, nodes, seeds, budget.unit, budget.room, prioritization) AS t;
END
$$;

COMMENT ON FUNCTION docgraph.fetch_node_texts(text, jsonb, jsonb, text[], integer, integer, text) IS
    'API, reader. The texts of nodes, as rows, within a budget; the last row is the accounting. '
    'SELECT * FROM docgraph.fetch_node_texts(''default'', ''{}'', '
    'docgraph.expand_dependency_tree(''default'', ''{}'', ''{README.md}'') -> ''nodes'', budget_tokens => 2000);';
REVOKE ALL ON FUNCTION docgraph.fetch_node_texts(text, jsonb, jsonb, text[], integer, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.fetch_node_texts(text, jsonb, jsonb, text[], integer, integer, text)
    TO docgraph_reader;
