-- fit_pieces: which pieces find room, one after the other: what does not fit is passed over, and the next one is tried.
--
-- sizes may have several dimensions. NULL is no piece: it keeps its place in the count, and is neither kept nor passed over.
-- Reads:      nothing
-- Guarantees: used is never above room; kept are places among sizes, from 1, in their order
-- Errors:     none
-- Example:    SELECT * FROM docgraph.fit_pieces('{40,80,10}', 60);
CREATE OR REPLACE FUNCTION docgraph.fit_pieces(
    sizes integer[], room integer, OUT kept integer[], OUT used integer, OUT passed_over integer
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    nth integer := 0;
    size integer;
BEGIN
    kept := '{}';
    used := 0;
    passed_over := 0;
    IF sizes IS NULL THEN
        RETURN;
    END IF;
    FOREACH size IN ARRAY sizes LOOP
        nth := nth + 1;
        IF size <= room - used THEN
            kept := kept || nth;
            used := used + size;
        ELSIF size IS NOT NULL THEN
            passed_over := passed_over + 1;
        END IF;
    END LOOP;
END
$$;

COMMENT ON FUNCTION docgraph.fit_pieces(integer[], integer) IS
    'Core. Which pieces find room, one after the other; what does not fit is passed over.';
REVOKE ALL ON FUNCTION docgraph.fit_pieces(integer[], integer) FROM PUBLIC;
