-- have_shapes: is each entry of each of these JSON lists an object of the shape that stands in the same place?
--
-- Shapes as in core function check_entries, which says what is wrong. One look at many lists, because each look has its
-- price, and nearly always nothing is wrong.
-- Reads:      nothing
-- Guarantees: never NULL
-- Errors:     none for lists
-- Example:    SELECT docgraph.have_shapes('{"[{\"to\": \"b\"}]"}', '{"{\"to\": \"id!\"}"}');
CREATE OR REPLACE FUNCTION docgraph.have_shapes(lists jsonb[], shapes jsonb[]) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    RETURN NOT EXISTS (
        SELECT
        FROM ROWS FROM (unnest(lists), unnest(shapes)) AS l (list, shape)
        CROSS JOIN LATERAL (SELECT ARRAY(SELECT jsonb_object_keys(l.shape)) AS keys) AS k
        CROSS JOIN LATERAL jsonb_array_elements(l.list) AS e (entry)
        WHERE CASE jsonb_typeof(e.entry)
            WHEN 'object' THEN e.entry - k.keys <> '{}' OR EXISTS (
                SELECT FROM jsonb_each_text(l.shape) AS s (key, kind)
                WHERE NOT docgraph.field_fits(e.entry, s.key, s.kind))
            ELSE true
        END
    );
END
$$;

COMMENT ON FUNCTION docgraph.have_shapes(jsonb[], jsonb[]) IS
    'Core. Is each entry of each of some JSON lists an object of a shape?';
REVOKE ALL ON FUNCTION docgraph.have_shapes(jsonb[], jsonb[]) FROM PUBLIC;
