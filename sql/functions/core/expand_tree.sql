-- expand_tree: what seeds lead to, step by step, and over which relationships.
--
-- Breadth first. The seeds come in their order. Each step looks at what the one before has found, node by node in that
-- order, and follows the first fan_out relationships of each (core function follow_links); what it has not met yet becomes a node
-- of the next step, and the node that led to it first its parent. What is hidden from the call is not in what follow_links
-- gives: it is cut in the step, before any limit counts.
-- Relationships are kept as far as both ends are nodes. truncated says what the result would have more of under a
-- higher limit: nodes (one was found for which there was no room), fan_out (a node has more relationships than were followed),
-- depth (one more step would find another node).
-- Joins are of lists, and by hashing: each node is met many times.
-- Reads:      document_nodes, document_relationships
-- Guarantees: as API function expand_dependency_tree
-- Errors:     22023 for more than bound('tree_bytes') of relationships: jsonb holds 256 MB
-- Example:    SELECT docgraph.expand_tree('default', '{1}', '{a.md}', 2, 200, 50, NULL, 'outgoing');
CREATE OR REPLACE FUNCTION docgraph.expand_tree(
    tenant text, visible bigint[], seeds text[], max_depth integer, max_nodes integer, fan_out integer,
    relation_types text[], direction text
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_nestloop = off
    SET enable_mergejoin = off
    SET jit = off
AS $$
DECLARE
    starts constant text[] := docgraph.visible_among(tenant, visible, seeds);
    ids text[] := starts[:max_nodes];
    parents text[] := array_fill(NULL::text, ARRAY[cardinality(ids)]);
    depths integer[] := array_fill(0, ARRAY[cardinality(ids)]);
    step text[] := ids;
    origins text[] := '{}';
    types text[] := '{}';
    targets text[] := '{}';
    truncated text[] := CASE WHEN cardinality(starts) > max_nodes THEN '{nodes}' ELSE '{}' END;
    links record;
    met record;
    kept record;
    found jsonb;
BEGIN
    FOR depth IN 1 .. max_depth LOOP
        EXIT WHEN step = '{}';
        links := docgraph.follow_links(tenant, visible, step, relation_types, fan_out, direction);
        -- Once there was no room for a node there is none for any other.
        SELECT coalesce(array_agg(n.id ORDER BY n.nth), '{}') AS ids,
            coalesce(array_agg(step[n.parent] ORDER BY n.nth), '{}') AS parents
        INTO met
        FROM (
            SELECT l.other AS id, min(l.place) AS parent, min(l.nth) AS nth
            FROM ROWS FROM (unnest(links.places), unnest(links.others)) WITH ORDINALITY AS l (place, other, nth)
            WHERE 'nodes' <> ALL (truncated)
                AND NOT EXISTS (SELECT FROM unnest(ids) AS k (id) WHERE k.id = l.other)
            GROUP BY l.other
            ORDER BY nth
            LIMIT max_nodes - cardinality(ids) + 1
        ) AS n;
        truncated := truncated || CASE WHEN links.is_cut THEN '{fan_out}'::text[] END
            || CASE WHEN cardinality(met.ids) > max_nodes - cardinality(ids) THEN '{nodes}'::text[] END;
        parents := parents || met.parents[:max_nodes - cardinality(ids)];
        ids := ids || met.ids[:max_nodes - cardinality(ids)];
        -- What is no node by now never will be: there was no room for it.
        SELECT coalesce(array_agg(CASE WHEN l.is_incoming THEN l.other ELSE step[l.place] END), '{}') AS origins,
            coalesce(array_agg(l.relation_type), '{}') AS types,
            coalesce(array_agg(CASE WHEN l.is_incoming THEN step[l.place] ELSE l.other END), '{}') AS targets
        INTO kept
        FROM ROWS FROM (unnest(links.places), unnest(links.types), unnest(links.others), unnest(links.is_incoming))
            AS l (place, relation_type, other, is_incoming)
        JOIN unnest(ids) AS k (id) ON k.id = l.other;
        origins := origins || kept.origins;
        types := types || kept.types;
        targets := targets || kept.targets;
        step := ids[cardinality(depths) + 1:];
        depths := depths || array_fill(depth, ARRAY[cardinality(step)]);
    END LOOP;
    IF docgraph.leads_on(tenant, visible, step, ids, relation_types, fan_out, direction) THEN
        truncated := truncated || '{depth}'::text[];
    END IF;

    IF (
        SELECT sum(octet_length(e.origin) + octet_length(e.relation_type) + octet_length(e.target) + 50)
        FROM ROWS FROM (unnest(origins), unnest(types), unnest(targets)) AS e (origin, relation_type, target)
    ) > docgraph.bound('tree_bytes') THEN
        RAISE EXCEPTION 'the relationships of the expansion have more than % bytes', docgraph.bound('tree_bytes')
            USING ERRCODE = '22023', HINT = 'Lower max_nodes or fan_out.';
    END IF;
    WITH nodes AS MATERIALIZED (
        SELECT n.*
        FROM ROWS FROM (unnest(ids), unnest(depths), unnest(parents)) WITH ORDINALITY AS n (id, depth, parent, place)
    ), edges AS (
        SELECT DISTINCT o.place, e.relation_type COLLATE "C" AS relation_type, e.target COLLATE "C" AS target, e.origin
        FROM ROWS FROM (unnest(origins), unnest(types), unnest(targets)) AS e (origin, relation_type, target)
        JOIN nodes o ON o.id = e.origin
    )
    SELECT jsonb_build_object(
        'nodes', coalesce((
            SELECT jsonb_agg(jsonb_build_object(
                'id', n.id, 'depth', n.depth, 'parent', n.parent, 'is_seed', n.depth = 0) ORDER BY n.place)
            FROM nodes n
        ), '[]'),
        'edges', coalesce((
            SELECT jsonb_agg(jsonb_build_object('from', e.origin, 'relation_type', e.relation_type, 'to', e.target)
                ORDER BY e.place, e.relation_type, e.target)
            FROM edges e
        ), '[]'),
        'truncated', to_jsonb(docgraph.canonical_list(truncated)),
        'omitted', cardinality(docgraph.canonical_list(seeds)) - cardinality(starts)
    ) INTO found;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.expand_tree(
    text, bigint[], text[], integer, integer, integer, text[], text
) IS 'Core. What seeds lead to, step by step, and over which relationships.';
REVOKE ALL ON FUNCTION docgraph.expand_tree(
    text, bigint[], text[], integer, integer, integer, text[], text
) FROM PUBLIC;
