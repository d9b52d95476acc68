-- nearest: what lies nearest to a vector, of what a call may see, by a method: exact or approximate.
--
-- Reads:      document_nodes or vector_chunks
-- Guarantees: by either method as many rows as asked for, or all that can be seen and have a vector
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.nearest('default', '{1}', '[3,4]', 'cosine', 'summaries', 'exact', 10);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.nearest(
    tenant text, visible bigint[], query halfvec, metric text, search_in text, method text, places integer
)
    RETURNS TABLE (place bigint, document_id text, chunk integer)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    documents text[];
    chunks integer[];
BEGIN
    IF method = 'approximate' THEN
        SELECT array_agg(n.document_id ORDER BY n.place), array_agg(n.chunk ORDER BY n.place) INTO documents, chunks
        FROM docgraph.nearest_approximately(tenant, visible, query, metric, search_in, places) AS n;
        IF cardinality(documents) = places THEN
            RETURN QUERY SELECT f.place, f.document_id, f.chunk
            FROM ROWS FROM (unnest(documents), unnest(chunks)) WITH ORDINALITY AS f (document_id, chunk, place);
            RETURN;
        END IF;
    END IF;
    RETURN QUERY SELECT * FROM docgraph.nearest_exactly(tenant, visible, query, metric, search_in, places);
END
$$;

COMMENT ON FUNCTION docgraph.nearest(text, bigint[], halfvec, text, text, text, integer) IS
    'Core. What lies nearest to a vector, of what a call may see, by a method.';
REVOKE ALL ON FUNCTION docgraph.nearest(text, bigint[], halfvec, text, text, text, integer) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
