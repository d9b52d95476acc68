-- missing_vector: the first embedding of a document that is "keep" where no vector of that text is stored.
--
-- Reads:      document_nodes, vector_chunks
-- Guarantees: NULL if there is none; names the place within the document
-- Errors:     none for a checked document
-- Example:    SELECT docgraph.missing_vector('default', '{"id": "a.md", "summary_embedding": "keep"}');
CREATE OR REPLACE FUNCTION docgraph.missing_vector(tenant text, entry jsonb) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    place text;
BEGIN
    IF entry -> 'summary_embedding' = '"keep"' AND NOT EXISTS (
        SELECT FROM docgraph.document_nodes n
        WHERE n.tenant_id = tenant AND n.document_id = entry ->> 'id'
            AND n.summary = normalize(coalesce(entry ->> 'summary', '')) AND n.summary_embedding IS NOT NULL
    ) THEN
        RETURN 'summary_embedding';
    END IF;
    SELECT format('chunks[%s].embedding', c.i - 1) INTO place
    FROM jsonb_array_elements(entry -> 'chunks') WITH ORDINALITY AS c (chunk, i)
    WHERE c.chunk -> 'embedding' = '"keep"'
        AND normalize(c.chunk ->> 'text') NOT IN (
            SELECT v.text FROM docgraph.vector_chunks v
            WHERE v.tenant_id = tenant AND v.document_id = entry ->> 'id' AND v.embedding IS NOT NULL
        )
    ORDER BY c.i
    LIMIT 1;
    RETURN place;
END
$$;

COMMENT ON FUNCTION docgraph.missing_vector(text, jsonb) IS
    'Core. The first embedding that is "keep" where no vector of that text is stored.';
REVOKE ALL ON FUNCTION docgraph.missing_vector(text, jsonb) FROM PUBLIC;
