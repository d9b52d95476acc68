-- check_plan: refuses what is no plan; whether its hash holds is not asked here.
--
-- Depth and direction are constants: a plan that claims another depth, or traversal, is none. The caps in it are not
-- compared with its lists: whoever executes it applies them anew.
-- Reads:      nothing
-- Guarantees: what passes has the keys and kinds of a plan, ranks that rise, no document twice, and reasons that
--             come from its seeds
-- Errors:     22023, naming a place such as plan.seed_documents[3].rank
-- Example:    SELECT docgraph.check_plan(docgraph.plan_retrieval('default', '{}', seeds => '{}'));
CREATE OR REPLACE FUNCTION docgraph.check_plan(plan jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    constraints constant jsonb := plan -> 'constraints';
    space constant jsonb := plan #> '{made_by,embedding_space}';
    plan_shape constant jsonb := '{
        "format": "whole!", "scope": "part!", "seed_documents": "entries!", "expanded_documents": "entries!",
        "constraints": "part!", "made_by": "part!", "truncated": "names!", "omitted": "whole!",
        "dropped": "whole!", "edited": "edited", "plan_hash": "hash!"}';
    scope_shape constant jsonb := '{"tenant": "id!", "repositories": "names?", "snapshots": "names?"}';
    constraints_shape constant jsonb := '{
        "max_relationship_depth": "whole!", "traversal_enabled": "flag!", "direction": "name!",
        "relation_types": "names?", "seed_limit": "whole!", "expanded_per_seed": "whole!", "max_documents": "whole!",
        "dominant_scope": "name!", "scope_distance": "name?"}';
    origin_shape constant jsonb := '{
        "mode": "name!", "search_in": "name?", "method": "name!", "embedding_space": "part?", "revision": "name!",
        "rrf_k": "whole", "title_hits": "edited"}';
    space_shape constant jsonb := '{"model": "id!", "dimensions": "whole!", "metric": "name!"}';
    seed_shape constant jsonb := '{"document_id": "id!", "rank": "whole!", "origin": "origin!", "via": "list"}';
    expanded_shape constant jsonb := '{"document_id": "id!", "via": "list!"}';
    bad record;
BEGIN
    IF jsonb_typeof(plan) = 'object' AND plan ? 'format' AND (plan -> 'format')::text <> '1' THEN
        RAISE EXCEPTION 'plan.format must be 1'
            USING ERRCODE = '22023', HINT = 'The plan is of another version of docgraph: make it again.';
    END IF;
    IF NOT docgraph.have_shapes(
        ARRAY[
            jsonb_build_array(plan), jsonb_build_array(plan -> 'scope'), jsonb_build_array(constraints),
            jsonb_build_array(plan -> 'made_by'), CASE space WHEN 'null' THEN '[]' ELSE jsonb_build_array(space) END,
            CASE jsonb_typeof(plan -> 'seed_documents') WHEN 'array' THEN plan -> 'seed_documents' ELSE '[null]' END,
            CASE jsonb_typeof(plan -> 'expanded_documents') WHEN 'array' THEN plan -> 'expanded_documents' ELSE '[null]' END
        ],
        ARRAY[plan_shape, scope_shape, constraints_shape, origin_shape, space_shape, seed_shape, expanded_shape]
    ) THEN
        PERFORM docgraph.check_entries('plan', plan, NULL, plan_shape);
        PERFORM docgraph.check_entries('plan.scope', plan -> 'scope', NULL, scope_shape);
        PERFORM docgraph.check_entries('plan.constraints', constraints, NULL, constraints_shape);
        PERFORM docgraph.check_entries('plan.made_by', plan -> 'made_by', NULL, origin_shape);
        IF space <> 'null' THEN
            PERFORM docgraph.check_entries('plan.made_by.embedding_space', space, NULL, space_shape);
        END IF;
        PERFORM docgraph.check_entries('plan.seed_documents', plan -> 'seed_documents', 'entries', seed_shape);
        PERFORM docgraph.check_entries('plan.expanded_documents', plan -> 'expanded_documents', 'entries', expanded_shape);
    END IF;
    IF constraints -> 'max_relationship_depth' <> '1' OR constraints -> 'traversal_enabled' <> 'false'
        OR constraints -> 'direction' <> '"outgoing"'
    THEN
        RAISE EXCEPTION 'plan.constraints must have max_relationship_depth 1, traversal_enabled false, direction outgoing'
            USING ERRCODE = '22023', HINT = 'A plan goes one step from its seeds. No setting makes it go further.';
    END IF;

    SELECT s.i INTO bad
    FROM (
        SELECT e.i, (e.entry -> 'rank')::integer AS rank,
            lag((e.entry -> 'rank')::integer, 1, 0) OVER (ORDER BY e.i) AS before
        FROM jsonb_array_elements(plan -> 'seed_documents') WITH ORDINALITY AS e (entry, i)
    ) AS s
    WHERE s.rank <= s.before
    ORDER BY s.i
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'plan.seed_documents[%].rank must be above the rank before it, and above 0', bad.i - 1
            USING ERRCODE = '22023', HINT = 'Seeds stand in the order of their rank.';
    END IF;
    SELECT d.list, d.i INTO bad
    FROM (
        SELECT l.list, e.i, l.n,
            count(*) OVER (PARTITION BY e.entry ->> 'document_id' ORDER BY l.n, e.i) AS times
        FROM (VALUES (1, 'seed_documents'), (2, 'expanded_documents')) AS l (n, list)
        CROSS JOIN jsonb_array_elements(plan -> l.list) WITH ORDINALITY AS e (entry, i)
    ) AS d
    WHERE d.times > 1
    ORDER BY d.n, d.i
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'plan.%[%].document_id is that of an earlier document', bad.list, bad.i - 1
            USING ERRCODE = '22023', HINT = 'A document stands in a plan once.';
    END IF;
    PERFORM docgraph.check_reasons(plan);
END
$$;

COMMENT ON FUNCTION docgraph.check_plan(jsonb) IS 'Core. Refuses what is no plan (22023), naming the place.';
REVOKE ALL ON FUNCTION docgraph.check_plan(jsonb) FROM PUBLIC;
