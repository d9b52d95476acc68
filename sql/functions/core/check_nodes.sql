-- check_nodes: refuses what can be no nodes to fetch texts of: of another shape than an expansion gives, or not given.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_nodes('[{"id": "a.md", "depth": 0, "parent": null, "is_seed": true}]', NULL);
CREATE OR REPLACE FUNCTION docgraph.check_nodes(nodes jsonb, seeds text[]) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF nodes IS NOT NULL THEN
        PERFORM docgraph.check_entries(
            'nodes', nodes, 'tree_nodes', '{"id": "id!", "depth": "whole!", "parent": "id?", "is_seed": "flag!"}');
    END IF;
    IF seeds IS NOT NULL THEN
        PERFORM docgraph.check_ids('seeds', seeds);
    END IF;
    IF nodes IS NULL AND seeds IS NULL THEN
        RAISE EXCEPTION 'nodes or seeds must be given'
            USING ERRCODE = '22023', HINT = 'Give what expand_dependency_tree gives as nodes, or the seeds alone.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_nodes(jsonb, text[]) IS
    'Core. Refuses what can be no nodes to fetch texts of (22023).';
REVOKE ALL ON FUNCTION docgraph.check_nodes(jsonb, text[]) FROM PUBLIC;
