-- order_by_bridge: in which order candidates are chosen where a linked document shares the rank of its seed.
--
-- Candidates stand in order of distance, as for order_by_similarity; seed n leads to the document at position m where
-- a pair of from_seeds and to_documents says so.
-- Seeds keep their order: a seed's place is the better of its rank in the plan and its rank by nearest chunk, so the
-- plan's first stays first, and no chunk of a seed passes the nearest chunk of a seed before it. A linked chunk stands as
-- many places behind its seed's nearest chunk as its place among all that the seed leads to: the nearest one place behind,
-- the second two. Of several seeds the one that brings it furthest forward counts. At equal places seeds come first,
-- then the nearer.
-- Integers only: no distance is weighed against a link.
-- Reads:      nothing
-- Guarantees: turns are places among the candidates, each once; chosen_by says behind which seed a linked chunk stands
-- Errors:     none
-- Example:    SELECT * FROM docgraph.order_by_bridge('{a.md,b.md}', 1, '{1,1,2}', '{1,2,3}', '{1,2,1}', '{1}', '{2}');
CREATE OR REPLACE FUNCTION docgraph.order_by_bridge(
    documents text[], seeds integer, positions integer[], distances double precision[], places integer[],
    from_seeds integer[], to_documents integer[], OUT turns integer[], OUT chosen_by text[]
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH candidates AS MATERIALIZED (
        SELECT c.position, c.distance, c.place, c.nth
        FROM ROWS FROM (unnest(positions), unnest(distances), unnest(places))
            WITH ORDINALITY AS c (position, distance, place, nth)
    ), ranked AS (
        SELECT c.position, c.distance, row_number() OVER (ORDER BY c.position) AS by_plan,
            row_number() OVER (ORDER BY c.distance, c.position) AS by_distance
        FROM candidates c
        WHERE c.position <= seeds AND c.place = 1
    ), placed AS (
        SELECT r.position, r.distance,
            row_number() OVER (ORDER BY least(r.by_plan, r.by_distance), r.by_plan) AS place
        FROM ranked r
    ), held AS (
        SELECT p.position, p.place, max(p.distance) OVER (ORDER BY p.place) AS distance
        FROM placed p
    ), of_seeds AS MATERIALIZED (
        SELECT c.nth, c.position, c.place AS of_document,
            row_number() OVER (ORDER BY greatest(c.distance, h.distance), h.place, c.nth) AS place
        FROM candidates c
        JOIN held h ON h.position = c.position
    ), behind AS (
        SELECT c.nth, l.seed, row_number() OVER (PARTITION BY l.seed ORDER BY c.nth) AS steps
        FROM ROWS FROM (unnest(from_seeds), unnest(to_documents)) AS l (seed, position)
        JOIN candidates c ON c.position = l.position
    ), of_linked AS (
        SELECT DISTINCT ON (b.nth) b.nth, b.seed, b.steps, coalesce(s.place, b.seed) + b.steps AS place
        FROM behind b
        LEFT JOIN of_seeds s ON s.position = b.seed AND s.of_document = 1
        ORDER BY b.nth, coalesce(s.place, b.seed) + b.steps, b.seed
    )
    SELECT coalesce(array_agg(o.nth ORDER BY o.place, o.is_linked, o.nth), '{}'),
        coalesce(array_agg(o.chosen_by ORDER BY o.place, o.is_linked, o.nth), '{}')
    INTO turns, chosen_by
    FROM (
        SELECT s.nth, s.place, false AS is_linked, 'similarity' AS chosen_by
        FROM of_seeds s
        UNION ALL
        SELECT b.nth, b.place, true, format('bridge, %s behind %s', b.steps, documents[b.seed])
        FROM of_linked b
    ) AS o;
END
$$;

COMMENT ON FUNCTION docgraph.order_by_bridge(
    text[], integer, integer[], double precision[], integer[], integer[], integer[]
) IS 'Core. In which order candidates are chosen where a linked document shares the rank of its seed.';
REVOKE ALL ON FUNCTION docgraph.order_by_bridge(
    text[], integer, integer[], double precision[], integer[], integer[], integer[]
) FROM PUBLIC;
