-- retrieve: the plan for a query, the context that execution makes of it, and the accounting, in one call.
--
-- Parameters up to title_hits as in plan_retrieval, the others as in assemble_context. mode says how seeds are found,
-- chunk_mode how chunks are compared; where that is NULL, as mode says. Where neither max_chars nor budget_tokens is given,
-- the budget is bound('usual_budget') tokens. The context has documents, each with its chunks.
-- Reads:      access_grants, access_classes, embedding_space, alembic_version, document_nodes, document_relationships,
--             vector_chunks; lexical_index, lexical_terms and lexical_counts only to search by words
-- Guarantees: all from one snapshot; what plan_retrieval and then retrieve_by_plan give, byte for byte, but that a warning
--             about the words of a question comes also where only seeds were found by them
-- Errors:     22023, 40001, 42501, KG003
-- Example:    SELECT jsonb_pretty(docgraph.retrieve('default', '{}',
--                 array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())])));
CREATE OR REPLACE FUNCTION docgraph.retrieve(
    tenant text, access jsonb, query_embedding double precision[] DEFAULT NULL, query_text text DEFAULT NULL,
    seeds text[] DEFAULT NULL, mode text DEFAULT 'semantic', search_in text DEFAULT 'summaries',
    method text DEFAULT 'auto', seed_limit integer DEFAULT 5, relation_types text[] DEFAULT NULL,
    expanded_per_seed integer DEFAULT 10, max_documents integer DEFAULT 40, dominant_scope text DEFAULT 'none',
    scope_distance numeric DEFAULT 0.35, rrf_k integer DEFAULT 60, title_hits boolean DEFAULT false,
    chunk_mode text DEFAULT NULL, max_chunks integer DEFAULT 10, per_document integer DEFAULT 3,
    reserve numeric DEFAULT 0.4, selection text DEFAULT 'similarity',
    max_chars integer DEFAULT NULL, budget_tokens integer DEFAULT NULL, conceptual_share numeric DEFAULT 0.25
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    chunks_by constant text := coalesce(chunk_mode, mode);
    made record;
    metric text;
    budget record;
BEGIN
    -- First what makes no plan worth making.
    PERFORM docgraph.check_mode('mode', mode);
    metric := docgraph.check_evidence(
        CASE WHEN chunks_by <> 'bm25' THEN query_embedding END, CASE WHEN chunks_by <> 'semantic' THEN query_text END,
        chunks_by, rrf_k, max_chunks, per_document, reserve, selection);
    budget := docgraph.check_budget(max_chars, budget_tokens, conceptual_share, docgraph.bound('usual_budget'));
    made := docgraph.make_plan(
        tenant, access, CASE WHEN mode <> 'bm25' OR chunks_by = 'bm25' THEN query_embedding END,
        CASE WHEN mode <> 'semantic' OR chunks_by = 'semantic' THEN query_text END, seeds, mode, search_in, method,
        seed_limit, relation_types, expanded_per_seed, max_documents, dominant_scope, scope_distance, rrf_k, title_hits);
    RETURN docgraph.assemble(
        tenant, made.visible, made.plan, made.documents, NULL, made.reasons, made.seed_count, 0, query_embedding, metric,
        query_text, chunks_by, rrf_k, max_chunks, per_document, reserve, selection, budget.unit, budget.room,
        conceptual_share, docgraph.question_warnings(query_text));
END
$$;

COMMENT ON FUNCTION docgraph.retrieve(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric,
    integer, boolean, text, integer, integer, numeric, text, integer, integer, numeric
) IS
    'API, reader. The plan for a query, the context that it gives, and the accounting. '
    'SELECT jsonb_pretty(docgraph.retrieve(''default'', ''{}'', '
    'array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())])));';
REVOKE ALL ON FUNCTION docgraph.retrieve(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric,
    integer, boolean, text, integer, integer, numeric, text, integer, integer, numeric
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.retrieve(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric,
    integer, boolean, text, integer, integer, numeric, text, integer, integer, numeric
) TO docgraph_reader;
