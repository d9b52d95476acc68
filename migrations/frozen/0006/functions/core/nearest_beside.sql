-- nearest_beside: as nearest, leaving out some documents.
--
-- More places are looked at until enough others are among them or there is nothing left.
-- Reads:      document_nodes or vector_chunks
-- Guarantees: places of them, or all there are, none of an excluded document; chunks is NULL for summaries
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.nearest_beside(
--                 'default', '{1}', '[3,4]', 'cosine', 'chunks', 'exact', 10, '{a.md}');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.nearest_beside(
    tenant text, visible bigint[], query halfvec, metric text, search_in text, method text, places integer,
    excluded text[], OUT documents text[], OUT chunks integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    looked_at integer := places + cardinality(excluded);
    found record;
BEGIN
    LOOP
        found := docgraph.nearest(tenant, visible, query, metric, search_in, method, looked_at);
        IF excluded = '{}' THEN
            documents := found.documents;
            chunks := found.chunks;
            RETURN;
        END IF;
        SELECT coalesce(array_agg(f.document_id), '{}'),
            CASE WHEN search_in = 'chunks' THEN coalesce(array_agg(f.chunk), '{}') END
        INTO documents, chunks
        FROM (
            SELECT n.document_id, n.chunk
            FROM ROWS FROM (unnest(found.documents), unnest(found.chunks)) WITH ORDINALITY AS n (document_id, chunk, place)
            WHERE n.document_id <> ALL (excluded)
            ORDER BY n.place
            LIMIT places
        ) AS f;
        EXIT WHEN cardinality(documents) = places OR cardinality(found.documents) < looked_at;
        looked_at := looked_at * 4;
    END LOOP;
END
$$;

COMMENT ON FUNCTION docgraph.nearest_beside(text, bigint[], halfvec, text, text, text, integer, text[]) IS
    'Core. What lies nearest to a vector, leaving out some documents.';
REVOKE ALL ON FUNCTION docgraph.nearest_beside(text, bigint[], halfvec, text, text, text, integer, text[]) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
