-- retrieve_by_plan: a context from a plan that was made before: stored, approved, or sealed anew after a change.
--
-- As retrieve, which makes the plan itself; parameters as in assemble_context. Where neither max_chars nor budget_tokens
-- is given, the budget is bound('usual_budget') tokens.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes, vector_chunks, alembic_version;
--             lexical_index, lexical_terms and lexical_counts for words
-- Guarantees: those of assemble_context; no planning takes place
-- Errors:     22023, 40001, 42501, KG001 (a plan of another embedding space), KG003
-- Example:    SELECT docgraph.retrieve_by_plan('default', '{}', docgraph.plan_retrieval('default', '{}',
--                 seeds => '{README.md}'),
--                 array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));
CREATE OR REPLACE FUNCTION docgraph.retrieve_by_plan(
    tenant text, access jsonb, plan jsonb, query_embedding double precision[] DEFAULT NULL,
    query_text text DEFAULT NULL, chunk_mode text DEFAULT 'semantic', rrf_k integer DEFAULT 60,
    max_chunks integer DEFAULT 10, per_document integer DEFAULT 3, reserve numeric DEFAULT 0.4,
    selection text DEFAULT 'similarity',
    max_chars integer DEFAULT NULL, budget_tokens integer DEFAULT NULL, conceptual_share numeric DEFAULT 0.25
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    metric text;
    budget record;
    planned record;
BEGIN
    metric := docgraph.check_evidence(
        query_embedding, query_text, chunk_mode, rrf_k, max_chunks, per_document, reserve, selection);
    PERFORM docgraph.check_executable(tenant, plan);
    budget := docgraph.check_budget(max_chars, budget_tokens, conceptual_share, docgraph.bound('usual_budget'));
    planned := docgraph.planned_documents(plan);
    RETURN docgraph.assemble(
        tenant, visible, plan, planned.documents, planned.places, planned.reasons, planned.seeds, planned.over_caps,
        query_embedding, metric, query_text, chunk_mode, rrf_k, max_chunks, per_document, reserve, selection, budget.unit,
        budget.room, conceptual_share, docgraph.question_warnings(query_text));
END
$$;

COMMENT ON FUNCTION docgraph.retrieve_by_plan(
    text, jsonb, jsonb, double precision[], text, text, integer, integer, integer, numeric, text, integer, integer, numeric
) IS
    'API, reader. A context from a plan that was made before. '
    'SELECT docgraph.retrieve_by_plan(''default'', ''{}'', docgraph.plan_retrieval(''default'', ''{}'', '
    'seeds => ''{README.md}''), '
    'array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));';
REVOKE ALL ON FUNCTION docgraph.retrieve_by_plan(
    text, jsonb, jsonb, double precision[], text, text, integer, integer, integer, numeric, text, integer, integer, numeric
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.retrieve_by_plan(
    text, jsonb, jsonb, double precision[], text, text, integer, integer, integer, numeric, text, integer, integer, numeric
) TO docgraph_reader;
