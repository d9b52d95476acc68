-- write_chunks: makes the stored chunks of documents what the documents say, in as few changes as will do.
--
-- A chunk whose embedding is "keep" takes over the stored vector of the same text in the same document. Text is
-- stored in NFC, so that one spelling is one text.
-- Reads:      vector_chunks, document_nodes
-- Writes:     vector_chunks
-- Guarantees: a chunk that is the same is not touched, nor its entry in the vector index
-- Errors:     none for checked documents that are there
-- Example:    SELECT docgraph.write_chunks('default', '[{"id": "a.md", "chunks": [{"text": "a"}]}]', 'cosine');
CREATE OR REPLACE FUNCTION docgraph.write_chunks(tenant text, documents jsonb, metric text) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH ids AS MATERIALIZED (
        SELECT d.entry ->> 'id' AS document_id, coalesce(d.entry -> 'chunks', '[]') AS chunks
        FROM jsonb_array_elements(documents) AS d (entry)
    ), stored AS MATERIALIZED (
        SELECT DISTINCT ON (v.document_id, v.text) v.document_id, v.text, v.embedding
        FROM docgraph.vector_chunks v
        WHERE v.tenant_id = tenant AND v.embedding IS NOT NULL
            AND v.document_id IN (SELECT i.document_id FROM ids i)
        ORDER BY v.document_id, v.text, v.ordinal
    ), given AS MATERIALIZED (
        SELECT i.document_id, (c.i - 1)::integer AS ordinal, normalize(c.chunk ->> 'text') AS text,
            coalesce((c.chunk ->> 'token_count')::numeric::integer, docgraph.estimated_tokens(c.chunk ->> 'text')) AS token_count,
            docgraph.read_lines(c.chunk -> 'section_path') AS section_path,
            (c.chunk ->> 'start')::numeric::integer AS start_offset,
            (c.chunk ->> 'end')::numeric::integer AS end_offset,
            c.chunk -> 'embedding' AS embedding
        FROM ids i
        CROSS JOIN jsonb_array_elements(i.chunks) WITH ORDINALITY AS c (chunk, i)
    ), gone AS (
        DELETE FROM docgraph.vector_chunks v
        USING ids i
        WHERE v.tenant_id = tenant AND v.document_id = i.document_id AND v.ordinal >= jsonb_array_length(i.chunks)
    )
    INSERT INTO docgraph.vector_chunks AS v
        (tenant_id, document_id, ordinal, access_class, start_offset, end_offset, token_count, section_path, text,
         embedding)
    SELECT tenant, g.document_id, g.ordinal, n.access_class, g.start_offset, g.end_offset, g.token_count,
        g.section_path, g.text,
        CASE
            WHEN g.embedding = '"keep"' THEN s.embedding
            ELSE docgraph.stored_vector(docgraph.vector_text(g.embedding), metric)
        END
    FROM given g
    JOIN docgraph.document_nodes n ON n.tenant_id = tenant AND n.document_id = g.document_id
    LEFT JOIN stored s ON s.document_id = g.document_id AND s.text = g.text
    ON CONFLICT ON CONSTRAINT vector_chunks_pkey DO UPDATE SET
        start_offset = excluded.start_offset, end_offset = excluded.end_offset, token_count = excluded.token_count,
        section_path = excluded.section_path, text = excluded.text, embedding = excluded.embedding
    WHERE (v.start_offset, v.end_offset, v.token_count, v.section_path, v.text)
            IS DISTINCT FROM
            (excluded.start_offset, excluded.end_offset, excluded.token_count, excluded.section_path, excluded.text)
        OR NOT docgraph.same_vector(v.embedding, excluded.embedding);
END
$$;

COMMENT ON FUNCTION docgraph.write_chunks(text, jsonb, text) IS
    'Core. Makes the stored chunks of documents what the documents say.';
REVOKE ALL ON FUNCTION docgraph.write_chunks(text, jsonb, text) FROM PUBLIC;
