-- visible_among: those of some ids that a call may see, in the order in which they were first named.
--
-- An unknown id and a hidden one are left out alike.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      document_nodes
-- Guarantees: never NULL; each once
-- Errors:     none
-- Example:    SELECT docgraph.visible_among('default', '{1}', '{b.md,a.md}');
CREATE OR REPLACE FUNCTION docgraph.visible_among(tenant text, visible bigint[], ids text[]) RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
AS $$
BEGIN
    RETURN ARRAY(
        SELECT d.document_id
        FROM (
            SELECT n.id, min(n.place) AS place FROM unnest(ids) WITH ORDINALITY AS n (id, place) GROUP BY n.id
        ) AS i
        CROSS JOIN LATERAL (
            SELECT d.document_id
            FROM docgraph.document_nodes d
            WHERE d.tenant_id = tenant AND d.document_id BETWEEN i.id AND i.id AND d.access_class = ANY (visible)
            ORDER BY d.document_id
        ) AS d
        ORDER BY i.place
    );
END
$$;

COMMENT ON FUNCTION docgraph.visible_among(text, bigint[], text[]) IS
    'Core. Those of some ids that a call may see, in the order in which they were named.';
REVOKE ALL ON FUNCTION docgraph.visible_among(text, bigint[], text[]) FROM PUBLIC;
