-- assemble_context: a context from a plan, as rows: what its documents are about, then evidence, within a budget.
--
-- The budget is max_chars or budget_tokens, one of the two. layer conceptual has at most conceptual_share of it: for each
-- document its summary, then its section titles (part summary, part sections); documents of which a chunk is chosen come
-- first. layer evidence has the chunks that execute_plan gives (part chunk), in its order, as far as there is room: they
-- get it in the order in which they are chosen. query_text, chunk_mode and rrf_k are as there. Pieces are atomic: what does
-- not fit is passed over, and the next one is tried. running_total counts in the unit of the budget; how many tokens a chunk
-- has, its writer said. why says why the document is in; chosen and chosen_by, as in execute_plan, why the chunk is. The last
-- row is the accounting: what was left out and for which reason, as counts.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes, vector_chunks, alembic_version;
--             lexical_index, lexical_terms and lexical_counts for words
-- Guarantees: those of execute_plan; the budget is never exceeded; one row of accounting, always
-- Errors:     22023, 40001, 42501, KG001 (a plan of another embedding space), KG003
-- Example:    SELECT * FROM docgraph.assemble_context('default', '{}', docgraph.plan_retrieval('default', '{}',
--                 seeds => '{README.md}'),
--                 array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]), budget_tokens => 2000);
CREATE OR REPLACE FUNCTION docgraph.assemble_context(
    tenant text, access jsonb, plan jsonb, query_embedding double precision[] DEFAULT NULL,
    query_text text DEFAULT NULL, chunk_mode text DEFAULT 'semantic', rrf_k integer DEFAULT 60,
    max_chars integer DEFAULT NULL, budget_tokens integer DEFAULT NULL, conceptual_share numeric DEFAULT 0.25,
    max_chunks integer DEFAULT 10,
    per_document integer DEFAULT 3, reserve numeric DEFAULT 0.4, selection text DEFAULT 'similarity'
)
    RETURNS TABLE (
        layer text, "position" integer, document_id text, role text, part text, chunk integer, text text,
        tokens integer, running_total bigint, score double precision, chosen integer, chosen_by text, why text,
        accounting jsonb
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    metric text;
    budget record;
    planned record;
    found jsonb;
BEGIN
    metric := docgraph.check_evidence(
        query_embedding, query_text, chunk_mode, rrf_k, max_chunks, per_document, reserve, selection);
    PERFORM docgraph.check_executable(tenant, plan);
    budget := docgraph.check_budget(max_chars, budget_tokens, conceptual_share, NULL);
    planned := docgraph.planned_documents(plan);
    found := docgraph.assemble(
        tenant, visible, plan, planned.documents, planned.places, planned.reasons, planned.seeds, planned.over_caps,
        query_embedding, metric, query_text, chunk_mode, rrf_k, max_chunks, per_document, reserve, selection, budget.unit,
        budget.room, conceptual_share, docgraph.question_warnings(query_text));
    RETURN QUERY
    WITH documents AS (
        SELECT d.document
        FROM jsonb_array_elements(found #> '{context,documents}') AS d (document)
    ), pieces AS (
        SELECT 'conceptual' AS layer, d.document, p.part, NULL::jsonb AS chunk, p.content,
            docgraph.estimated_tokens(p.content) AS tokens,
            ARRAY[1, (d.document -> 'chosen_chunks' = '0')::integer, (d.document -> 'position')::integer, p.nth] AS place
        FROM documents d
        CROSS JOIN LATERAL (VALUES
            ('summary', 1, d.document ->> 'summary'),
            ('sections', 2, (
                SELECT string_agg(t.title, E'\n' ORDER BY t.nth)
                FROM jsonb_array_elements_text(nullif(d.document -> 'section_titles', 'null'))
                    WITH ORDINALITY AS t (title, nth)))
        ) AS p (part, nth, content)
        WHERE p.content IS NOT NULL
        UNION ALL
        SELECT 'evidence', d.document, 'chunk', c.chunk, c.chunk ->> 'text', (c.chunk -> 'tokens')::integer,
            ARRAY[2, 0, (d.document -> 'position')::integer, c.nth::integer]
        FROM documents d
        CROSS JOIN jsonb_array_elements(d.document -> 'chunks') WITH ORDINALITY AS c (chunk, nth)
    )
    SELECT p.layer, (p.document -> 'position')::integer, p.document ->> 'document_id', p.document ->> 'role', p.part,
        (p.chunk -> 'chunk')::integer, p.content, p.tokens,
        sum(CASE budget.unit WHEN 'tokens' THEN p.tokens ELSE char_length(p.content) END) OVER (ORDER BY p.place),
        (p.chunk -> 'score')::double precision, (p.chunk -> 'chosen')::integer, p.chunk ->> 'chosen_by',
        p.document ->> 'why', NULL::jsonb
    FROM pieces p
    ORDER BY p.place;
    RETURN QUERY
    SELECT 'accounting', NULL::integer, NULL, NULL, NULL, NULL::integer, NULL, NULL::integer, NULL::bigint,
        NULL::double precision, NULL::integer, NULL, NULL, found -> 'accounting';
END
$$;

COMMENT ON FUNCTION docgraph.assemble_context(
    text, jsonb, jsonb, double precision[], text, text, integer, integer, integer, numeric, integer, integer, numeric, text
) IS
    'API, reader. A context from a plan, as rows, within a budget. '
    'SELECT * FROM docgraph.assemble_context(''default'', ''{}'', docgraph.plan_retrieval(''default'', ''{}'', '
    'seeds => ''{README.md}''), '
    'array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]), budget_tokens => 2000);';
REVOKE ALL ON FUNCTION docgraph.assemble_context(
    text, jsonb, jsonb, double precision[], text, text, integer, integer, integer, numeric, integer, integer, numeric, text
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.assemble_context(
    text, jsonb, jsonb, double precision[], text, text, integer, integer, integer, numeric, integer, integer, numeric, text
) TO docgraph_reader;
