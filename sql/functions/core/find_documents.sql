-- find_documents: the documents that answer a query best by words, or by words and meaning, in order.
--
-- By chunks, a document has the place of its first one. By words, more places are looked at until enough documents are
-- among them or there is nothing left; by both there are no more places than two lists have.
-- Reads:      what core function find_nodes reads
-- Guarantees: wanted documents at most, none of them excluded
-- Errors:     none for checked arguments
-- Example:    SELECT docgraph.find_documents(
--                 'default', '{1}', NULL, NULL, 'leave', 'bm25', 'chunks', 'exact', 5, '{}', 60, false);
CREATE OR REPLACE FUNCTION docgraph.find_documents(
    tenant text, visible bigint[], query_embedding double precision[], metric text, question text, mode text, search_in text,
    method text, wanted integer, excluded text[], rrf_k integer, titles boolean
) RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    places integer := CASE
        WHEN mode = 'hybrid' THEN 3 * docgraph.bound('fused')
        WHEN search_in = 'chunks' THEN 4 * wanted
        ELSE wanted
    END;
    looked_at text[];
    found text[];
BEGIN
    LOOP
        looked_at := (docgraph.find_nodes(
            tenant, visible, query_embedding, metric, question, mode, search_in, method, places, excluded, rrf_k,
            titles)).documents;
        found := ARRAY(
            SELECT d.document_id
            FROM unnest(looked_at) WITH ORDINALITY AS d (document_id, place)
            GROUP BY d.document_id
            ORDER BY min(d.place)
            LIMIT wanted
        );
        EXIT WHEN mode = 'hybrid' OR cardinality(found) = wanted OR cardinality(looked_at) < places;
        places := places * 4;
    END LOOP;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.find_documents(
    text, bigint[], double precision[], text, text, text, text, text, integer, text[], integer, boolean
) IS 'Core. The documents that answer a query best by words, or by words and meaning.';
REVOKE ALL ON FUNCTION docgraph.find_documents(
    text, bigint[], double precision[], text, text, text, text, text, integer, text[], integer, boolean
) FROM PUBLIC;
