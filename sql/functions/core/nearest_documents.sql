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
    looked_at text[];
    found text[];
BEGIN
    LOOP
        looked_at := (docgraph.nearest(tenant, visible, query, metric, search_in, method, places)).documents;
        found := ARRAY(
            SELECT d.document_id
            FROM unnest(looked_at) WITH ORDINALITY AS d (document_id, place)
            WHERE d.document_id <> ALL (excluded)
            GROUP BY d.document_id
            ORDER BY min(d.place)
            LIMIT wanted
        );
        EXIT WHEN cardinality(found) = wanted OR cardinality(looked_at) < places;
        places := places * 4;
    END LOOP;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.nearest_documents(text, bigint[], halfvec, text, text, text, integer, text[]) IS
    'Core. The documents nearest to a vector, by their summary or by their nearest chunk.';
REVOKE ALL ON FUNCTION docgraph.nearest_documents(text, bigint[], halfvec, text, text, text, integer, text[])
    FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
