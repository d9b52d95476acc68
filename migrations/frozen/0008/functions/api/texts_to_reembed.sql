-- texts_to_reembed: texts that have a vector, but none of the next embedding space yet.
--
-- ordinal is the chunk, NULL for a document's summary (title and section_path are empty then: embed the text alone).
-- Give the digest back with the vector. after is the last row before, as tenant, document and ordinal ('-1' for NULL);
-- begin again from the start when a page is empty: texts may have changed meanwhile.
-- Reads:      access_grants, next_embedding_space, document_nodes, vector_chunks, next_vectors
-- Guarantees: only of tenants in which this login may see everything
-- Errors:     22023; also without begin_reembedding; 40001
-- Example:    SELECT * FROM docgraph.texts_to_reembed(NULL, 100);
CREATE OR REPLACE FUNCTION docgraph.texts_to_reembed(after text[] DEFAULT NULL, page integer DEFAULT 100)
    RETURNS TABLE (tenant text, document text, ordinal integer, title text, section_path text[], text text, digest text)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    tenants constant text[] := docgraph.unlimited_tenants();
    from_tenant text := after[1];
    from_document text := after[2];
    from_ordinal integer;
BEGIN
    PERFORM docgraph.check_page(NULL, page);
    PERFORM docgraph.await_tables();
    PERFORM docgraph.next_dimensions();
    IF after IS NOT NULL AND (
        array_ndims(after) = 1 AND array_lower(after, 1) = 1 AND cardinality(after) = 3 AND array_position(after, NULL) IS NULL
        AND after[3] ~ '^(-1|[0-9]{1,9})$'
    ) IS NOT TRUE THEN
        RAISE EXCEPTION 'after must be a triple of tenant, document and ordinal'
            USING ERRCODE = '22023', HINT = 'Of the last row of the page before; NULL for the first page.';
    END IF;
    from_ordinal := after[3]::integer;
    -- Ordered and limited in each branch: both then follow an index, and read no further than the page.
    RETURN QUERY
    SELECT l.tenant_id, l.document_id, nullif(l.n, -1), l.title, l.section_path, l.words, encode(l.digest, 'hex')
    FROM (
        (
            SELECT d.tenant_id, d.document_id, -1 AS n, ''::text AS title, '{}'::text[] AS section_path,
                d.summary AS words, docgraph.words_digest('', '{}', d.summary) AS digest
            FROM docgraph.document_nodes d
            WHERE d.tenant_id = ANY (tenants) AND d.summary_embedding IS NOT NULL
                AND (from_tenant IS NULL
                    OR (d.tenant_id, d.document_id) > (from_tenant, from_document))
                AND NOT EXISTS (
                    SELECT FROM docgraph.next_vectors v
                    WHERE v.tenant_id = d.tenant_id AND v.document_id = d.document_id AND v.ordinal = -1
                        AND v.digest = docgraph.words_digest('', '{}', d.summary)
                )
            ORDER BY d.tenant_id, d.document_id
            LIMIT page
        )
        UNION ALL
        (
            SELECT c.tenant_id, c.document_id, c.ordinal, d.title, c.section_path, c.text,
                docgraph.words_digest(d.title, c.section_path, c.text)
            FROM docgraph.vector_chunks c
            JOIN docgraph.document_nodes d ON d.tenant_id = c.tenant_id AND d.document_id = c.document_id
            WHERE c.tenant_id = ANY (tenants) AND c.embedding IS NOT NULL
                AND (from_tenant IS NULL
                    OR (c.tenant_id, c.document_id, c.ordinal) > (from_tenant, from_document, from_ordinal))
                AND NOT EXISTS (
                    SELECT FROM docgraph.next_vectors v
                    WHERE v.tenant_id = c.tenant_id AND v.document_id = c.document_id AND v.ordinal = c.ordinal
                        AND v.digest = docgraph.words_digest(d.title, c.section_path, c.text)
                )
            ORDER BY c.tenant_id, c.document_id, c.ordinal
            LIMIT page
        )
    ) AS l
    ORDER BY l.tenant_id, l.document_id, l.n
    LIMIT page;
END
$$;

COMMENT ON FUNCTION docgraph.texts_to_reembed(text[], integer) IS
    'API, admin. Texts that have no vector of the next embedding space yet. '
    'SELECT * FROM docgraph.texts_to_reembed(NULL, 100);';
REVOKE ALL ON FUNCTION docgraph.texts_to_reembed(text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.texts_to_reembed(text[], integer) TO docgraph_admin;
