-- leads_on: would one more step of an expansion find a node that it does not have yet?
--
-- The first few nodes nearly always say so; else all the others are asked.
-- Joins are of lists, and by hashing: each node is met many times.
-- Reads:      document_relationships
-- Guarantees: false where there are no nodes
-- Errors:     none for checked arguments: nodes that the call may see
-- Example:    SELECT docgraph.leads_on('default', '{1}', '{a.md}', '{a.md}', NULL, 50, 'outgoing');
CREATE OR REPLACE FUNCTION docgraph.leads_on(
    tenant text, visible bigint[], nodes text[], known text[], relation_types text[], most integer, direction text
) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_nestloop = off
    SET enable_mergejoin = off
    SET jit = off
AS $$
DECLARE
    few constant integer := 10;
    links record;
    leads boolean := false;
BEGIN
    FOR turn IN 1 .. 2 LOOP
        links := docgraph.follow_links(
            tenant, visible, CASE turn WHEN 1 THEN nodes[:few] ELSE nodes[few + 1:] END, relation_types, most, direction);
        leads := EXISTS (
            SELECT FROM unnest(links.others) AS l (other)
            WHERE NOT EXISTS (SELECT FROM unnest(known) AS k (id) WHERE k.id = l.other)
        );
        EXIT WHEN leads OR cardinality(nodes) <= few;
    END LOOP;
    RETURN leads;
END
$$;

COMMENT ON FUNCTION docgraph.leads_on(text, bigint[], text[], text[], text[], integer, text) IS
    'Core. Would one more step of an expansion find a node that it does not have yet?';
REVOKE ALL ON FUNCTION docgraph.leads_on(text, bigint[], text[], text[], text[], integer, text) FROM PUBLIC;
