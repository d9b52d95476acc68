-- choose_method: auto is exact while what a call may see is at most bound('exact_rows') rows.
--
-- Of what it may see, not of all there is: hidden rows decide nothing. Rows without a vector count, which spares a
-- look at them.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      document_nodes or vector_chunks
-- Guarantees: exact or approximate; what is said is kept
-- Errors:     none for checked arguments
-- Example:    SELECT docgraph.choose_method('default', '{1}', 'summaries', 'auto');
CREATE OR REPLACE FUNCTION docgraph.choose_method(tenant text, visible bigint[], search_in text, method text)
    RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
    SET max_parallel_workers_per_gather = 0
AS $$
BEGIN
    IF method <> 'auto' THEN
        RETURN method;
    END IF;
    IF search_in = 'summaries' THEN
        PERFORM FROM unnest(visible) AS c (access_class)
        CROSS JOIN LATERAL (
            SELECT FROM docgraph.document_nodes d
            WHERE d.tenant_id = tenant AND d.access_class BETWEEN c.access_class AND c.access_class
            ORDER BY d.access_class, d.document_id
        ) AS one
        OFFSET docgraph.bound('exact_rows') LIMIT 1;
    ELSE
        PERFORM FROM unnest(visible) AS c (access_class)
        CROSS JOIN LATERAL (
            SELECT FROM docgraph.vector_chunks v
            WHERE v.tenant_id = tenant AND v.access_class BETWEEN c.access_class AND c.access_class
            ORDER BY v.access_class, v.document_id
        ) AS one
        OFFSET docgraph.bound('exact_rows') LIMIT 1;
    END IF;
    RETURN CASE WHEN FOUND THEN 'approximate' ELSE 'exact' END;
END
$$;

COMMENT ON FUNCTION docgraph.choose_method(text, bigint[], text, text) IS
    'Core. auto is exact while a call may see few rows.';
REVOKE ALL ON FUNCTION docgraph.choose_method(text, bigint[], text, text) FROM PUBLIC;
