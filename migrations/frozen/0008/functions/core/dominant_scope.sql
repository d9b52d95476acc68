-- dominant_scope: of documents in the order of their rank, those that belong to the first one.
--
-- ingestion: of the same run; doc_type: of the same type; cluster: their summary lies within a distance of the first
-- one's. No group is stored or learnt. none: all of them.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      document_nodes, embedding_space
-- Guarantees: in the order given; with none as they are given, else only what the call may see: the first one among them, or
--             nothing where that one is hidden
-- Errors:     none for checked arguments
-- Example:    SELECT docgraph.dominant_scope('default', '{1}', '{a.md,b.md}', 'doc_type', 0.35);
CREATE OR REPLACE FUNCTION docgraph.dominant_scope(
    tenant text, visible bigint[], documents text[], scope text, scope_distance numeric
) RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
AS $$
BEGIN
    IF scope = 'none' THEN
        RETURN documents;
    END IF;
    RETURN ARRAY(
        SELECT d.document_id
        FROM (
            SELECT n.ingestion_id, n.doc_type, n.summary_embedding
            FROM docgraph.document_nodes n
            WHERE n.tenant_id = tenant AND n.document_id BETWEEN documents[1] AND documents[1]
                AND n.access_class = ANY (visible)
            ORDER BY n.document_id
        ) AS leader
        CROSS JOIN unnest(documents) WITH ORDINALITY AS f (document_id, rank)
        CROSS JOIN LATERAL (
            SELECT n.document_id, n.ingestion_id, n.doc_type, n.summary_embedding
            FROM docgraph.document_nodes n
            WHERE n.tenant_id = tenant AND n.document_id BETWEEN f.document_id AND f.document_id
                AND n.access_class = ANY (visible)
            ORDER BY n.document_id
        ) AS d
        WHERE (d.document_id = documents[1] OR CASE scope
                WHEN 'ingestion' THEN d.ingestion_id IS NOT DISTINCT FROM leader.ingestion_id
                WHEN 'doc_type' THEN d.doc_type = leader.doc_type
                WHEN 'cluster' THEN 1000000 * scope_distance >= docgraph.distance(
                    d.summary_embedding, leader.summary_embedding, (SELECT s.metric FROM docgraph.embedding_space s)
                )::numeric
            END)
        ORDER BY f.rank
    );
END
$$;

COMMENT ON FUNCTION docgraph.dominant_scope(text, bigint[], text[], text, numeric) IS
    'Core. Of documents in the order of their rank, those that belong to the first one.';
REVOKE ALL ON FUNCTION docgraph.dominant_scope(text, bigint[], text[], text, numeric) FROM PUBLIC;
