-- retrieve_many: what retrieve gives for each of many queries, in one call.
--
-- query_embeddings has two dimensions: a query each, at most bound('queries'); query_texts has as many texts, for modes that
-- compare words; where words alone are compared, they stand without vectors. The other parameters are those of retrieve, and
-- the same for all.
-- Reads:      what retrieve reads
-- Guarantees: all from one snapshot; query counts from 1; each result is what retrieve gives for that query, byte for byte
-- Errors:     22023, 40001, 42501, KG003
-- Example:    SELECT * FROM docgraph.retrieve_many('default', '{}',
--                 array_fill(0.1::float8, ARRAY[2, (SELECT dimensions FROM docgraph.embedding_space())]));
CREATE OR REPLACE FUNCTION docgraph.retrieve_many(
    tenant text, access jsonb, query_embeddings double precision[] DEFAULT NULL, query_texts text[] DEFAULT NULL,
    seeds text[] DEFAULT NULL, mode text DEFAULT 'semantic', search_in text DEFAULT 'summaries',
    method text DEFAULT 'auto', seed_limit integer DEFAULT 5, relation_types text[] DEFAULT NULL,
    expanded_per_seed integer DEFAULT 10, max_documents integer DEFAULT 40, dominant_scope text DEFAULT 'none',
    scope_distance numeric DEFAULT 0.35, rrf_k integer DEFAULT 60, title_hits boolean DEFAULT false,
    chunk_mode text DEFAULT NULL, max_chunks integer DEFAULT 10, per_document integer DEFAULT 3,
    reserve numeric DEFAULT 0.4, selection text DEFAULT 'similarity',
    max_chars integer DEFAULT NULL, budget_tokens integer DEFAULT NULL, conceptual_share numeric DEFAULT 0.25
)
    RETURNS TABLE (query integer, result jsonb)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    words_alone constant boolean := (
        query_embeddings IS NULL AND mode = 'bm25' AND coalesce(chunk_mode, mode) = 'bm25') IS TRUE;
    queries constant integer := coalesce(
        CASE WHEN words_alone THEN cardinality(query_texts) ELSE array_length(query_embeddings, 1) END, 0);
    first_vector constant integer := array_lower(query_embeddings, 1);
    first_text constant integer := array_lower(query_texts, 1);
    one double precision[];
BEGIN
    PERFORM docgraph.visible_classes(tenant, access);
    -- An empty list has no dimensions.
    IF NOT words_alone AND (
        (query_embeddings = '{}' OR array_ndims(query_embeddings) = 2) AND queries <= docgraph.bound('queries')
    ) IS NOT TRUE THEN
        RAISE EXCEPTION 'query_embeddings must be a list of at most % vectors', docgraph.bound('queries')
            USING ERRCODE = '22023', HINT = 'For one vector there is docgraph.retrieve; make several calls for more.';
    END IF;
    IF (words_alone OR query_texts IS NOT NULL) AND (
        coalesce(array_ndims(query_texts), 1) = 1 AND array_position(query_texts, NULL) IS NULL
        AND cardinality(query_texts) = queries AND queries <= docgraph.bound('queries')
    ) IS NOT TRUE THEN
        RAISE EXCEPTION 'query_texts must be a plain list without null, %', CASE
                WHEN words_alone THEN format('of at most %s texts', docgraph.bound('queries'))
                ELSE 'as long as query_embeddings'
            END
            USING ERRCODE = '22023', HINT = 'The questions in words, each in the place of its vector if it has one.';
    END IF;
    IF queries = 0 THEN
        -- What would be refused with a query is refused without one.
        PERFORM docgraph.make_plan(
            tenant, access, NULL, NULL, coalesce(seeds, '{}'), mode, search_in, method, seed_limit, relation_types,
            expanded_per_seed, max_documents, dominant_scope, scope_distance, rrf_k, title_hits);
        PERFORM docgraph.check_mode('chunk_mode', coalesce(chunk_mode, mode));
        PERFORM docgraph.check_choosing(max_chunks, per_document, reserve, selection);
        PERFORM docgraph.check_budget(max_chars, budget_tokens, conceptual_share, docgraph.bound('usual_budget'));
        RETURN;
    END IF;
    FOR n IN 0 .. queries - 1 LOOP
        query := n + 1;
        IF NOT words_alone THEN
            one := ARRAY(SELECT unnest(query_embeddings[first_vector + n:first_vector + n]));
            PERFORM docgraph.check_vector(format('query_embeddings[%s]', query), one);
        END IF;
        result := docgraph.retrieve(
            tenant, access, one, query_texts[first_text + n], seeds, mode, search_in, method, seed_limit, relation_types,
            expanded_per_seed, max_documents, dominant_scope, scope_distance, rrf_k, title_hits, chunk_mode, max_chunks,
            per_document, reserve, selection, max_chars, budget_tokens, conceptual_share);
        RETURN NEXT;
    END LOOP;
END
$$;

COMMENT ON FUNCTION docgraph.retrieve_many(
    text, jsonb, double precision[], text[], text[], text, text, text, integer, text[], integer, integer, text, numeric,
    integer, boolean, text, integer, integer, numeric, text, integer, integer, numeric
) IS
    'API, reader. What retrieve gives for each of many queries. '
    'SELECT * FROM docgraph.retrieve_many(''default'', ''{}'', '
    'array_fill(0.1::float8, ARRAY[2, (SELECT dimensions FROM docgraph.embedding_space())]));';
REVOKE ALL ON FUNCTION docgraph.retrieve_many(
    text, jsonb, double precision[], text[], text[], text, text, text, integer, text[], integer, integer, text, numeric,
    integer, boolean, text, integer, integer, numeric, text, integer, integer, numeric
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.retrieve_many(
    text, jsonb, double precision[], text[], text[], text, text, text, integer, text[], integer, integer, text, numeric,
    integer, boolean, text, integer, integer, numeric, text, integer, integer, numeric
) TO docgraph_reader;
