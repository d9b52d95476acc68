-- order_by_bridge: in which order candidates are chosen where a linked document shares the rank of its seed.
--
-- Candidates stand in order of distance, as for order_by_similarity; seed n leads to the document at position m where
-- a pair of from_seeds and to_documents says so. words has a bit for each word of the question, for each candidate: whether it
-- stands there; NULL where the question has none.
-- As seeds they keep the order of the plan: no chunk of a seed passes the nearest chunk of a seed before it, unless another
-- seed leads to it. What a seed leads to, other seeds included, stands behind its nearest chunk (behind its place in the plan,
-- if it has none): what brings most words of the question that this chunk lacks one place behind, then the nearer, the next
-- two. What brings none stands one place further back. Of a chunk's places the foremost counts, its own as a seed's included;
-- at equal places the nearer comes first.
-- Integers only: no distance is weighed against a link.
-- Behind a seed only max_chunks are looked at: before any other of its chunks stand as many.
-- Reads:      nothing
-- Guarantees: turns are places among the candidates, each once, max_chunks of them if there are so many, or more; a smaller
--             max_chunks gives the beginning of a larger one; chosen_by says behind which seed a linked chunk stands
-- Errors:     none
-- Example:    SELECT * FROM docgraph.order_by_bridge('{a.md,b.md}', 1, '{1,1,2}', '{1,2,3}', '{1,2,1}', '{1}', '{2}',
--                 '{10,00,11}', 10);
CREATE OR REPLACE FUNCTION docgraph.order_by_bridge(
    documents text[], seeds integer, positions integer[], distances double precision[], places integer[],
    from_seeds integer[], to_documents integer[], words bit varying[], max_chunks integer, OUT turns integer[], OUT chosen_by text[]
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH candidates AS MATERIALIZED (
        SELECT c.position, c.distance, c.place, c.words, c.nth
        FROM ROWS FROM (unnest(positions), unnest(distances), unnest(places), unnest(words))
            WITH ORDINALITY AS c (position, distance, place, words, nth)
    ), held AS MATERIALIZED (
        SELECT c.position, c.nth, c.words, max(c.distance) OVER (ORDER BY c.position) AS distance
        FROM candidates c
        WHERE c.position <= seeds AND c.place = 1
    ), of_seeds AS MATERIALIZED (
        SELECT c.nth, row_number() OVER (ORDER BY greatest(c.distance, h.distance), c.position, c.nth) AS place
        FROM candidates c
        JOIN held h ON h.position = c.position
    ), led AS (
        SELECT c.nth, l.seed, coalesce(s.place, l.seed) AS of_seed,
            bit_count(CASE WHEN h.nth IS NULL THEN c.words ELSE c.words & ~ h.words END) AS brought
        FROM ROWS FROM (unnest(from_seeds), unnest(to_documents)) AS l (seed, position)
        JOIN candidates c ON c.position = l.position
        LEFT JOIN held h ON h.position = l.seed
        LEFT JOIN of_seeds s ON s.nth = h.nth
    ), behind AS (
        SELECT r.nth, r.seed, r.of_seed, r.place + CASE r.brought WHEN 0 THEN 1 ELSE 0 END AS steps
        FROM (
            SELECT l.*, row_number() OVER (PARTITION BY l.seed ORDER BY l.brought DESC, l.nth) AS place
            FROM led l
        ) AS r
        WHERE r.place <= max_chunks
    )
    SELECT coalesce(array_agg(o.nth ORDER BY o.place, o.nth), '{}'),
        coalesce(array_agg(o.chosen_by ORDER BY o.place, o.nth), '{}')
    INTO turns, chosen_by
    FROM (
        SELECT DISTINCT ON (e.nth) e.nth, e.place, CASE
            WHEN e.seed IS NULL THEN 'similarity'
            ELSE format('bridge, %s behind %s', e.steps, documents[e.seed])
        END AS chosen_by
        FROM (
            SELECT s.nth, s.place, NULL::integer AS seed, NULL::bigint AS steps
            FROM of_seeds s
            UNION ALL
            SELECT b.nth, b.of_seed + b.steps, b.seed, b.steps
            FROM behind b
        ) AS e
        ORDER BY e.nth, e.place, e.seed NULLS FIRST
    ) AS o;
END
$$;

COMMENT ON FUNCTION docgraph.order_by_bridge(
    text[], integer, integer[], double precision[], integer[], integer[], integer[], bit varying[], integer
) IS 'Core. In which order candidates are chosen where a linked document shares the rank of its seed.';
REVOKE ALL ON FUNCTION docgraph.order_by_bridge(
    text[], integer, integer[], double precision[], integer[], integer[], integer[], bit varying[], integer
) FROM PUBLIC;
