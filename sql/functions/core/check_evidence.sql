-- check_evidence: refuses what evidence cannot be asked for: a query, and a way of choosing chunks.
--
-- Reads:      embedding_space
-- Guarantees: gives the metric in which the query is compared
-- Errors:     22023, KG003
-- Example:    SELECT docgraph.check_evidence('{3,4}', 10, 3, 0.4, 'similarity');
CREATE OR REPLACE FUNCTION docgraph.check_evidence(
    query_embedding double precision[], max_chunks integer, per_document integer, reserve numeric, selection text
) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    metric constant text := docgraph.check_query('semantic', query_embedding, NULL);
BEGIN
    IF metric IS NULL THEN
        RAISE EXCEPTION 'query_embedding must not be null'
            USING ERRCODE = '22023',
                  HINT = 'Chunks are chosen by their distance to it. docgraph.embedding_space() names the model.';
    END IF;
    PERFORM docgraph.check_choosing(max_chunks, per_document, reserve, selection);
    RETURN metric;
END
$$;

COMMENT ON FUNCTION docgraph.check_evidence(
    double precision[], integer, integer, numeric, text
) IS 'Core. Refuses what evidence cannot be asked for (22023, KG003); the metric of the query.';
REVOKE ALL ON FUNCTION docgraph.check_evidence(
    double precision[], integer, integer, numeric, text
) FROM PUBLIC;
