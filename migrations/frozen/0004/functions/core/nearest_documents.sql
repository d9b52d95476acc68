-- nearest_documents: the documents nearest to a vector, by their summary or by their nearest chunk, in order.
--
-- Where a document comes several times, its first place counts, and more places are looked at until enough documents
-- are among them or there is nothing left.
-- Reads:      document_nodes or vector_chunks
-- Guarantees: wanted documents, none of them excluded, or all that can be seen and have a vector
-- Errors:     none for checked arguments
-- Example:    SELECT docgraph.nearest_documents('default', '{1}', '[3,4]', 'cosine', 'chunks', 'exact', 5, '{}');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.nearest_documents(
    tenant text, visible bigint[], query halfvec, metric text, search_in text, method text, wanted integer,
    excluded text[]
) RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    several constant integer := CASE search_in WHEN 'chunks' THEN 4 ELSE 1 END;
    places integer := several * (wanted + cardinality(excluded));
    looked_at bigint;
    documents text[];
BEGIN
    LOOP
        SELECT count(*), coalesce(array_agg(n.document_id ORDER BY n.place) FILTER (WHERE n.is_first), '{}')
        INTO looked_at, documents
        FROM (
            SELECT f.place, f.document_id,
                f.document_id <> ALL (excluded)
                AND row_number() OVER (PARTITION BY f.document_id ORDER BY f.place) = 1 AS is_first
            FROM docgraph.nearest(tenant, visible, query, metric, search_in, method, places) AS f
        ) AS n;
        EXIT WHEN cardinality(documents) >= wanted OR looked_at < places;
        places := places * 4;
    END LOOP;
    RETURN documents[:wanted];
END
$$;

COMMENT ON FUNCTION docgraph.nearest_documents(text, bigint[], halfvec, text, text, text, integer, text[]) IS
    'Core. The documents nearest to a vector, by their summary or by their nearest chunk.';
REVOKE ALL ON FUNCTION docgraph.nearest_documents(text, bigint[], halfvec, text, text, text, integer, text[])
    FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
