-- order_by_similarity: in which order candidates are chosen: the nearest first, and a reserve for what seeds brought in.
--
-- Candidates stand in order of distance; positions says which document each is of, places which it is of its document.
-- At place n the next of the reserve is taken where floor(reserve * n) rises, if it is not chosen already; at all other
-- places the nearest that is left. The reserve: documents behind the seeds, the nearest of each before any second one.
-- Reads:      nothing
-- Guarantees: turns are places among the candidates, each once, at most max_chunks; a smaller max_chunks gives the
--             beginning of a larger one
-- Errors:     none
-- Example:    SELECT * FROM docgraph.order_by_similarity('{1,1,2}', '{1,2,1}', 1, 10, 0.4);
CREATE OR REPLACE FUNCTION docgraph.order_by_similarity(
    positions integer[], places integer[], seeds integer, max_chunks integer, reserve numeric, OUT turns integer[],
    OUT chosen_by text[]
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    reserved constant integer[] := ARRAY(
        SELECT c.nth
        FROM ROWS FROM (unnest(positions), unnest(places)) WITH ORDINALITY AS c (position, place, nth)
        WHERE c.position > seeds
        ORDER BY c.place, c.nth
    );
    is_taken boolean[];
    next_near integer := 1;
    next_reserved integer := 0;
    one integer;
BEGIN
    turns := '{}';
    chosen_by := '{}';
    FOR n IN 1 .. least(max_chunks, cardinality(positions)) LOOP
        one := NULL;
        IF floor(reserve * n) > floor(reserve * (n - 1)) THEN
            next_reserved := next_reserved + 1;
            one := reserved[next_reserved];
        END IF;
        IF one IS NULL OR is_taken[one] THEN
            WHILE is_taken[next_near] LOOP
                next_near := next_near + 1;
            END LOOP;
            one := next_near;
            chosen_by := chosen_by || 'similarity'::text;
        ELSE
            chosen_by := chosen_by || 'reserve'::text;
        END IF;
        is_taken[one] := true;
        turns := turns || one;
    END LOOP;
END
$$;

COMMENT ON FUNCTION docgraph.order_by_similarity(integer[], integer[], integer, integer, numeric) IS
    'Core. In which order candidates are chosen: the nearest first, and a reserve for what seeds brought in.';
REVOKE ALL ON FUNCTION docgraph.order_by_similarity(integer[], integer[], integer, integer, numeric) FROM PUBLIC;
