-- sensitivity_of: what some documents ask of a reader, taken together.
--
-- Whoever passes their text on treats it by that: every tag and every label that one of them has, and the highest clearance.
-- The settings, and an order that only one index gives, leave the planner no other way than that index.
-- Reads:      document_nodes, access_classes
-- Guarantees: {"tags", "labels", "clearance"}, lists sorted
-- Errors:     none for checked arguments
-- Example:    SELECT docgraph.sensitivity_of('default', '{1}', '{a.md}');
CREATE OR REPLACE FUNCTION docgraph.sensitivity_of(tenant text, visible bigint[], documents text[]) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
AS $$
DECLARE
    found jsonb;
BEGIN
    WITH classes AS MATERIALIZED (
        SELECT c.tags, c.labels, c.clearance
        FROM docgraph.access_classes c
        WHERE c.tenant_id = tenant AND c.access_class IN (
            SELECT d.access_class
            FROM unnest(documents) AS n (id)
            CROSS JOIN LATERAL (
                SELECT o.access_class
                FROM docgraph.document_nodes o
                WHERE o.tenant_id = tenant AND o.document_id BETWEEN n.id AND n.id AND o.access_class = ANY (visible)
                ORDER BY o.document_id
            ) AS d
        )
    )
    SELECT jsonb_build_object(
        'tags', to_jsonb(docgraph.canonical_list(ARRAY(SELECT unnest(c.tags) FROM classes c))),
        'labels', to_jsonb(docgraph.canonical_list(ARRAY(SELECT unnest(c.labels) FROM classes c))),
        'clearance', (SELECT coalesce(max(c.clearance), 0) FROM classes c)
    ) INTO found;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.sensitivity_of(text, bigint[], text[]) IS
    'Core. What some documents ask of a reader, taken together.';
REVOKE ALL ON FUNCTION docgraph.sensitivity_of(text, bigint[], text[]) FROM PUBLIC;
