-- check_documents: refuses documents that cannot be stored, before anything is.
--
-- Reads:      nothing
-- Guarantees: what passes breaks no CHECK and no cast; errors name a place such as documents[3].chunks[0].embedding
-- Errors:     22023
-- Example:    SELECT docgraph.check_documents('[{"id": "handbook/leave.md"}]', 384, 'cosine');
CREATE OR REPLACE FUNCTION docgraph.check_documents(documents jsonb, dimensions integer, metric text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    document_shape constant jsonb := '{
        "id": "id!", "title": "line", "doc_type": "name", "source": "line", "summary": "text",
        "summary_embedding": "embedding", "section_titles": "lines", "metadata": "object", "names": "ids",
        "content_hash": "hash", "repository": "name", "snapshot": "name", "tags": "names", "labels": "names",
        "clearance": "clearance", "chunks": "chunks", "links": "references", "relationships": "references"}';
    chunk_shape constant jsonb := '{
        "text": "piece!", "token_count": "count", "section_path": "lines", "start": "count", "end": "count",
        "embedding": "embedding"}';
    reference_shape constant jsonb := '{"relation_type": "id!", "to": "id!", "evidence": "line"}';
    one record;
    list text;
    bad record;
BEGIN
    PERFORM docgraph.check_entries('documents', documents, 'ids', document_shape);
    SELECT d.i INTO bad
    FROM (
        SELECT e.i, count(*) OVER (PARTITION BY e.entry ->> 'id' ORDER BY e.i) AS times
        FROM jsonb_array_elements(documents) WITH ORDINALITY AS e (entry, i)
    ) AS d
    WHERE d.times > 1
    ORDER BY d.i
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'documents[%].id is the id of an earlier document of this call', bad.i - 1
            USING ERRCODE = '22023', HINT = 'Give each document once in a call.';
    END IF;

    FOR one IN
        SELECT format('documents[%s]', e.i - 1) AS place, e.entry
        FROM jsonb_array_elements(documents) WITH ORDINALITY AS e (entry, i)
    LOOP
        IF one.entry ? 'chunks' THEN
            PERFORM docgraph.check_entries(one.place || '.chunks', one.entry -> 'chunks', 'chunks', chunk_shape);
        END IF;
        FOREACH list IN ARRAY ARRAY['links', 'relationships'] LOOP
            CONTINUE WHEN NOT one.entry ? list;
            PERFORM docgraph.check_entries(
                one.place || '.' || list, one.entry -> list, 'references', reference_shape);
            SELECT r.i INTO bad
            FROM jsonb_array_elements(one.entry -> list) WITH ORDINALITY AS r (reference, i)
            WHERE r.reference ->> 'to' = one.entry ->> 'id'
            ORDER BY r.i
            LIMIT 1;
            IF FOUND THEN
                RAISE EXCEPTION '%.%[%].to is the document itself', one.place, list, bad.i - 1
                    USING ERRCODE = '22023', HINT = 'A relationship leads from one document to another.';
            END IF;
        END LOOP;
    END LOOP;

    SELECT d.i AS document, c.i AS chunk INTO bad
    FROM jsonb_array_elements(documents) WITH ORDINALITY AS d (entry, i)
    CROSS JOIN jsonb_array_elements(d.entry -> 'chunks') WITH ORDINALITY AS c (chunk, i)
    WHERE (c.chunk ? 'start') <> (c.chunk ? 'end') OR (c.chunk ->> 'start')::numeric > (c.chunk ->> 'end')::numeric
    ORDER BY d.i, c.i
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'documents[%].chunks[%] must have both start and end, the end not before the start, or neither',
            bad.document - 1, bad.chunk - 1
            USING ERRCODE = '22023', HINT = 'They are the place in the source, in characters.';
    END IF;

    SELECT v.place INTO bad
    FROM (
        SELECT d.i AS document, -1 AS chunk, format('documents[%s].summary_embedding', d.i - 1) AS place,
            docgraph.vector_text(d.entry -> 'summary_embedding') AS vector
        FROM jsonb_array_elements(documents) WITH ORDINALITY AS d (entry, i)
        UNION ALL
        SELECT d.i, c.i, format('documents[%s].chunks[%s].embedding', d.i - 1, c.i - 1),
            docgraph.vector_text(c.chunk -> 'embedding')
        FROM jsonb_array_elements(documents) WITH ORDINALITY AS d (entry, i)
        CROSS JOIN jsonb_array_elements(d.entry -> 'chunks') WITH ORDINALITY AS c (chunk, i)
    ) AS v
    WHERE NOT docgraph.is_storable(v.vector, dimensions, metric)
    ORDER BY v.document, v.chunk
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% must have % elements, and a length from 0.001 to 60000', bad.place, dimensions
            USING ERRCODE = '22023',
                  HINT = 'Is it a vector of the recorded model? docgraph.embedding_space() names it.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_documents(jsonb, integer, text) IS
    'Core. Refuses documents that cannot be stored (22023), naming the place.';
REVOKE ALL ON FUNCTION docgraph.check_documents(jsonb, integer, text) FROM PUBLIC;
