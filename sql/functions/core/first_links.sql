-- first_links: the relationships that bring documents into a plan, of seeds that lead to more than a plan takes.
--
-- A seed's neighbours come in order of the first relation type that leads there, then id, and the first per_seed are
-- taken; of all that are taken the first total stay, in order of the seed that took them, then as above. Then every
-- relationship from a seed to one of these is a reason, also one that the limits had passed over.
-- Each class, and each type if types are given, is read by itself, in the order of its index, up to the limit and one
-- more: a seed with a million neighbours, visible or hidden, costs no more than one with ten. The settings, and orders
-- that only one index gives, keep the planner to that; BETWEEN a type AND itself, because after = the order would say
-- nothing. Where types are given, a document that an earlier type led to may come again: it counts once, and
-- what it keeps out of the few that are read could only have come after them.
-- Reads:      document_relationships
-- Guarantees: the lists are of one length, in no order: the place of a seed, a type, a document it leads to; never NULL;
--             truncated: documents, expanded_per_seed
-- Errors:     none for checked arguments: seeds that the call may see
-- Example:    SELECT * FROM docgraph.first_links('default', '{1}', '{a.md}', NULL, 10, 39);
CREATE OR REPLACE FUNCTION docgraph.first_links(
    tenant text, visible bigint[], seeds text[], relation_types text[], per_seed integer, total integer,
    OUT places integer[], OUT types text[], OUT documents text[], OUT truncated text[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_sort = off
    SET enable_mergejoin = off
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
AS $$
BEGIN
    WITH neighbours AS MATERIALIZED (
        SELECT s.rank, min(n.relation_type) AS relation_type, n.to_document,
            row_number() OVER (PARTITION BY s.rank ORDER BY min(n.relation_type), n.to_document) AS place
        FROM unnest(seeds) WITH ORDINALITY AS s (document_id, rank)
        -- The classes it leads to, unless it leads to more documents than there are classes.
        CROSS JOIN LATERAL (
            SELECT count(*) AS looked_at, array_agg(DISTINCT r.to_access_class) AS access_classes
            FROM (
                SELECT e.to_access_class
                FROM docgraph.document_relationships e
                WHERE e.tenant_id = tenant AND e.from_document = s.document_id
                ORDER BY e.to_access_class
                LIMIT cardinality(visible)
            ) AS r
        ) AS there
        CROSS JOIN LATERAL (
            SELECT c.access_class
            FROM unnest(CASE WHEN there.looked_at < cardinality(visible) THEN there.access_classes ELSE visible END)
                AS c (access_class)
            WHERE c.access_class = ANY (visible)
        ) AS v
        CROSS JOIN LATERAL (
            (
                SELECT e.relation_type, e.to_document
                FROM docgraph.document_relationships e
                WHERE relation_types IS NULL
                    AND e.tenant_id = tenant AND e.from_document = s.document_id
                    AND e.to_access_class = v.access_class
                    AND e.to_document <> ALL (seeds)
                    AND e.relation_type = (
                        SELECT f.relation_type
                        FROM docgraph.document_relationships f
                        WHERE f.tenant_id = tenant AND f.from_document = s.document_id
                            AND f.to_document = e.to_document
                        ORDER BY f.relation_type
                        LIMIT 1
                    )
                ORDER BY e.relation_type, e.to_document
                LIMIT per_seed + 1
            )
            UNION ALL
            SELECT t.relation_type, one.to_document
            FROM unnest(relation_types) AS t (relation_type)
            CROSS JOIN LATERAL (
                SELECT e.to_document
                FROM docgraph.document_relationships e
                WHERE e.tenant_id = tenant AND e.from_document = s.document_id
                    AND e.to_access_class = v.access_class
                    AND e.relation_type BETWEEN t.relation_type AND t.relation_type
                    AND e.to_document <> ALL (seeds)
                ORDER BY e.relation_type, e.to_document
                LIMIT per_seed + 1
            ) AS one
        ) AS n
        GROUP BY s.rank, n.to_document
    ), firsts AS (
        SELECT DISTINCT ON (n.to_document) n.to_document, n.rank, n.relation_type
        FROM neighbours n
        WHERE n.place <= per_seed
        ORDER BY n.to_document, n.rank, n.relation_type
    ), taken AS MATERIALIZED (
        SELECT f.to_document, row_number() OVER (ORDER BY f.rank, f.relation_type, f.to_document) AS place
        FROM firsts f
        ORDER BY f.rank, f.relation_type, f.to_document
        LIMIT total + 1
    ), pairs AS (
        -- Of a seed that its limit cuts short, any of the documents may be a neighbour.
        SELECT n.rank, n.to_document
        FROM neighbours n
        JOIN taken t ON t.to_document = n.to_document AND t.place <= total
        UNION
        SELECT n.rank, t.to_document
        FROM neighbours n
        CROSS JOIN taken t
        WHERE n.place = per_seed + 1 AND t.place <= total
    ), reasons AS (
        SELECT p.to_document, p.rank, e.relation_type
        FROM pairs p
        CROSS JOIN LATERAL (
            SELECT r.relation_type
            FROM docgraph.document_relationships r
            WHERE r.tenant_id = tenant AND r.from_document = seeds[p.rank] AND r.to_document = p.to_document
                AND (relation_types IS NULL OR r.relation_type = ANY (relation_types))
            ORDER BY r.relation_type
        ) AS e
    )
    SELECT coalesce(r.places, '{}'), coalesce(r.types, '{}'), coalesce(r.documents, '{}'),
        array_remove(ARRAY[
            CASE WHEN EXISTS (SELECT FROM taken t WHERE t.place > total) THEN 'documents' END,
            CASE WHEN EXISTS (SELECT FROM neighbours n WHERE n.place > per_seed) THEN 'expanded_per_seed' END
        ], NULL)
    INTO places, types, documents, truncated
    FROM (
        SELECT array_agg(r.rank::integer) AS places, array_agg(r.relation_type) AS types,
            array_agg(r.to_document) AS documents
        FROM reasons r
    ) AS r;
END
$$;

COMMENT ON FUNCTION docgraph.first_links(text, bigint[], text[], text[], integer, integer) IS
    'Core. The relationships that bring documents into a plan, of seeds that lead to more than a plan takes.';
REVOKE ALL ON FUNCTION docgraph.first_links(text, bigint[], text[], text[], integer, integer) FROM PUBLIC;
