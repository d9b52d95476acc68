-- execute_plan: the chunks of planned documents that fit a question best: evidence, and nothing that is not in the plan.
--
-- chunk_mode says how chunks are compared with the question. semantic: with query_embedding. bm25: by the words of query_text,
-- read as search_nodes reads them; a chunk has the score that a search gives it. hybrid: by both, the candidates
-- of either fused by their ranks (rrf_k).
-- The best per_document chunks of each document take part, max_chunks of them are chosen: a share of the places, the
-- reserve, is kept for documents that seeds brought in, their best chunks, one each before any gets a second; all other
-- places go to the best that are left. chosen says in which order, chosen_by by what: similarity or reserve.
-- selection bridge: see core function order_by_bridge; chosen_by is then similarity, or behind which seed a chunk stands.
-- Every document is authorised anew, and the plan's limits are applied anew: a plan is intent, not authority. missing
-- counts its documents that are not there, or not to be seen; it is the same in each row; where no chunk is chosen
-- there is none to say it, and retrieve_by_plan does. No planning takes place here.
-- The settings, and an order that only one index gives, leave the planner no other way to the text than the primary key.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes, vector_chunks;
--             lexical_index, lexical_terms and lexical_counts for words
-- Guarantees: the same plan, query and data give the same rows; in order of the plan, then distance (in millionths), BM25
--             score (six digits) or sum of 1 / (rrf_k + rank) (twelve), then chunk; exact: every chunk of the documents is
--             compared; score is the figure of that order
-- Errors:     22023, 40001, 42501, KG001 (a plan of another embedding space), KG003
-- Example:    SELECT * FROM docgraph.execute_plan('default', '{}', docgraph.plan_retrieval('default', '{}',
--                 seeds => '{README.md}'),
--                 array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));
CREATE OR REPLACE FUNCTION docgraph.execute_plan(
    tenant text, access jsonb, plan jsonb, query_embedding double precision[] DEFAULT NULL,
    query_text text DEFAULT NULL, chunk_mode text DEFAULT 'semantic', rrf_k integer DEFAULT 60,
    max_chunks integer DEFAULT 10, per_document integer DEFAULT 3, reserve numeric DEFAULT 0.4,
    selection text DEFAULT 'similarity'
)
    RETURNS TABLE (
        "position" integer, document_id text, role text, chunk integer, text text, tokens integer, section_path text[],
        score double precision, chosen integer, chosen_by text, why text, missing integer
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET max_parallel_workers_per_gather = 0
    SET jit = off
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    metric text;
    planned record;
    evidence record;
    absent integer;
BEGIN
    metric := docgraph.check_evidence(
        query_embedding, query_text, chunk_mode, rrf_k, max_chunks, per_document, reserve, selection);
    PERFORM docgraph.check_executable(tenant, plan);
    planned := docgraph.planned_documents(plan);
    absent := cardinality(planned.documents)
        - cardinality(docgraph.visible_among(tenant, visible, planned.documents));
    evidence := docgraph.choose_chunks(
        tenant, visible, plan, planned.documents, planned.seeds, docgraph.query_vector(query_embedding, metric), metric,
        query_text, chunk_mode, rrf_k, max_chunks, per_document, reserve, selection);
    RETURN QUERY
    SELECT planned.places[c.position], planned.documents[c.position],
        CASE WHEN c.position <= planned.seeds THEN 'seed' ELSE 'expanded' END,
        v.ordinal, v.text, v.token_count, v.section_path, c.score, c.nth::integer, c.chosen_by,
        planned.reasons[c.position], absent
    FROM ROWS FROM (
        unnest(evidence.positions), unnest(evidence.chunks), unnest(evidence.places), unnest(evidence.scores),
        unnest(evidence.chosen_by)
    ) WITH ORDINALITY AS c (position, ordinal, place, score, chosen_by, nth)
    CROSS JOIN LATERAL (
        SELECT e.ordinal, e.text, e.token_count, e.section_path
        FROM docgraph.vector_chunks e
        WHERE e.tenant_id = tenant
            AND e.document_id BETWEEN planned.documents[c.position] AND planned.documents[c.position]
            AND e.ordinal BETWEEN c.ordinal AND c.ordinal AND e.access_class = ANY (visible)
        ORDER BY e.document_id, e.ordinal
    ) AS v
    ORDER BY c.position, c.place;
END
$$;

COMMENT ON FUNCTION docgraph.execute_plan(
    text, jsonb, jsonb, double precision[], text, text, integer, integer, integer, numeric, text
) IS
    'API, reader. The chunks of planned documents that fit a question best. '
    'SELECT * FROM docgraph.execute_plan(''default'', ''{}'', docgraph.plan_retrieval(''default'', ''{}'', '
    'seeds => ''{README.md}''), '
    'array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));';
REVOKE ALL ON FUNCTION docgraph.execute_plan(
    text, jsonb, jsonb, double precision[], text, text, integer, integer, integer, numeric, text
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.execute_plan(
    text, jsonb, jsonb, double precision[], text, text, integer, integer, integer, numeric, text
) TO docgraph_reader;
