-- fit_pieces: which pieces find room, one after the other: what does not fit is passed over, and the next one is tried.
--
-- Reads:      nothing
-- Guarantees: used is never above room; kept are places among sizes, from 1, in their order
-- Errors:     none
-- Example:    SELECT * FROM docgraph.fit_pieces('{40,80,10}', 60);
CREATE OR REPLACE FUNCTION docgraph.fit_pieces(sizes integer[], room integer, OUT kept integer[], OUT used integer)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    kept := '{}';
    used := 0;
    FOR i IN 1 .. coalesce(cardinality(sizes), 0) LOOP
        IF sizes[i] <= room - used THEN
            kept := kept || i;
            used := used + sizes[i];
        END IF;
    END LOOP;
END
$$;

COMMENT ON FUNCTION docgraph.fit_pieces(integer[], integer) IS
    'Core. Which pieces find room, one after the other; what does not fit is passed over.';
REVOKE ALL ON FUNCTION docgraph.fit_pieces(integer[], integer) FROM PUBLIC;
