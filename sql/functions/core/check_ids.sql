-- check_ids: refuses what can be no list of ids, and gives the distinct ones in byte order.
--
-- Reads:      nothing
-- Guarantees: never NULL, never with NULL
-- Errors:     22023
-- Example:    SELECT docgraph.check_ids('documents', ARRAY['b', 'a', 'b']);
CREATE OR REPLACE FUNCTION docgraph.check_ids(parameter text, ids text[]) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    distinct_ids constant text[] := docgraph.canonical_list(ids);
BEGIN
    IF ids IS NULL OR array_ndims(ids) > 1 OR array_position(ids, NULL) IS NOT NULL
        OR EXISTS (SELECT FROM unnest(ids) AS i (id) WHERE NOT docgraph.is_id(i.id))
    THEN
        RAISE EXCEPTION '% must be a plain list of ids of 1 to % bytes, without null',
            parameter, docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'For example ARRAY[''a.md'', ''b.md''].';
    END IF;
    IF cardinality(distinct_ids) > docgraph.bound('ids') THEN
        RAISE EXCEPTION '% may have % ids at most', parameter, docgraph.bound('ids')
            USING ERRCODE = '22023', HINT = 'Make several calls.';
    END IF;
    RETURN distinct_ids;
END
$$;

COMMENT ON FUNCTION docgraph.check_ids(text, text[]) IS
    'Core. Refuses what can be no list of ids (22023); the distinct ones in byte order.';
REVOKE ALL ON FUNCTION docgraph.check_ids(text, text[]) FROM PUBLIC;
