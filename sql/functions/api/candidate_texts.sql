-- candidate_texts: the texts of what a search has found, for a program that puts candidates in another order.
--
-- documents and chunks as search_nodes gives them; without chunks the title and summary of each document. A search itself
-- gives no text, and what goes into an answer is fetched elsewhere: this is for the caller's own reranking, within the search.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      access_grants, access_classes, document_nodes or vector_chunks
-- Guarantees: in the order given, place counts from 1; what is hidden and what is not there are left out alike
-- Errors:     22023, 40001, 42501
-- Example:    SELECT * FROM docgraph.candidate_texts('default', '{}', '{a.md,a.md}', '{0,1}');
CREATE OR REPLACE FUNCTION docgraph.candidate_texts(
    tenant text, access jsonb, documents text[], chunks integer[] DEFAULT NULL
)
    RETURNS TABLE (place integer, text text)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
BEGIN
    PERFORM docgraph.check_ids('documents', documents);
    IF cardinality(documents) > docgraph.bound('ids') THEN
        RAISE EXCEPTION 'documents may have % places at most', docgraph.bound('ids')
            USING ERRCODE = '22023', HINT = 'Make several calls.';
    END IF;
    IF chunks IS NOT NULL AND (
        coalesce(array_ndims(chunks), 1) = 1 AND array_position(chunks, NULL) IS NULL
        AND cardinality(chunks) = cardinality(documents) AND 0 <= ALL (chunks)
    ) IS NOT TRUE THEN
        RAISE EXCEPTION 'chunks must be a plain list of numbers from 0, without null, as long as documents'
            USING ERRCODE = '22023', HINT = 'The chunk of each document, as search_nodes gives it; leave it out for summaries.';
    END IF;
    IF chunks IS NULL THEN
        RETURN QUERY
        SELECT a.place::integer, concat_ws(E'\n', nullif(d.title, ''), nullif(d.summary, ''))
        FROM unnest(documents) WITH ORDINALITY AS a (document_id, place)
        CROSS JOIN LATERAL (
            SELECT n.title, n.summary
            FROM docgraph.document_nodes n
            WHERE n.tenant_id = tenant AND n.document_id BETWEEN a.document_id AND a.document_id
                AND n.access_class = ANY (visible)
            ORDER BY n.document_id
        ) AS d
        ORDER BY a.place;
    ELSE
        RETURN QUERY
        SELECT a.place::integer, v.text
        FROM ROWS FROM (unnest(documents), unnest(chunks)) WITH ORDINALITY AS a (document_id, ordinal, place)
        CROSS JOIN LATERAL (
            SELECT c.text
            FROM docgraph.vector_chunks c
            WHERE c.tenant_id = tenant AND c.document_id BETWEEN a.document_id AND a.document_id
                AND c.ordinal BETWEEN a.ordinal AND a.ordinal AND c.access_class = ANY (visible)
            ORDER BY c.document_id, c.ordinal
        ) AS v
        ORDER BY a.place;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.candidate_texts(text, jsonb, text[], integer[]) IS
    'API, reader. The texts of what a search has found, for a program that puts candidates in another order. '
    'SELECT * FROM docgraph.candidate_texts(''default'', ''{}'', ''{a.md,a.md}'', ''{0,1}'');';
REVOKE ALL ON FUNCTION docgraph.candidate_texts(text, jsonb, text[], integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.candidate_texts(text, jsonb, text[], integer[]) TO docgraph_reader;
