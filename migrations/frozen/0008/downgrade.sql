-- Back to 0007, from 0008: Each step behind its own filter
-- All at once, in the order in which those who write take them: a writer is waited for, or waits, and nobody is in the way
-- of the other.
LOCK TABLE docgraph.document_nodes, docgraph.vector_chunks, docgraph.access_classes, docgraph.lexical_index,
    docgraph.lexical_terms IN ACCESS EXCLUSIVE MODE;
-- run_pipeline: search_nodes, expand_dependency_tree and fetch_node_texts, one after the other, in one call.
--
-- Each stage is the API function itself, and applies the claim by itself. Parameters are theirs; seed_limit is the max_nodes of
-- search_nodes, max_nodes that of expand_dependency_tree. With seeds the search is left out: they are its result, as somebody
-- else has ordered it. A document that a search in chunks finds several times is one seed. Where neither max_chars nor
-- budget_tokens is given, the budget is bound('usual_budget') tokens. Where nothing is found, the other stages have
-- nothing to do, and the lists are empty.
-- Gives {"retrieval_seed_nodes", "expanded_nodes", "dependency_edges", "node_texts", "accounting"}: what each stage gives,
-- under the names of their contracts.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes, document_relationships, vector_chunks; for words
--             lexical_index, lexical_terms and lexical_counts
-- Guarantees: all from one snapshot; what the three give one after the other
-- Errors:     22023, 42501, KG003
-- Example:    SELECT jsonb_pretty(docgraph.run_pipeline('default', '{}',
--                 array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())])));
CREATE OR REPLACE FUNCTION docgraph.run_pipeline(
    tenant text, access jsonb, query_embedding double precision[] DEFAULT NULL, query_text text DEFAULT NULL,
    seeds text[] DEFAULT NULL, mode text DEFAULT 'semantic', search_in text DEFAULT 'summaries',
    method text DEFAULT 'auto', rrf_k integer DEFAULT 60, title_hits boolean DEFAULT false,
    rerank text DEFAULT 'none', rerank_lexical boolean DEFAULT false, seed_limit integer DEFAULT 5,
    max_depth integer DEFAULT 2, max_nodes integer DEFAULT 200, fan_out integer DEFAULT 50, edge_allowlist text[] DEFAULT NULL,
    direction text DEFAULT 'outgoing', max_chars integer DEFAULT NULL, budget_tokens integer DEFAULT NULL,
    prioritization text DEFAULT 'seed_first'
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    budget record;
    hits jsonb;
    starts text[];
    tree jsonb := '{"nodes": [], "edges": [], "truncated": [], "omitted": 0}';
    found jsonb;
BEGIN
    -- First what makes no search worth making.
    PERFORM docgraph.check_limit('seed_limit', seed_limit, 'nodes');
    PERFORM docgraph.check_expansion(max_depth, max_nodes, fan_out, edge_allowlist, direction);
    budget := docgraph.check_fetching(max_chars, budget_tokens, prioritization, docgraph.bound('usual_budget'));

    IF seeds IS NULL THEN
        IF query_embedding IS NULL AND query_text IS NULL THEN
            RAISE EXCEPTION '% and seeds must not both be null',
                CASE mode WHEN 'bm25' THEN 'query_text' ELSE 'query_embedding' END
                USING ERRCODE = '22023', HINT = 'A pipeline begins with what answers a query best, or with ids.';
        END IF;
        SELECT coalesce(jsonb_agg(to_jsonb(h) ORDER BY h.rank), '[]'),
            coalesce(array_agg(h.document_id ORDER BY h.rank), '{}')
        INTO hits, starts
        FROM docgraph.search_nodes(
            tenant => tenant, access => access, query_embedding => query_embedding, query_text => query_text,
            mode => mode, search_in => search_in, method => method, max_nodes => seed_limit, rrf_k => rrf_k,
            title_hits => title_hits, rerank => rerank, rerank_lexical => rerank_lexical) AS h;
    ELSE
        PERFORM docgraph.check_seeds(seeds);
        PERFORM docgraph.check_search(search_in, method);
        PERFORM docgraph.check_fusion(mode, search_in, rrf_k, title_hits);
        PERFORM docgraph.check_reranking(mode, rerank, rerank_lexical);
        PERFORM docgraph.check_query(mode, query_embedding, query_text);
        IF query_embedding IS NOT NULL OR query_text IS NOT NULL THEN
            RAISE EXCEPTION 'seeds and a query must not both be given'
                USING ERRCODE = '22023', HINT = 'Seeds take the place of a search: leave one of the two out.';
        END IF;
        SELECT coalesce(jsonb_agg(jsonb_build_object(
            'rank', s.rank, 'document_id', s.id, 'chunk', NULL, 'found_by', 'given') ORDER BY s.rank), '[]')
        INTO hits
        FROM unnest(docgraph.visible_among(tenant, visible, seeds)) WITH ORDINALITY AS s (id, rank);
        starts := seeds;
    END IF;
    IF starts <> '{}' THEN
        tree := docgraph.expand_dependency_tree(
            tenant => tenant, access => access, seeds => starts, max_depth => max_depth, max_nodes => max_nodes,
            fan_out => fan_out, edge_allowlist => edge_allowlist, direction => direction);
    END IF;
    SELECT jsonb_build_object(
        'retrieval_seed_nodes', hits,
        'expanded_nodes', tree -> 'nodes',
        'dependency_edges', tree -> 'edges',
        'node_texts', coalesce(jsonb_agg(to_jsonb(t) - '{place,accounting}'::text[] ORDER BY t.place)
            FILTER (WHERE t.accounting IS NULL), '[]'),
        'accounting', jsonb_build_object(
            'truncated', tree -> 'truncated', 'omitted', tree -> 'omitted',
            'warnings', docgraph.question_warnings(query_text),
            'texts', jsonb_agg(t.accounting) FILTER (WHERE t.accounting IS NOT NULL) -> 0)
    ) INTO found
    FROM docgraph.fetch_node_texts(
        tenant => tenant, access => access, nodes => tree -> 'nodes',
        seeds => CASE WHEN tree -> 'nodes' = '[]' THEN '{}' ELSE starts END,
        max_chars => CASE budget.unit WHEN 'characters' THEN budget.room END,
        budget_tokens => CASE budget.unit WHEN 'tokens' THEN budget.room END, prioritization => prioritization) AS t;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.run_pipeline(
    text, jsonb, double precision[], text, text[], text, text, text, integer, boolean, text, boolean, integer, integer,
    integer, integer, text[], text, integer, integer, text
) IS
    'API, reader. Search, expansion and texts, one after the other, in one call. '
    'SELECT jsonb_pretty(docgraph.run_pipeline(''default'', ''{}'', '
    'array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())])));';
REVOKE ALL ON FUNCTION docgraph.run_pipeline(
    text, jsonb, double precision[], text, text[], text, text, text, integer, boolean, text, boolean, integer, integer,
    integer, integer, text[], text, integer, integer, text
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.run_pipeline(
    text, jsonb, double precision[], text, text[], text, text, text, integer, boolean, text, boolean, integer, integer,
    integer, integer, text[], text, integer, integer, text
) TO docgraph_reader;
-- fetch_node_texts: the texts of nodes, as rows, within a budget. The only one of the three stages that gives text.
--
-- nodes is what expand_dependency_tree gives under that name; where it is NULL or empty, the seeds are fetched: one of the two
-- must be given. seeds also says in which order seeds come, and makes seeds of nodes that are among them. The budget is
-- max_chars or budget_tokens, one of the two; running_total counts in its unit.
-- The text of a document is that of its chunks, in their order, without what overlapping chunks repeat; of one without
-- chunks it is the summary. Texts are atomic: what does not fit is passed over, and the next one is tried.
-- prioritization seed_first: seeds, then the others by depth and id; graph_first: the others, then seeds; balanced: a seed,
-- another, a seed, another.
-- The last row is the accounting: how many nodes there were, what was left out and for which reason, and under sensitivity
-- every tag, every label and the highest clearance of the documents that are shown: treat the answer by that.
-- Reads:      access_grants, access_classes, document_nodes, vector_chunks
-- Guarantees: every id is authorised anew, none is added; the budget is never exceeded; one row of accounting, always;
--             missing counts ids that are unknown or hidden, which are not told apart
-- Errors:     22023, 42501
-- Example:    SELECT * FROM docgraph.fetch_node_texts('default', '{}',
--                 docgraph.expand_dependency_tree('default', '{}', '{README.md}') -> 'nodes', budget_tokens => 2000);
CREATE OR REPLACE FUNCTION docgraph.fetch_node_texts(
    tenant text, access jsonb, nodes jsonb DEFAULT NULL, seeds text[] DEFAULT NULL, max_chars integer DEFAULT NULL,
    budget_tokens integer DEFAULT NULL, prioritization text DEFAULT 'seed_first'
)
    RETURNS TABLE (
        place integer, id text, is_seed boolean, depth integer, parent text, text text, tokens integer,
        running_total bigint, accounting jsonb
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    budget record;
BEGIN
    PERFORM docgraph.check_nodes(nodes, seeds);
    budget := docgraph.check_fetching(max_chars, budget_tokens, prioritization, NULL);
    RETURN QUERY
    SELECT t.*
    FROM docgraph.node_texts(tenant, visible, nodes, seeds, budget.unit, budget.room, prioritization) AS t;
END
$$;

COMMENT ON FUNCTION docgraph.fetch_node_texts(text, jsonb, jsonb, text[], integer, integer, text) IS
    'API, reader. The texts of nodes, as rows, within a budget; the last row is the accounting. '
    'SELECT * FROM docgraph.fetch_node_texts(''default'', ''{}'', '
    'docgraph.expand_dependency_tree(''default'', ''{}'', ''{README.md}'') -> ''nodes'', budget_tokens => 2000);';
REVOKE ALL ON FUNCTION docgraph.fetch_node_texts(text, jsonb, jsonb, text[], integer, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.fetch_node_texts(text, jsonb, jsonb, text[], integer, integer, text)
    TO docgraph_reader;
-- expand_dependency_tree: what documents lead to over relationships, breadth first and within limits: ids, no text.
--
-- direction outgoing follows relationships as they point, incoming against it (what leads here?), both either way.
-- edge_allowlist NULL is all relation types, an empty list none. fan_out: so many relationships of one node, visible ones
-- only, in order of type and other end. max_nodes includes the seeds.
-- Gives {"nodes": [{"id", "depth", "parent", "is_seed"}], "edges": [{"from", "relation_type", "to"}], "truncated", "omitted"}.
-- It is one value, to be kept and handed to fetch_node_texts; jsonb_to_recordset makes rows of a list.
-- truncated says what there would be more of under a higher limit: depth, nodes, fan_out. omitted counts seeds that are
-- unknown or hidden; the two are not told apart.
-- Reads:      access_grants, access_classes, document_nodes, document_relationships; no column with text
-- Guarantees: nodes breadth first, seeds in their order, others by the place of their parent, relation type, id; each
--             once; edges between nodes only, by place of from, then type, to; the same whatever is hidden from the call
-- Errors:     22023, 42501
-- Example:    SELECT n.* FROM jsonb_to_recordset(
--                 docgraph.expand_dependency_tree('default', '{}', '{README.md}', max_depth => 3) -> 'nodes'
--             ) AS n (id text, depth integer, parent text, is_seed boolean);
CREATE OR REPLACE FUNCTION docgraph.expand_dependency_tree(
    tenant text, access jsonb, seeds text[], max_depth integer DEFAULT 2, max_nodes integer DEFAULT 200,
    fan_out integer DEFAULT 50, edge_allowlist text[] DEFAULT NULL, direction text DEFAULT 'outgoing'
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    allowed_types text[];
BEGIN
    PERFORM docgraph.check_seeds(seeds);
    allowed_types := docgraph.check_expansion(max_depth, max_nodes, fan_out, edge_allowlist, direction);
    RETURN docgraph.expand_tree(tenant, visible, seeds, max_depth, max_nodes, fan_out, allowed_types, direction);
END
$$;

COMMENT ON FUNCTION docgraph.expand_dependency_tree(
    text, jsonb, text[], integer, integer, integer, text[], text
) IS
    'API, reader. What documents lead to over relationships, breadth first and within limits: nodes and edges, ids only. '
    'SELECT n.* FROM jsonb_to_recordset('
    'docgraph.expand_dependency_tree(''default'', ''{}'', ''{README.md}'', max_depth => 3) -> ''nodes'''
    ') AS n (id text, depth integer, parent text, is_seed boolean);';
REVOKE ALL ON FUNCTION docgraph.expand_dependency_tree(
    text, jsonb, text[], integer, integer, integer, text[], text
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.expand_dependency_tree(
    text, jsonb, text[], integer, integer, integer, text[], text
) TO docgraph_reader;
-- retrieve_many: what retrieve gives for each of many queries, in one call.
--
-- query_embeddings has two dimensions: a query each, at most bound('queries'); query_texts has as many texts, for modes that
-- compare words; where words alone are compared, they stand without vectors. The other parameters are those of retrieve, and
-- the same for all.
-- Reads:      what retrieve reads
-- Guarantees: all from one snapshot; query counts from 1; each result is what retrieve gives for that query, byte for byte
-- Errors:     22023, 42501, KG003
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
-- retrieve: the plan for a query, the context that execution makes of it, and the accounting, in one call.
--
-- Parameters up to title_hits as in plan_retrieval, the others as in assemble_context. mode says how seeds are found,
-- chunk_mode how chunks are compared; where that is NULL, as mode says. Where neither max_chars nor budget_tokens is given,
-- the budget is bound('usual_budget') tokens. The context has documents, each with its chunks.
-- Reads:      access_grants, access_classes, embedding_space, alembic_version, document_nodes, document_relationships,
--             vector_chunks; lexical_index, lexical_terms and lexical_counts only to search by words
-- Guarantees: all from one snapshot; what plan_retrieval and then retrieve_by_plan give, byte for byte, but that a warning
--             about the words of a question comes also where only seeds were found by them
-- Errors:     22023, 42501, KG003
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
-- retrieve_by_plan: a context from a plan that was made before: stored, approved, or sealed anew after a change.
--
-- As retrieve, which makes the plan itself; parameters as in assemble_context. Where neither max_chars nor budget_tokens
-- is given, the budget is bound('usual_budget') tokens.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes, vector_chunks, alembic_version;
--             lexical_index, lexical_terms and lexical_counts for words
-- Guarantees: those of assemble_context; no planning takes place
-- Errors:     22023, 42501, KG001 (a plan of another embedding space), KG003
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
DROP FUNCTION docgraph.assemble_context;
-- assemble_context: a context from a plan, as rows: what its documents are about, then evidence, within a budget.
--
-- The budget is max_chars or budget_tokens, one of the two. layer conceptual has at most conceptual_share of it: for each
-- document its summary, then its section titles (part summary, part sections); documents of which a chunk is chosen come
-- first. layer evidence has the chunks that execute_plan gives (part chunk), in its order, as far as there is room: they
-- get it in the order in which they are chosen. query_text, chunk_mode and rrf_k are as there. Pieces are atomic: what does
-- not fit is passed over, and the next one is tried. running_total counts in the unit of the budget; how many tokens a chunk
-- has, its writer said. why says why the document is in. The last row is the accounting: what was left out and for which
-- reason, as counts.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes, vector_chunks, alembic_version;
--             lexical_index, lexical_terms and lexical_counts for words
-- Guarantees: those of execute_plan; the budget is never exceeded; one row of accounting, always
-- Errors:     22023, 42501, KG001 (a plan of another embedding space), KG003
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
        tokens integer, running_total bigint, score double precision, why text, accounting jsonb
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
        (p.chunk -> 'score')::double precision, p.document ->> 'why', NULL::jsonb
    FROM pieces p
    ORDER BY p.place;
    RETURN QUERY
    SELECT 'accounting', NULL::integer, NULL, NULL, NULL, NULL::integer, NULL, NULL::integer, NULL::bigint,
        NULL::double precision, NULL, found -> 'accounting';
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
-- Errors:     22023, 42501, KG001 (a plan of another embedding space), KG003
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
            AND e.ordinal BETWEEN c.ordinal AND c.ordinal
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
-- verify_plan: is this a plan, is it as it was sealed, and does it belong to this database as it is?
--
-- problem says in words what is wrong with something that is no plan; the other columns are then NULL.
-- A plan that no vector took part in, made from ids alone, is of every embedding space.
-- Whether its documents are still there and to be seen is not asked: executing it does.
-- Reads:      embedding_space, alembic_version
-- Guarantees: one row, for anything that is JSON
-- Errors:     22023 for NULL
-- Example:    SELECT * FROM docgraph.verify_plan(docgraph.plan_retrieval('default', '{}', seeds => '{README.md}'));
CREATE OR REPLACE FUNCTION docgraph.verify_plan(plan jsonb)
    RETURNS TABLE (
        well_formed boolean, hash_holds boolean, same_embedding_space boolean, same_revision boolean, edited boolean,
        problem text
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    here constant jsonb := docgraph.plan_origin('semantic', NULL, NULL, NULL, false);
BEGIN
    IF plan IS NULL THEN
        RAISE EXCEPTION 'plan must not be null'
            USING ERRCODE = '22023', HINT = 'Give a plan as plan_retrieval makes it.';
    END IF;
    BEGIN
        PERFORM docgraph.check_plan(plan);
    EXCEPTION WHEN invalid_parameter_value THEN
        RETURN QUERY SELECT false, NULL::boolean, NULL::boolean, NULL::boolean, NULL::boolean, SQLERRM;
        RETURN;
    END;
    RETURN QUERY
    SELECT true, plan ->> 'plan_hash' = docgraph.plan_hash(plan),
        plan #> '{made_by,embedding_space}' IN ('null', here -> 'embedding_space'),
        plan #> '{made_by,revision}' = here -> 'revision', plan ? 'edited', NULL::text;
END
$$;

COMMENT ON FUNCTION docgraph.verify_plan(jsonb) IS
    'API, reader. Is this a plan, is it as it was sealed, and does it belong to this database as it is? '
    'SELECT * FROM docgraph.verify_plan(docgraph.plan_retrieval(''default'', ''{}'', seeds => ''{README.md}''));';
REVOKE ALL ON FUNCTION docgraph.verify_plan(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.verify_plan(jsonb) TO docgraph_reader;
-- plan_retrieval: which documents may take part in answering a question, and why each is in: a plan, as data.
--
-- 1. Seeds: the documents named in seeds, in that order; then, if there is a query, the seed_limit documents that answer it
--    best and are not among them (as search_nodes finds them, in the same modes; for chunks, by a document's best chunk).
-- 2. dominant_scope keeps, of those found, the ones that belong to the first: ingestion, doc_type, or cluster (their
--    summaries lie within scope_distance). none keeps all.
-- 3. One step along outgoing relationships, of relation_types (NULL is all) if they are given: at most
--    expanded_per_seed documents for a seed, max_documents in all, seeds included; where that bites, the order is rank of
--    the seed, relation type, id, and "truncated" says which limit it was.
-- There is no second step, and nothing is scored. plan_documents and explain_plan show a plan.
-- Reads:      access_grants, access_classes, embedding_space, alembic_version, document_nodes,
--             document_relationships; vector_chunks only to search in chunks; lexical_index, lexical_terms and
--             lexical_counts only to search by words
-- Guarantees: read only; the same data and arguments give the same bytes by method exact, whatever is hidden from the call;
--             an id that is unknown and one that is hidden are left out alike, and counted in "omitted"
-- Errors:     22023, 42501, KG003
-- Example:    SELECT jsonb_pretty(docgraph.plan_retrieval('default', '{}', seeds => '{README.md}'));
CREATE OR REPLACE FUNCTION docgraph.plan_retrieval(
    tenant text, access jsonb, query_embedding double precision[] DEFAULT NULL, query_text text DEFAULT NULL,
    seeds text[] DEFAULT NULL, mode text DEFAULT 'semantic', search_in text DEFAULT 'summaries',
    method text DEFAULT 'auto', seed_limit integer DEFAULT 5, relation_types text[] DEFAULT NULL,
    expanded_per_seed integer DEFAULT 10, max_documents integer DEFAULT 40, dominant_scope text DEFAULT 'none',
    scope_distance numeric DEFAULT 0.35, rrf_k integer DEFAULT 60, title_hits boolean DEFAULT false
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
BEGIN
    RETURN (docgraph.make_plan(
        tenant, access, query_embedding, query_text, seeds, mode, search_in, method, seed_limit, relation_types,
        expanded_per_seed, max_documents, dominant_scope, scope_distance, rrf_k, title_hits)).plan;
END
$$;

COMMENT ON FUNCTION docgraph.plan_retrieval(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric, integer,
    boolean
) IS
    'API, reader. Which documents may take part in an answer, and why: a plan. '
    'SELECT jsonb_pretty(docgraph.plan_retrieval(''default'', ''{}'', seeds => ''{README.md}''));';
REVOKE ALL ON FUNCTION docgraph.plan_retrieval(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric, integer,
    boolean
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.plan_retrieval(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric, integer,
    boolean
) TO docgraph_reader;
-- candidate_texts: the texts of what a search has found, for a program that puts candidates in another order.
--
-- documents and chunks as search_nodes gives them; without chunks the title and summary of each document. A search itself
-- gives no text, and what goes into an answer is fetched elsewhere: this is for the caller's own reranking, within the search.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      access_grants, access_classes, document_nodes or vector_chunks
-- Guarantees: in the order given, place counts from 1; what is hidden and what is not there are left out alike
-- Errors:     22023, 42501
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
-- search_nodes: the documents or chunks that answer a query best: ids and ranks, no text and no score.
--
-- search_in summaries: documents, by their title and summary. chunks: chunks, by their text; a document may come several
-- times, chunk is the place in it.
-- mode semantic compares query_embedding with vectors; what has no embedding is not found. bm25 compares the words of
-- query_text: a list of words is ranked by BM25, "a phrase" must be there, -word must not. hybrid takes both, and fuses
-- the first bound('fused') places of each by their ranks (rrf_k); title_hits, for summaries, adds the documents whose title
-- stands in the question as a third list.
-- method exact compares all vectors that the call may see; approximate asks the vector index, and may miss one that is
-- nearer; auto is exact up to bound('exact_rows') visible rows. Each row says which it was. Words are always looked up exactly.
-- rerank keyword takes bound('widening') times as many candidates, and puts those first that have the words of query_text,
-- by BM25. The lists of bm25 and hybrid are by words already: there only with rerank_lexical.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes, vector_chunks for chunks by meaning; lexical_index,
--             lexical_terms and lexical_counts for words
-- Guarantees: at most max_nodes rows, or all there are, and for bm25 all that have one of the words; where vectors are not
--             compared by method approximate the same rows whatever is hidden from the call: by meaning in order of distance
--             (in millionths), by words of score (six digits), by both of the sum of 1 / (rrf_k + rank) (twelve digits) and then
--             of each rank; then document, chunk
-- Errors:     22023, 42501, KG003
-- Example:    SELECT * FROM docgraph.search_nodes('default', '{}', query_text => 'parental leave', mode => 'bm25');
CREATE OR REPLACE FUNCTION docgraph.search_nodes(
    tenant text, access jsonb, query_embedding double precision[] DEFAULT NULL, query_text text DEFAULT NULL,
    mode text DEFAULT 'semantic', search_in text DEFAULT 'summaries', method text DEFAULT 'auto',
    max_nodes integer DEFAULT 10, rrf_k integer DEFAULT 60, title_hits boolean DEFAULT false, rerank text DEFAULT 'none',
    rerank_lexical boolean DEFAULT false
)
    RETURNS TABLE (rank integer, document_id text, chunk integer, found_by text)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    metric text;
    chosen text := 'exact';
    found record;
BEGIN
    -- For reranking, the text may stand beside a vector in mode semantic, too.
    metric := docgraph.check_query(
        mode, query_embedding, CASE WHEN mode = 'semantic' AND rerank = 'keyword' THEN NULL ELSE query_text END);
    PERFORM docgraph.check_search(search_in, method);
    PERFORM docgraph.check_limit('max_nodes', max_nodes, 'nodes');
    PERFORM docgraph.check_fusion(mode, search_in, rrf_k, title_hits);
    PERFORM docgraph.check_reranking(mode, rerank, rerank_lexical);
    IF query_embedding IS NULL AND mode <> 'bm25' THEN
        RAISE EXCEPTION 'query_embedding must not be null in mode %', mode
            USING ERRCODE = '22023', HINT = 'Embed the question with the model that docgraph.embedding_space() names; '
                                           'for words alone: mode => ''bm25''.';
    END IF;
    IF query_text IS NULL AND (mode = 'bm25' OR rerank = 'keyword') THEN
        RAISE EXCEPTION 'query_text must not be null %', CASE mode WHEN 'bm25' THEN 'in mode bm25' ELSE 'for reranking' END
            USING ERRCODE = '22023', HINT = 'Words are compared: give the question as it was asked.';
    END IF;
    IF query_text IS NOT NULL THEN
        PERFORM docgraph.check_question('query_text', query_text);
    END IF;
    IF mode <> 'bm25' THEN
        chosen := docgraph.choose_method(tenant, visible, search_in, method);
    END IF;
    found := docgraph.find_nodes(
        tenant, visible, query_embedding, metric, query_text, mode, search_in, chosen,
        CASE rerank WHEN 'keyword' THEN docgraph.bound('widening') ELSE 1 END * max_nodes, '{}', rrf_k, title_hits);
    IF rerank = 'keyword' THEN
        found := docgraph.rerank_by_words(tenant, visible, query_text, search_in, found.documents, found.chunks, max_nodes);
    END IF;
    RETURN QUERY
    SELECT r.place::integer, r.document_id, r.chunk, chosen
    FROM ROWS FROM (unnest(found.documents), unnest(found.chunks)) WITH ORDINALITY AS r (document_id, chunk, place)
    ORDER BY r.place;
END
$$;

COMMENT ON FUNCTION docgraph.search_nodes(
    text, jsonb, double precision[], text, text, text, text, integer, integer, boolean, text, boolean
) IS
    'API, reader. The documents or chunks that answer a query best, by meaning, words or both: ids and ranks. '
    'SELECT * FROM docgraph.search_nodes(''default'', ''{}'', query_text => ''parental leave'', mode => ''bm25'');';
REVOKE ALL ON FUNCTION docgraph.search_nodes(
    text, jsonb, double precision[], text, text, text, text, integer, integer, boolean, text, boolean
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.search_nodes(
    text, jsonb, double precision[], text, text, text, text, integer, integer, boolean, text, boolean
) TO docgraph_reader;
-- rebuild_lexical: makes the whole lexical index anew, with other constants or another text-search configuration.
--
-- What is NULL stays as it is recorded. mean_length is how many words the chunks have on average, in the new
-- configuration: a second call with average_length => mean_length makes it the constant that lengths are held against. All
-- tenants at once, for the constants are one for the database. While it runs, readers and writers wait.
-- Writes:     embedding_space, lexical_terms, lexical_index, lexical_counts (ACCESS EXCLUSIVE, as on document_nodes and
--             vector_chunks)
-- Guarantees: all or nothing; entries for all documents of all tenants, whoever calls; waits 5 seconds for a lock at most
-- Errors:     22023 (also for a text that has too many words: names the document), 25001, KG003
-- Example:    SELECT * FROM docgraph.rebuild_lexical(average_length => 120);
CREATE OR REPLACE FUNCTION docgraph.rebuild_lexical(
    average_length double precision DEFAULT NULL, text_search text DEFAULT NULL, k1 double precision DEFAULT NULL,
    b double precision DEFAULT NULL
)
    RETURNS TABLE (entries bigint, mean_length double precision)
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
    SET lock_timeout = '5s'
AS $$
DECLARE
    batch record;
BEGIN
    IF text_search IS NOT NULL THEN
        PERFORM docgraph.check_text_search(text_search);
    END IF;
    IF average_length NOT BETWEEN 1 AND docgraph.bound('average_length') THEN
        RAISE EXCEPTION 'average_length must be from 1 to %', docgraph.bound('average_length')
            USING ERRCODE = '22023', HINT = 'Words of an average chunk; the call gives what they have by now as mean_length.';
    END IF;
    IF k1 NOT BETWEEN 0 AND 10 THEN
        RAISE EXCEPTION 'k1 must be from 0 to 10' USING ERRCODE = '22023', HINT = '1.2 is usual.';
    END IF;
    IF b NOT BETWEEN 0 AND 1 THEN
        RAISE EXCEPTION 'b must be from 0 to 1' USING ERRCODE = '22023', HINT = '0.75 is usual.';
    END IF;
    PERFORM docgraph.lock_space();
    -- The tables before the row: whoever writes takes them in this order, too.
    LOCK TABLE docgraph.document_nodes, docgraph.vector_chunks, docgraph.lexical_index, docgraph.lexical_terms,
        docgraph.lexical_counts IN ACCESS EXCLUSIVE MODE;
    UPDATE docgraph.embedding_space s SET
        average_length = coalesce(rebuild_lexical.average_length, s.average_length),
        text_search = coalesce(rebuild_lexical.text_search, s.text_search),
        k1 = coalesce(rebuild_lexical.k1, s.k1), b = coalesce(rebuild_lexical.b, s.b);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this database has no embedding space yet'
            USING ERRCODE = 'KG003', HINT = 'There is nothing to rebuild: call docgraph.configure_embedding_space.';
    END IF;
    -- Every tenant's rows, also those that row security would hide from this login. An error brings FORCE back with
    -- everything else.
    ALTER TABLE docgraph.document_nodes NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.vector_chunks NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.lexical_terms NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.lexical_counts NO FORCE ROW LEVEL SECURITY;
    TRUNCATE docgraph.lexical_index, docgraph.lexical_counts;
    TRUNCATE docgraph.lexical_terms RESTART IDENTITY;
    FOR batch IN
        SELECT d.tenant_id, array_agg(d.document_id) AS ids
        FROM (
            SELECT n.tenant_id, n.document_id,
                (row_number() OVER (PARTITION BY n.tenant_id ORDER BY n.document_id) - 1) / docgraph.bound('ids') AS batch
            FROM docgraph.document_nodes n
        ) AS d
        GROUP BY d.tenant_id, d.batch
        ORDER BY d.tenant_id, d.batch
    LOOP
        PERFORM docgraph.index_words(batch.tenant_id, batch.ids, NULL, false);
    END LOOP;
    -- At once: a count that is raised again and again within one transaction leaves a dead row each time.
    INSERT INTO docgraph.lexical_counts (tenant_id, term_number, in_chunks, access_class, entries)
    SELECT c.tenant_id, t.term_number, c.in_chunks, c.access_class, c.entries
    FROM (
        SELECT i.tenant_id, w.word, i.ordinal >= 0 AS in_chunks, i.access_class, count(*) AS entries
        FROM docgraph.lexical_index i
        CROSS JOIN LATERAL unnest(tsvector_to_array(i.lexemes)) AS w (word)
        GROUP BY i.tenant_id, w.word, i.ordinal >= 0, i.access_class
    ) AS c
    JOIN docgraph.lexical_terms t ON t.tenant_id = c.tenant_id AND t.term = c.word
    UNION ALL
    SELECT i.tenant_id, 0, i.ordinal >= 0, i.access_class, count(*)
    FROM docgraph.lexical_index i
    GROUP BY i.tenant_id, i.ordinal >= 0, i.access_class;
    ALTER TABLE docgraph.document_nodes FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.vector_chunks FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.lexical_terms FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.lexical_counts FORCE ROW LEVEL SECURITY;
    RETURN QUERY
    SELECT count(*), (avg(w.words) FILTER (WHERE i.ordinal >= 0))::double precision
    FROM docgraph.lexical_index i
    CROSS JOIN LATERAL (SELECT coalesce(sum(cardinality(u.positions)), 0) AS words FROM unnest(i.lexemes) AS u) AS w;
END
$$;

COMMENT ON FUNCTION docgraph.rebuild_lexical(double precision, text, double precision, double precision) IS
    'API, admin. Makes the lexical index anew, with other constants or another text-search configuration; readers and '
    'writers wait meanwhile. SELECT * FROM docgraph.rebuild_lexical(average_length => 120);';
REVOKE ALL ON FUNCTION docgraph.rebuild_lexical(double precision, text, double precision, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.rebuild_lexical(double precision, text, double precision, double precision)
    TO docgraph_admin;
-- put_new_vectors: stores vectors of the next embedding space, beside the old ones.
--
-- A vector is an object: tenant, document, ordinal (absent for the summary) and digest as texts_to_reembed gives them,
-- and embedding.
-- Writes:     next_vectors
-- Guarantees: all or nothing; of a document that is gone meanwhile nothing is stored; gives the number stored
-- Errors:     22023, KG001 (another model than begin_reembedding was told), 42501 (a tenant in which this login may
--             not see everything)
-- Example:    SELECT docgraph.put_new_vectors('other-model', '[]');
CREATE OR REPLACE FUNCTION docgraph.put_new_vectors(model text, vectors jsonb) RETURNS integer
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    next_space record;
    tenants constant text[] := docgraph.unlimited_tenants();
    bad bigint;
    stored integer;
BEGIN
    PERFORM docgraph.check_id('model', model);
    PERFORM docgraph.next_dimensions();
    -- The target must stay what these vectors are checked for. The table before the row, as in the switch.
    LOCK TABLE docgraph.document_nodes IN ROW SHARE MODE;
    SELECT n.model, n.dimensions, n.metric INTO next_space FROM docgraph.next_embedding_space n FOR SHARE;
    IF next_space.model IS DISTINCT FROM model THEN
        RAISE EXCEPTION 'the vectors are of model "%", the database is being moved to another one', model
            USING ERRCODE = 'KG001', HINT = 'Somebody else has begun another move: call docgraph.begin_reembedding again.';
    END IF;
    PERFORM docgraph.check_entries('vectors', vectors, 'page',
        '{"tenant": "id!", "document": "id!", "ordinal": "count", "digest": "hash!", "embedding": "embedding!"}');
    SELECT v.i INTO bad
    FROM jsonb_array_elements(vectors) WITH ORDINALITY AS v (entry, i)
    WHERE docgraph.is_storable(
        docgraph.vector_text(v.entry -> 'embedding'), next_space.dimensions, next_space.metric
    ) IS NOT TRUE
    ORDER BY v.i
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'vectors[%].embedding must have % elements, and a length from 0.001 to 60000', bad - 1,
            next_space.dimensions
            USING ERRCODE = '22023', HINT = 'Is it a vector of the model that begin_reembedding was told?';
    END IF;
    IF EXISTS (
        SELECT FROM jsonb_array_elements(vectors) AS v (entry) WHERE v.entry ->> 'tenant' <> ALL (tenants)
    ) THEN
        PERFORM docgraph.refuse_outside('vectors');
    END IF;

    INSERT INTO docgraph.next_vectors AS n (tenant_id, document_id, ordinal, digest, embedding)
    SELECT d.tenant_id, d.document_id, g.ordinal, decode(g.digest, 'hex'),
        docgraph.stored_vector(g.embedding, next_space.metric)
    FROM (
        SELECT DISTINCT ON (1, 2, 3)
            v.entry ->> 'tenant' AS tenant, v.entry ->> 'document' AS document,
            coalesce((v.entry ->> 'ordinal')::numeric::integer, -1) AS ordinal,
            v.entry ->> 'digest' AS digest, docgraph.vector_text(v.entry -> 'embedding') AS embedding
        FROM jsonb_array_elements(vectors) WITH ORDINALITY AS v (entry, i)
        ORDER BY 1, 2, 3, v.i DESC
    ) AS g
    JOIN docgraph.document_nodes d ON d.tenant_id = g.tenant AND d.document_id = g.document
    FOR KEY SHARE OF d
    ON CONFLICT ON CONSTRAINT next_vectors_pkey DO UPDATE SET
        digest = excluded.digest, embedding = excluded.embedding;
    GET DIAGNOSTICS stored = ROW_COUNT;
    RETURN stored;
END
$$;

COMMENT ON FUNCTION docgraph.put_new_vectors(text, jsonb) IS
    'API, admin. Stores vectors of the next embedding space, beside the old ones. '
    'SELECT docgraph.put_new_vectors(''other-model'', ''[]'');';
REVOKE ALL ON FUNCTION docgraph.put_new_vectors(text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.put_new_vectors(text, jsonb) TO docgraph_admin;
-- texts_to_reembed: texts that have a vector, but none of the next embedding space yet.
--
-- ordinal is the chunk, NULL for a document's summary (title and section_path are empty then: embed the text alone).
-- Give the digest back with the vector. after is the last row before, as tenant, document and ordinal ('-1' for NULL);
-- begin again from the start when a page is empty: texts may have changed meanwhile.
-- Reads:      access_grants, next_embedding_space, document_nodes, vector_chunks, next_vectors
-- Guarantees: only of tenants in which this login may see everything
-- Errors:     22023; also without begin_reembedding
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
    PERFORM docgraph.next_dimensions();
    IF after IS NOT NULL AND (
        array_ndims(after) = 1 AND cardinality(after) = 3 AND array_position(after, NULL) IS NULL
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
-- wal_position: how far the write-ahead log has come; on a standby, how far it has been replayed.
--
-- Asked after the commit of a write, it is the position that a standby must have reached to show that write. A writing
-- function cannot give it itself: its commit comes after it.
-- Reads:      nothing
-- Guarantees: on the primary, at or after the end of every transaction that has committed
-- Errors:     none
-- Example:    SELECT docgraph.wal_position();
CREATE OR REPLACE FUNCTION docgraph.wal_position() RETURNS text
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
BEGIN
    RETURN CASE
        WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
        ELSE pg_current_wal_insert_lsn()
    END::text;
END
$$;

COMMENT ON FUNCTION docgraph.wal_position() IS
    'API, reader. How far the write-ahead log has come, or on a standby has been replayed. '
    'SELECT docgraph.wal_position();';
REVOKE ALL ON FUNCTION docgraph.wal_position() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.wal_position() TO docgraph_reader;
-- list_relationships: what leads from a document, or to it, page by page.
--
-- direction out: its relationships, and its references that wait (to_document is then the name they use; one to a
-- hidden document waits as well). direction in: the visible documents that lead to it. after is the pair of relation
-- type and other end of the last row before.
-- Reads:      access_grants, access_classes, document_nodes, document_relationships, document_references, document_names
-- Guarantees: nothing for a document that is hidden or not there; ordered by relation type and other end
-- Errors:     22023, 42501
-- Example:    SELECT * FROM docgraph.list_relationships('default', '{}', 'a.md', 'out');
CREATE OR REPLACE FUNCTION docgraph.list_relationships(
    tenant text, access jsonb, document text, direction text, after text[] DEFAULT NULL, page integer DEFAULT 100
)
    RETURNS TABLE (
        from_document text, relation_type text, to_document text, declared boolean, inferred boolean, evidence text,
        waiting boolean
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
BEGIN
    PERFORM docgraph.check_id('document', document);
    PERFORM docgraph.check_page(NULL, page);
    IF (direction IN ('in', 'out')) IS NOT TRUE THEN
        RAISE EXCEPTION 'direction must be in or out'
            USING ERRCODE = '22023', HINT = 'out: what the document refers to; in: what refers to it.';
    END IF;
    IF array_ndims(after) <> 1 OR cardinality(after) <> 2
        OR EXISTS (SELECT FROM unnest(after) AS a (part) WHERE docgraph.is_id(a.part) IS NOT TRUE)
    THEN
        RAISE EXCEPTION 'after must be a pair of relation type and id'
            USING ERRCODE = '22023', HINT = 'Of the last row of the page before; NULL for the first page.';
    END IF;
    IF NOT EXISTS (
        SELECT FROM docgraph.document_nodes d
        WHERE d.tenant_id = tenant AND d.document_id = document AND d.access_class = ANY (visible)
    ) THEN
        RETURN;
    END IF;
    IF direction = 'in' THEN
        RETURN QUERY
        SELECT e.from_document, e.relation_type, e.to_document, e.declared, e.inferred, e.evidence, false
        FROM docgraph.document_relationships e
        WHERE e.tenant_id = tenant AND e.to_document = document AND e.from_access_class = ANY (visible)
            AND (after IS NULL OR (e.relation_type, e.from_document) > (after[1], after[2]))
        ORDER BY e.relation_type, e.from_document
        LIMIT page;
    ELSE
        RETURN QUERY
        SELECT l.* FROM (
            SELECT e.from_document, e.relation_type, e.to_document, e.declared, e.inferred, e.evidence, false
            FROM docgraph.document_relationships e
            WHERE e.tenant_id = tenant AND e.from_document = document AND e.to_access_class = ANY (visible)
            UNION ALL
            SELECT r.from_document, r.relation_type, r.to_name, r.declared, r.inferred, r.evidence, true
            FROM docgraph.document_references r
            WHERE r.tenant_id = tenant AND r.from_document = document
                AND NOT EXISTS (
                    SELECT
                    FROM docgraph.document_names n
                    JOIN docgraph.document_nodes d ON d.tenant_id = tenant AND d.document_id = n.document_id
                    WHERE n.tenant_id = tenant AND n.name = r.to_name AND d.access_class = ANY (visible)
                )
        ) AS l (from_document, relation_type, to_document, declared, inferred, evidence, waiting)
        WHERE after IS NULL OR (l.relation_type, l.to_document) > (after[1], after[2])
        ORDER BY l.relation_type, l.to_document
        LIMIT page;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.list_relationships(text, jsonb, text, text, text[], integer) IS
    'API, reader. What leads from a document (out) or to it (in), page by page. '
    'SELECT * FROM docgraph.list_relationships(''default'', ''{}'', ''a.md'', ''out'');';
REVOKE ALL ON FUNCTION docgraph.list_relationships(text, jsonb, text, text, text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.list_relationships(text, jsonb, text, text, text[], integer) TO docgraph_reader;
-- list_documents: the documents that a call may see, page by page, in byte order of their ids.
--
-- after is the last id of the page before. ingested_from keeps those that a run of that source brought in.
-- Reads:      access_grants, access_classes, document_nodes, ingestion_requests
-- Guarantees: every visible document on exactly one page, as long as nothing is written meanwhile
-- Errors:     22023, 42501
-- Example:    SELECT * FROM docgraph.list_documents('default', '{}', page => 20);
CREATE OR REPLACE FUNCTION docgraph.list_documents(
    tenant text, access jsonb, after text DEFAULT NULL, page integer DEFAULT 100, ingested_from text DEFAULT NULL
)
    RETURNS TABLE (
        document_id text, title text, doc_type text, source text, repository text, snapshot text,
        tags text[], labels text[], clearance integer, content_hash text
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
BEGIN
    PERFORM docgraph.check_page(after, page);
    IF octet_length(ingested_from) > docgraph.bound('line_bytes') THEN
        RAISE EXCEPTION 'ingested_from must be a text of at most % bytes', docgraph.bound('line_bytes')
            USING ERRCODE = '22023', HINT = 'The source as begin_ingestion was given it; NULL for all documents.';
    END IF;
    RETURN QUERY
    SELECT d.document_id, d.title, d.doc_type, d.source, c.repository, c.snapshot, c.tags, c.labels, c.clearance,
        encode(d.content_hash, 'hex')
    FROM docgraph.document_nodes d
    JOIN docgraph.access_classes c ON c.tenant_id = tenant AND c.access_class = d.access_class
    WHERE d.tenant_id = tenant AND d.access_class = ANY (visible)
        AND (after IS NULL OR d.document_id > after)
        AND (ingested_from IS NULL OR d.ingestion_id IN (
            SELECT i.ingestion_id FROM docgraph.ingestion_requests i
            WHERE i.tenant_id = tenant AND i.source = ingested_from
        ))
    ORDER BY d.document_id
    LIMIT page;
END
$$;

COMMENT ON FUNCTION docgraph.list_documents(text, jsonb, text, integer, text) IS
    'API, reader. The visible documents, page by page, by id. '
    'SELECT * FROM docgraph.list_documents(''default'', ''{}'', page => 20);';
REVOKE ALL ON FUNCTION docgraph.list_documents(text, jsonb, text, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.list_documents(text, jsonb, text, integer, text) TO docgraph_reader;
-- get_document: one document with its chunks, without their vectors.
--
-- Reads:      access_grants, access_classes, document_nodes, vector_chunks, document_names
-- Guarantees: NULL for an unknown id and for a hidden one; chunks in their order
-- Errors:     22023, 42501
-- Example:    SELECT jsonb_pretty(docgraph.get_document('default', '{}', 'a.md'));
CREATE OR REPLACE FUNCTION docgraph.get_document(tenant text, access jsonb, document text) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
BEGIN
    PERFORM docgraph.check_id('document', document);
    RETURN (
        SELECT jsonb_build_object(
            'id', d.document_id, 'title', d.title, 'doc_type', d.doc_type, 'source', d.source,
            'summary', d.summary, 'summary_embedded', d.summary_embedding IS NOT NULL,
            'section_titles', to_jsonb(d.section_titles), 'metadata', d.metadata,
            'ingestion', d.ingestion_id, 'content_hash', encode(d.content_hash, 'hex'),
            'repository', c.repository, 'snapshot', c.snapshot, 'tags', to_jsonb(c.tags),
            'labels', to_jsonb(c.labels), 'clearance', c.clearance,
            'names', (
                SELECT coalesce(jsonb_agg(n.name ORDER BY n.name), '[]')
                FROM docgraph.document_names n
                WHERE n.tenant_id = tenant AND n.document_id = d.document_id AND n.name <> d.document_id
            ),
            'chunks', (
                SELECT coalesce(jsonb_agg(
                    jsonb_build_object(
                        'ordinal', v.ordinal, 'text', v.text, 'token_count', v.token_count,
                        'section_path', to_jsonb(v.section_path), 'start', v.start_offset, 'end', v.end_offset,
                        'embedded', v.embedding IS NOT NULL
                    ) ORDER BY v.ordinal
                ), '[]')
                FROM docgraph.vector_chunks v
                WHERE v.tenant_id = tenant AND v.document_id = d.document_id AND v.access_class = d.access_class
            )
        )
        FROM docgraph.document_nodes d
        JOIN docgraph.access_classes c ON c.tenant_id = tenant AND c.access_class = d.access_class
        WHERE d.tenant_id = tenant AND d.document_id = document AND d.access_class = ANY (visible)
    );
END
$$;

COMMENT ON FUNCTION docgraph.get_document(text, jsonb, text) IS
    'API, reader. One document with its chunks; NULL if there is none to be seen. '
    'SELECT jsonb_pretty(docgraph.get_document(''default'', ''{}'', ''a.md''));';
REVOKE ALL ON FUNCTION docgraph.get_document(text, jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.get_document(text, jsonb, text) TO docgraph_reader;
-- delete_relationships: takes relationships away, declared or inferred.
--
-- to is the name that the reference uses, or the id of a document that it leads to. An inferred one comes back when
-- its document is brought in again with other content: the link is still in the text.
-- Writes:     document_references, document_relationships, write_turns
-- Guarantees: all or nothing; what is not there, or from a hidden document, is reported as absent; gives
--             {"deleted", "absent": [{"from", "relation_type", "to"}]}
-- Errors:     22023, 42501, KG003
-- Example:    SELECT docgraph.delete_relationships('default', '{}',
--                 '[{"from": "a.md", "relation_type": "explains", "to": "b.md"}]');
CREATE OR REPLACE FUNCTION docgraph.delete_relationships(tenant text, access jsonb, relationships jsonb)
    RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible bigint[];
    origins text[];
    report jsonb;
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    PERFORM docgraph.take_turn(tenant);
    origins := docgraph.check_relationships(tenant, access, relationships);
    visible := docgraph.visible_classes(tenant, access);

    WITH given AS MATERIALIZED (
        SELECT DISTINCT r.entry ->> 'from' AS origin, r.entry ->> 'relation_type' AS kind, r.entry ->> 'to' AS target
        FROM jsonb_array_elements(relationships) AS r (entry)
    ), called AS MATERIALIZED (
        -- Every name by which the given target may have been meant; those of hidden documents are not known here.
        SELECT g.origin, g.kind, g.target, g.target AS name FROM given g
        UNION
        SELECT g.origin, g.kind, g.target, n.name
        FROM given g
        JOIN docgraph.document_nodes d ON d.tenant_id = tenant AND d.document_id = g.target
        JOIN docgraph.document_names n ON n.tenant_id = tenant AND n.document_id = d.document_id
        WHERE d.access_class = ANY (visible)
    ), meant AS MATERIALIZED (
        -- One reference may be meant twice, by an id and by a name: both are then deleted.
        SELECT c.origin, c.kind, c.target, c.name
        FROM called c
        JOIN docgraph.document_references r
            ON r.tenant_id = tenant AND r.from_document = c.origin AND r.relation_type = c.kind AND r.to_name = c.name
        WHERE c.origin = ANY (origins)
    ), gone AS (
        DELETE FROM docgraph.document_references r
        USING meant m
        WHERE r.tenant_id = tenant AND r.from_document = m.origin AND r.relation_type = m.kind AND r.to_name = m.name
    ), outcome AS (
        SELECT g.origin, g.kind, g.target,
            EXISTS (SELECT FROM meant m WHERE (m.origin, m.kind, m.target) = (g.origin, g.kind, g.target)) AS deleted
        FROM given g
    )
    SELECT jsonb_object_agg(w.word, coalesce((
            SELECT jsonb_agg(
                jsonb_build_object('from', o.origin, 'relation_type', o.kind, 'to', o.target)
                ORDER BY o.origin COLLATE "C", o.kind COLLATE "C", o.target COLLATE "C")
            FROM outcome o WHERE o.deleted = w.deleted
        ), '[]')) INTO report
    FROM (VALUES ('deleted', true), ('absent', false)) AS w (word, deleted);

    PERFORM docgraph.connect_documents(tenant, origins, '{}');
    RETURN report;
END
$$;

COMMENT ON FUNCTION docgraph.delete_relationships(text, jsonb, jsonb) IS
    'API, writer. Takes relationships away, declared or inferred. '
    'SELECT docgraph.delete_relationships(''default'', ''{}'', '
    '''[{"from": "a.md", "relation_type": "explains", "to": "b.md"}]'');';
REVOKE ALL ON FUNCTION docgraph.delete_relationships(text, jsonb, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.delete_relationships(text, jsonb, jsonb) TO docgraph_writer;
-- put_relationships: declares relationships of documents that are there.
--
-- A relationship is an object: from, relation_type, to (an id or a name), evidence. Its target need not be there: it
-- waits. A relationship from a document that is not there, or is hidden, is reported as absent and not stored.
-- Writes:     document_references, document_relationships, write_turns
-- Guarantees: all or nothing; the same again changes nothing; gives {"added", "changed", "unchanged", "absent",
--             "waiting": [{"from", "relation_type", "to"}]}
-- Errors:     22023, 42501, KG003
-- Example:    SELECT docgraph.put_relationships('default', '{}',
--                 '[{"from": "a.md", "relation_type": "explains", "to": "b.md"}]');
CREATE OR REPLACE FUNCTION docgraph.put_relationships(tenant text, access jsonb, relationships jsonb) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    origins text[];
    report jsonb;
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    PERFORM docgraph.take_turn(tenant);
    origins := docgraph.check_relationships(tenant, access, relationships);

    WITH given AS MATERIALIZED (
        SELECT r.entry ->> 'from' AS origin, r.entry ->> 'relation_type' AS kind, r.entry ->> 'to' AS target,
            min(normalize(r.entry ->> 'evidence') COLLATE "C") AS evidence,
            jsonb_build_object(
                'from', r.entry -> 'from', 'relation_type', r.entry -> 'relation_type', 'to', r.entry -> 'to'
            ) AS shown
        FROM jsonb_array_elements(relationships) AS r (entry)
        GROUP BY 1, 2, 3, 5
    ), compared AS MATERIALIZED (
        SELECT g.*, CASE
            WHEN g.origin <> ALL (origins) THEN 'absent'
            WHEN s.from_document IS NULL THEN 'added'
            WHEN s.declared AND s.evidence IS NOT DISTINCT FROM coalesce(g.evidence, s.evidence) THEN 'unchanged'
            ELSE 'changed'
        END AS outcome
        FROM given g
        LEFT JOIN docgraph.document_references s
            ON s.tenant_id = tenant AND s.from_document = g.origin AND s.relation_type = g.kind
            AND s.to_name = g.target
    ), stored AS (
        INSERT INTO docgraph.document_references AS r
            (tenant_id, from_document, relation_type, to_name, declared, inferred, evidence)
        SELECT tenant, c.origin, c.kind, c.target, true, false, c.evidence
        FROM compared c
        WHERE c.outcome IN ('added', 'changed')
        ON CONFLICT ON CONSTRAINT document_references_pkey DO UPDATE SET
            declared = true, evidence = coalesce(excluded.evidence, r.evidence)
    )
    SELECT jsonb_object_agg(o.outcome, coalesce((
            SELECT jsonb_agg(c.shown ORDER BY c.origin COLLATE "C", c.kind COLLATE "C", c.target COLLATE "C")
            FROM compared c WHERE c.outcome = o.outcome
        ), '[]')) INTO report
    FROM unnest(ARRAY['added', 'changed', 'unchanged', 'absent']) AS o (outcome);

    PERFORM docgraph.connect_documents(tenant, origins, '{}');
    RETURN report || jsonb_build_object('waiting', (
        SELECT coalesce(jsonb_agg(w.entry), '[]')
        FROM jsonb_array_elements(docgraph.waiting_references(
            tenant, origins, docgraph.visible_classes(tenant, access))) AS w (entry)
        WHERE (w.entry ->> 'from', w.entry ->> 'relation_type', w.entry ->> 'to') IN (
            SELECT r.given ->> 'from', r.given ->> 'relation_type', r.given ->> 'to'
            FROM jsonb_array_elements(relationships) AS r (given)
        )
    ));
END
$$;

COMMENT ON FUNCTION docgraph.put_relationships(text, jsonb, jsonb) IS
    'API, writer. Declares relationships; those whose target is not there wait. '
    'SELECT docgraph.put_relationships(''default'', ''{}'', '
    '''[{"from": "a.md", "relation_type": "explains", "to": "b.md"}]'');';
REVOKE ALL ON FUNCTION docgraph.put_relationships(text, jsonb, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.put_relationships(text, jsonb, jsonb) TO docgraph_writer;
-- set_document_access: changes who may see documents, and nothing else of them.
--
-- attributes is an object of repository, snapshot, tags, labels, clearance; what is absent stays as it is. Both the
-- attributes that a document has and those that it gets must be held by the caller.
-- Writes:     access_classes, document_nodes; the foreign keys carry it to chunks, relationships and the lexical index;
--             lexical_counts, write_turns
-- Guarantees: all or nothing; holds from the commit on, for the next call of everybody; gives
--             {"changed", "unchanged", "absent": [id]}
-- Errors:     22023, 42501, KG003
-- Example:    SELECT docgraph.set_document_access('default', '{"tags": ["hr"]}', ARRAY['a.md'], '{"tags": ["hr"]}');
CREATE OR REPLACE FUNCTION docgraph.set_document_access(
    tenant text, access jsonb, documents text[], attributes jsonb
) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    held record;
    one record;
    asked text[];
    found_ids text[];
    changed text[] := '{}';
    class bigint;
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    asked := docgraph.check_ids('documents', documents);
    PERFORM docgraph.check_entries('attributes', attributes, NULL,
        '{"repository": "name", "snapshot": "name", "tags": "names", "labels": "names", "clearance": "clearance"}');
    PERFORM docgraph.take_turn(tenant);
    -- Not before: while it waited for its turn, the ceiling may have been narrowed.
    SELECT * INTO held FROM docgraph.effective_access(tenant, access);
    found_ids := docgraph.writable_among(tenant, access, 'documents', asked);

    FOR one IN
        SELECT n.access_class, array_agg(n.document_id ORDER BY n.document_id) AS ids,
            coalesce(attributes ->> 'repository', c.repository) AS repository,
            coalesce(attributes ->> 'snapshot', c.snapshot) AS snapshot,
            CASE WHEN attributes ? 'tags' THEN docgraph.read_names(attributes -> 'tags') ELSE c.tags END AS tags,
            CASE WHEN attributes ? 'labels' THEN docgraph.read_names(attributes -> 'labels') ELSE c.labels END AS labels,
            coalesce((attributes ->> 'clearance')::numeric::integer, c.clearance) AS clearance
        FROM docgraph.document_nodes n
        JOIN docgraph.access_classes c ON c.tenant_id = tenant AND c.access_class = n.access_class
        WHERE n.tenant_id = tenant AND n.document_id = ANY (found_ids)
        GROUP BY n.access_class, c.repository, c.snapshot, c.tags, c.labels, c.clearance
    LOOP
        IF NOT docgraph.may_write(
            one.repository, one.snapshot, one.tags, one.labels, one.clearance,
            held.repositories, held.snapshots, held.tags, held.labels, held.clearance
        ) THEN
            PERFORM docgraph.refuse_outside('attributes');
        END IF;
        class := docgraph.ensure_class(
            tenant, one.repository, one.snapshot, one.tags, one.labels, one.clearance);
        CONTINUE WHEN class = one.access_class;
        PERFORM docgraph.move_counts(tenant, one.ids, class);
        UPDATE docgraph.document_nodes n SET access_class = class
        WHERE n.tenant_id = tenant AND n.document_id = ANY (one.ids);
        changed := changed || one.ids;
    END LOOP;
    RETURN jsonb_build_object(
        'changed', to_jsonb(docgraph.canonical_list(changed)),
        'unchanged', to_jsonb(docgraph.without(found_ids, changed)),
        'absent', to_jsonb(docgraph.without(asked, found_ids)));
END
$$;

COMMENT ON FUNCTION docgraph.set_document_access(text, jsonb, text[], jsonb) IS
    'API, writer. Changes who may see documents; what is absent in attributes stays as it is. '
    'SELECT docgraph.set_document_access(''default'', ''{"tags": ["hr"]}'', ARRAY[''a.md''], ''{"tags": ["hr"]}'');';
REVOKE ALL ON FUNCTION docgraph.set_document_access(text, jsonb, text[], jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.set_document_access(text, jsonb, text[], jsonb) TO docgraph_writer;
-- delete_documents: takes documents away, with their chunks, vectors, names and relationships in both directions.
--
-- References of other documents to them wait again. A hidden id is reported as absent, like one that is not there.
-- Writes:     document_nodes and what hangs on it, document_relationships, lexical_counts, write_turns
-- Guarantees: all or nothing; gone from every function with the commit; gives {"deleted", "absent": [id]}
-- Errors:     22023, 42501 (a document that may be seen but not written), KG003
-- Example:    SELECT docgraph.delete_documents('default', '{}', ARRAY['a.md']);
CREATE OR REPLACE FUNCTION docgraph.delete_documents(tenant text, access jsonb, documents text[]) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    asked text[];
    found_ids text[];
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    asked := docgraph.check_ids('documents', documents);
    PERFORM docgraph.take_turn(tenant);
    found_ids := docgraph.writable_among(tenant, access, 'documents', asked);
    DELETE FROM docgraph.document_relationships e WHERE e.tenant_id = tenant AND e.to_document = ANY (found_ids);
    DELETE FROM docgraph.document_relationships e WHERE e.tenant_id = tenant AND e.from_document = ANY (found_ids);
    PERFORM docgraph.move_counts(tenant, found_ids, NULL);
    DELETE FROM docgraph.document_nodes d WHERE d.tenant_id = tenant AND d.document_id = ANY (found_ids);
    RETURN jsonb_build_object(
        'deleted', to_jsonb(found_ids), 'absent', to_jsonb(docgraph.without(asked, found_ids)));
END
$$;

COMMENT ON FUNCTION docgraph.delete_documents(text, jsonb, text[]) IS
    'API, writer. Takes documents away with all that hangs on them; references to them wait again. '
    'SELECT docgraph.delete_documents(''default'', ''{}'', ARRAY[''a.md'']);';
REVOKE ALL ON FUNCTION docgraph.delete_documents(text, jsonb, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.delete_documents(text, jsonb, text[]) TO docgraph_writer;
-- put_documents: brings documents in, with their chunks, vectors, links and access attributes.
--
-- A document is an object: id, and whatever of these there is to say: title, doc_type, source, summary,
-- summary_embedding, section_titles, metadata, names, chunks [{text, embedding, token_count, section_path, start, end}],
-- links and relationships [{relation_type, to, evidence}] (inferred from the text, and declared), content_hash, and who
-- may see it: repository, snapshot, tags, labels, clearance. Of a document that is there everything is replaced;
-- declared relationships are kept where none are given. An embedding is a list of numbers, the same list as a text
-- (quicker), or "keep" for the stored one of the same text.
-- Same content, same access: nothing but the turn is written. model says of which model the vectors are; where it is
-- not said, only their dimensions are checked.
-- Reads:      access_grants, embedding_space, ingestion_requests, and what it writes
-- Writes:     access_classes, document_nodes, vector_chunks, document_names, document_references,
--             document_relationships, lexical_index, lexical_terms, lexical_counts, write_turns; statistics of tables that
--             have begun to fill
-- Guarantees: all or nothing; references to documents that are not there wait, whatever the order of arrival; gives
--             {"added", "changed", "unchanged": [id], "waiting": [{"from", "relation_type", "to"}]}
-- Errors:     22023, 42501 (outside the ceiling, or a hidden document has that id), KG001 (of another model), KG003
-- Example:    SELECT docgraph.put_documents('default', '{}', '[{"id": "a.md", "title": "A", "chunks": [{"text": "A."}]}]');
CREATE OR REPLACE FUNCTION docgraph.put_documents(
    tenant text, access jsonb, documents jsonb, ingestion text DEFAULT NULL, model text DEFAULT NULL
) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    space record;
    one record;
    visible bigint[];
    written jsonb[] := '{}';
    ids text[] := '{}';
    added text[] := '{}';
    changed text[] := '{}';
    rewritten text[] := '{}';
    unchanged text[] := '{}';
    class bigint;
    changes jsonb;
    missing text;
    filed text;
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    SELECT * INTO space FROM docgraph.take_turn(tenant);
    IF model <> space.model THEN
        RAISE EXCEPTION 'the vectors are of model "%", this database holds those of model "%"', model, space.model
            USING ERRCODE = 'KG001',
                  HINT = 'Use the recorded model, or move the database: docgraph reembed --embedding-model ...';
    END IF;
    PERFORM docgraph.check_documents(documents, space.dimensions, space.metric);
    PERFORM docgraph.check_ingestion(tenant, ingestion);
    -- A run whose source has no name leaves a document to the source that it came from before.
    filed := (
        SELECT i.ingestion_id FROM docgraph.ingestion_requests i
        WHERE i.tenant_id = tenant AND i.ingestion_id = ingestion AND i.source <> ''
    );

    FOR one IN SELECT * FROM docgraph.compare_documents(tenant, access, documents) LOOP
        ids := ids || one.document_id;
        class := CASE
            WHEN one.stored_fingerprint = one.fingerprint THEN one.stored_class
            ELSE docgraph.ensure_class(tenant, one.repository, one.snapshot, one.tags, one.labels, one.clearance)
        END;
        IF one.stored_class <> class THEN
            PERFORM docgraph.move_counts(tenant, ARRAY[one.document_id], class);
        END IF;
        IF one.content = 'same' THEN
            -- The foreign keys carry a new class to chunks and relationships.
            UPDATE docgraph.document_nodes n
            SET access_class = class, ingestion_id = coalesce(filed, n.ingestion_id, ingestion)
            WHERE n.tenant_id = tenant AND n.document_id = one.document_id
                AND (n.access_class <> class OR docgraph.is_from_elsewhere(tenant, n.ingestion_id, ingestion));
            IF one.stored_class = class THEN
                unchanged := unchanged || one.document_id;
            ELSE
                changed := changed || one.document_id;
            END IF;
            CONTINUE;
        END IF;
        IF one.content = 'new' THEN
            added := added || one.document_id;
        ELSE
            changed := changed || one.document_id;
        END IF;
        missing := docgraph.missing_vector(tenant, one.entry);
        IF missing IS NOT NULL THEN
            RAISE EXCEPTION 'documents[%].% is "keep", but no vector of that text is stored',
                cardinality(ids) - 1, missing
                USING ERRCODE = '22023', HINT = 'The document has changed meanwhile: give the vector.';
        END IF;
        INSERT INTO docgraph.document_nodes AS n
            (tenant_id, document_id, access_class, ingestion_id, doc_type, title, source, summary, section_titles,
             metadata, content_hash, summary_embedding)
        VALUES (
            tenant, one.document_id, class, ingestion, coalesce(one.entry ->> 'doc_type', ''),
            normalize(coalesce(one.entry ->> 'title', '')), coalesce(one.entry ->> 'source', ''),
            normalize(coalesce(one.entry ->> 'summary', '')),
            docgraph.read_lines(one.entry -> 'section_titles'),
            coalesce(one.entry -> 'metadata', '{}'), one.digest,
            CASE
                WHEN one.entry -> 'summary_embedding' = '"keep"' THEN (
                    SELECT s.summary_embedding FROM docgraph.document_nodes s
                    WHERE s.tenant_id = tenant AND s.document_id = one.document_id)
                ELSE docgraph.stored_vector(docgraph.vector_text(one.entry -> 'summary_embedding'), space.metric)
            END
        )
        ON CONFLICT ON CONSTRAINT document_nodes_pkey DO UPDATE SET
            access_class = excluded.access_class, ingestion_id = coalesce(filed, n.ingestion_id, ingestion),
            doc_type = excluded.doc_type, title = excluded.title, source = excluded.source, summary = excluded.summary,
            section_titles = excluded.section_titles, metadata = excluded.metadata,
            content_hash = excluded.content_hash, summary_embedding = excluded.summary_embedding;
        written := written || one.entry;
        rewritten := rewritten || one.document_id;
    END LOOP;

    changes := to_jsonb(written);
    PERFORM docgraph.write_chunks(tenant, changes, space.metric);
    PERFORM docgraph.index_words(tenant, rewritten, ids, true);
    PERFORM docgraph.write_references(tenant, changes);
    PERFORM docgraph.learn_sizes();
    visible := docgraph.visible_classes(tenant, access);
    RETURN jsonb_build_object(
        'added', to_jsonb(added), 'changed', to_jsonb(changed), 'unchanged', to_jsonb(unchanged),
        'waiting', docgraph.waiting_references(tenant, ids, visible)
    );
END
$$;

COMMENT ON FUNCTION docgraph.put_documents(text, jsonb, jsonb, text, text) IS
    'API, writer. Brings documents in, all or none of a call; gives what it did. '
    'SELECT docgraph.put_documents(''default'', ''{}'', ''[{"id": "a.md", "title": "A", "chunks": [{"text": "A."}]}]'');';
REVOKE ALL ON FUNCTION docgraph.put_documents(text, jsonb, jsonb, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.put_documents(text, jsonb, jsonb, text, text) TO docgraph_writer;
-- unchanged_documents: those of some documents that put_documents would leave as they are.
--
-- For whoever makes vectors: ask with id, content_hash and access attributes alone, and spare the work.
-- Reads:      access_grants, embedding_space, document_nodes, access_classes, document_references
-- Guarantees: in the order given; takes no lock, so the answer is of this moment
-- Errors:     as put_documents, but no KG003
-- Example:    SELECT docgraph.unchanged_documents('default', '{}', '[{"id": "a.md"}]');
CREATE OR REPLACE FUNCTION docgraph.unchanged_documents(
    tenant text, access jsonb, documents jsonb, ingestion text DEFAULT NULL
)
    RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    space record;
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    SELECT s.dimensions, s.metric INTO space FROM docgraph.embedding_space s;
    PERFORM docgraph.check_documents(documents, space.dimensions, space.metric);
    PERFORM docgraph.check_ingestion(tenant, ingestion);
    RETURN ARRAY(
        SELECT c.document_id
        FROM docgraph.compare_documents(tenant, access, documents) WITH ORDINALITY AS c
        WHERE c.content = 'same' AND c.fingerprint = c.stored_fingerprint
            AND NOT docgraph.is_from_elsewhere(tenant, c.stored_ingestion, ingestion)
        ORDER BY c.ordinality
    );
END
$$;

COMMENT ON FUNCTION docgraph.unchanged_documents(text, jsonb, jsonb, text) IS
    'API, writer. Those of some documents that put_documents would leave as they are. '
    'SELECT docgraph.unchanged_documents(''default'', ''{}'', ''[{"id": "a.md"}]'');';
REVOKE ALL ON FUNCTION docgraph.unchanged_documents(text, jsonb, jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.unchanged_documents(text, jsonb, jsonb, text) TO docgraph_writer;
-- finish_ingestion: closes a run, with what it did.
--
-- Reads:      access_grants, access_classes, document_nodes, document_references, document_names
-- Writes:     ingestion_requests, write_turns
-- Guarantees: a run that has ended takes no documents until begin_ingestion opens it again; closing it twice is no
--             error; gives {"waiting": n}, the references without a document in sight, of the visible documents of the run
-- Errors:     22023, 42501, KG003
-- Example:    SELECT docgraph.finish_ingestion('default', '{}', 'nightly', 'finished', '{"added": 3}');
CREATE OR REPLACE FUNCTION docgraph.finish_ingestion(
    tenant text, access jsonb, ingestion text, state text, report jsonb
) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible bigint[];
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    IF (state IN ('finished', 'failed')) IS NOT TRUE THEN
        RAISE EXCEPTION 'state must be finished or failed'
            USING ERRCODE = '22023', HINT = 'A run that is neither is still running.';
    END IF;
    IF (docgraph.fits(report, 'object')) IS NOT TRUE THEN
        RAISE EXCEPTION 'report must be %', docgraph.kind_in_words('object')
            USING ERRCODE = '22023', HINT = 'For example {"added": 3}.';
    END IF;
    PERFORM docgraph.take_turn(tenant);
    UPDATE docgraph.ingestion_requests i
    SET state = finish_ingestion.state, finished_at = now(), report = finish_ingestion.report
    WHERE i.tenant_id = tenant AND i.ingestion_id = ingestion AND i.login = session_user;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'ingestion must be one that this login has begun'
            USING ERRCODE = '22023', HINT = 'Call docgraph.begin_ingestion first.';
    END IF;
    visible := docgraph.visible_classes(tenant, access);
    RETURN jsonb_build_object('waiting', (
        SELECT count(*)
        FROM docgraph.document_nodes d
        JOIN docgraph.document_references r ON r.tenant_id = tenant AND r.from_document = d.document_id
        WHERE d.tenant_id = tenant AND d.ingestion_id = ingestion AND d.access_class = ANY (visible)
            AND NOT EXISTS (
                SELECT
                FROM docgraph.document_names n
                JOIN docgraph.document_nodes t ON t.tenant_id = tenant AND t.document_id = n.document_id
                WHERE n.tenant_id = tenant AND n.name = r.to_name AND t.access_class = ANY (visible)
            )
    ));
END
$$;

COMMENT ON FUNCTION docgraph.finish_ingestion(text, jsonb, text, text, jsonb) IS
    'API, writer. Closes a run as finished or failed, with what it did. '
    'SELECT docgraph.finish_ingestion(''default'', ''{}'', ''nightly'', ''finished'', ''{"added": 3}'');';
REVOKE ALL ON FUNCTION docgraph.finish_ingestion(text, jsonb, text, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.finish_ingestion(text, jsonb, text, text, jsonb) TO docgraph_writer;
-- api_version: the version of this set of functions, 'major.minor'.
--
-- A client works with the same major and a minor at least its own: a new function raises the minor, a change
-- that an old client would not survive raises the major.
-- Reads:      nothing
-- Errors:     none
-- Example:    SELECT docgraph.api_version();
CREATE OR REPLACE FUNCTION docgraph.api_version() RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '1.4';

COMMENT ON FUNCTION docgraph.api_version() IS
    'API, reader. Version of the functions: same major, at least the client''s minor. '
    'SELECT docgraph.api_version();';
REVOKE ALL ON FUNCTION docgraph.api_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.api_version() TO docgraph_reader;
-- node_texts: the texts of nodes within a budget, and the accounting.
--
-- Nodes get room in the order of core function order_nodes. A text is atomic: what does not fit is passed over and counted, and
-- the next one is tried.
-- Reads:      access_classes, document_nodes, vector_chunks
-- Guarantees: as API function fetch_node_texts
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.node_texts('default', '{1}', NULL, '{a.md}', 'tokens', 2000, 'seed_first');
CREATE OR REPLACE FUNCTION docgraph.node_texts(
    tenant text, visible bigint[], nodes jsonb, seeds text[], unit text, room integer, prioritization text
)
    RETURNS TABLE (
        place integer, id text, is_seed boolean, depth integer, parent text, text text, tokens integer,
        running_total bigint, accounting jsonb
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    ordered record;
    measured record;
    fitted record;
BEGIN
    ordered := docgraph.order_nodes(tenant, visible, nodes, seeds, prioritization);
    measured := docgraph.measure_texts(tenant, ordered.ids, unit = 'tokens', room);
    fitted := docgraph.fit_pieces(measured.sizes, room);
    RETURN QUERY
    SELECT k.place::integer, n.id, n.is_seed, n.depth, n.parent, docgraph.read_text(tenant, n.id), n.tokens,
        sum(n.size) OVER (ORDER BY k.place), NULL::jsonb
    FROM unnest(fitted.kept) WITH ORDINALITY AS k (nth, place)
    JOIN ROWS FROM (
        unnest(ordered.ids), unnest(ordered.are_seeds), unnest(ordered.depths), unnest(ordered.parents),
        unnest(measured.tokens), unnest(measured.sizes)
    ) WITH ORDINALITY AS n (id, is_seed, depth, parent, tokens, size, nth) ON n.nth = k.nth
    ORDER BY k.place;
    RETURN QUERY
    SELECT NULL::integer, NULL, NULL::boolean, NULL::integer, NULL, NULL, NULL::integer, NULL::bigint, jsonb_build_object(
        'format', 1,
        'nodes', jsonb_build_object(
            'given', ordered.given, 'missing', ordered.given - cardinality(ordered.ids),
            'without_text', cardinality(array_positions(measured.sizes, NULL)), 'shown', cardinality(fitted.kept)),
        'left_out', jsonb_build_object('budget', fitted.passed_over),
        'budget', jsonb_build_object('unit', unit, 'limit', room, 'used', fitted.used),
        'prioritization', prioritization,
        'sensitivity', docgraph.sensitivity_of(
            tenant, ARRAY(SELECT ordered.ids[k.nth] FROM unnest(fitted.kept) AS k (nth))));
END
$$;

COMMENT ON FUNCTION docgraph.node_texts(text, bigint[], jsonb, text[], text, integer, text) IS
    'Core. The texts of nodes within a budget, and the accounting.';
REVOKE ALL ON FUNCTION docgraph.node_texts(text, bigint[], jsonb, text[], text, integer, text) FROM PUBLIC;
DROP FUNCTION docgraph.sensitivity_of;
-- sensitivity_of: what some documents ask of a reader, taken together.
--
-- Whoever passes their text on treats it by that: every tag and every label that one of them has, and the highest clearance.
-- The settings, and an order that only one index gives, leave the planner no other way than that index.
-- Reads:      document_nodes, access_classes
-- Guarantees: {"tags", "labels", "clearance"}, lists sorted
-- Errors:     none for checked arguments: documents that the call may see
-- Example:    SELECT docgraph.sensitivity_of('default', '{a.md}');
CREATE OR REPLACE FUNCTION docgraph.sensitivity_of(tenant text, documents text[]) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
AS $$
DECLARE
    found jsonb;
BEGIN
    WITH classes AS MATERIALIZED (
        SELECT c.tags, c.labels, c.clearance
        FROM docgraph.access_classes c
        WHERE c.tenant_id = tenant AND c.access_class IN (
            SELECT d.access_class
            FROM unnest(documents) AS n (id)
            CROSS JOIN LATERAL (
                SELECT o.access_class
                FROM docgraph.document_nodes o
                WHERE o.tenant_id = tenant AND o.document_id BETWEEN n.id AND n.id
                ORDER BY o.document_id
            ) AS d
        )
    )
    SELECT jsonb_build_object(
        'tags', to_jsonb(docgraph.canonical_list(ARRAY(SELECT unnest(c.tags) FROM classes c))),
        'labels', to_jsonb(docgraph.canonical_list(ARRAY(SELECT unnest(c.labels) FROM classes c))),
        'clearance', (SELECT coalesce(max(c.clearance), 0) FROM classes c)
    ) INTO found;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.sensitivity_of(text, text[]) IS
    'Core. What some documents ask of a reader, taken together.';
REVOKE ALL ON FUNCTION docgraph.sensitivity_of(text, text[]) FROM PUBLIC;
DROP FUNCTION docgraph.read_text;
-- read_text: the text of a document: its chunks put together again, or its summary where it has none.
--
-- What a chunk repeats of the one before is there once (leaf repeated_start); chunks that do not touch have an empty line
-- between them.
-- The settings, and an order that only one index gives, leave the planner no other way than the primary keys.
-- Reads:      document_nodes, vector_chunks
-- Guarantees: NULL for a document that is not there; else as long as core function measure_texts says
-- Errors:     none for checked arguments: a document that the call may see
-- Example:    SELECT docgraph.read_text('default', 'a.md');
CREATE OR REPLACE FUNCTION docgraph.read_text(tenant text, document text) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET max_parallel_workers_per_gather = 0
    SET jit = off
AS $$
DECLARE
    found text;
BEGIN
    SELECT string_agg(
        docgraph.text_between(o.has_before, o.end_before, o.start_offset, o.repeated)
            || CASE o.repeated WHEN 0 THEN o.text ELSE substr(o.text, o.repeated + 1) END, '' ORDER BY o.ordinal)
    INTO found
    FROM (
        SELECT w.*,
            docgraph.repeated_start(w.text_before, w.start_before, w.end_before, w.text, w.start_offset) AS repeated
        FROM (
            SELECT e.ordinal, e.text, e.start_offset, lag(true, 1, false) OVER k AS has_before,
                lag(e.text) OVER k AS text_before, lag(e.start_offset) OVER k AS start_before,
                lag(e.end_offset) OVER k AS end_before
            FROM docgraph.vector_chunks e
            WHERE e.tenant_id = tenant AND e.document_id BETWEEN document AND document
            WINDOW k AS (ORDER BY e.document_id, e.ordinal)
        ) AS w
    ) AS o;
    IF found IS NULL THEN
        SELECT d.summary INTO found FROM docgraph.document_nodes d WHERE d.tenant_id = tenant AND d.document_id = document;
    END IF;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.read_text(text, text) IS
    'Core. The text of a document: its chunks put together again, or its summary.';
REVOKE ALL ON FUNCTION docgraph.read_text(text, text) FROM PUBLIC;
DROP FUNCTION docgraph.measure_texts;
-- measure_texts: how much of a budget the text of each node takes.
--
-- The text of a document is that of its chunks, in their order; what a chunk repeats of the one before counts once (leaf
-- repeated_start). One without chunks has its summary. tokens is what was counted when the chunks were stored: of a
-- repetition a part of that, as long as it is; of a summary an estimate.
-- A text is read for its length only where that counts: never in tokens, but for chunks whose offsets overlap; in characters
-- not of nodes that are too long by their bytes alone. What is longer than bound('node_bytes') has room nowhere.
-- The settings, and orders that only one index gives, leave the planner no other way than the primary keys.
-- Reads:      document_nodes, vector_chunks
-- Guarantees: the lists are as long as ids, in its order; NULL for a node without text; sizes in characters or tokens
-- Errors:     none for checked arguments: documents that the call may see, each once
-- Example:    SELECT * FROM docgraph.measure_texts('default', '{a.md}', true, 2000);
CREATE OR REPLACE FUNCTION docgraph.measure_texts(
    tenant text, ids text[], count_tokens boolean, room integer, OUT sizes integer[], OUT tokens integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET max_parallel_workers_per_gather = 0
    SET jit = off
AS $$
DECLARE
    too_long constant integer := 2147483647;
BEGIN
    SELECT array_agg(CASE
            WHEN c.bytes IS NULL THEN docgraph.text_size(s.summary, count_tokens)
            WHEN c.bytes > docgraph.bound('node_bytes') THEN too_long
            ELSE least(CASE WHEN count_tokens THEN c.tokens ELSE c.characters END, too_long)::integer
        END ORDER BY n.place),
        array_agg(CASE
            WHEN c.bytes IS NULL THEN docgraph.text_size(s.summary, true)
            ELSE least(c.tokens, too_long)::integer
        END ORDER BY n.place)
    INTO sizes, tokens
    FROM unnest(ids) WITH ORDINALITY AS n (id, place)
    CROSS JOIN LATERAL (
        SELECT sum(m.tokens) AS tokens, sum(m.characters) AS characters, sum(m.bytes) AS bytes
        FROM (
            SELECT p.bytes,
                p.token_count - CASE WHEN p.repeated > 0
                    THEN p.token_count::bigint * p.repeated / char_length(p.text) ELSE 0 END AS tokens,
                CASE WHEN count_tokens THEN NULL WHEN p.at_least > room THEN too_long
                    ELSE char_length(p.text) - p.repeated + char_length(p.between) END AS characters
            FROM (
                SELECT o.*, docgraph.text_between(o.has_before, o.end_before, o.start_offset, o.repeated) AS between
                FROM (
                    SELECT w.*, sum(greatest(0, (w.bytes + 3) / 4 - greatest(0, w.end_before - w.start_offset))) OVER ()
                            AS at_least,
                        docgraph.repeated_start(w.text_before, w.start_before, w.end_before, w.text, w.start_offset)
                            AS repeated
                    FROM (
                        SELECT e.text, e.token_count, e.start_offset, octet_length(e.text) AS bytes,
                            lag(true, 1, false) OVER k AS has_before, lag(e.text) OVER k AS text_before,
                            lag(e.start_offset) OVER k AS start_before, lag(e.end_offset) OVER k AS end_before
                        FROM docgraph.vector_chunks e
                        WHERE e.tenant_id = tenant AND e.document_id BETWEEN n.id AND n.id
                        WINDOW k AS (ORDER BY e.document_id, e.ordinal)
                    ) AS w
                ) AS o
            ) AS p
        ) AS m
    ) AS c
    CROSS JOIN LATERAL (
        SELECT d.summary
        FROM docgraph.document_nodes d
        WHERE d.tenant_id = tenant AND d.document_id BETWEEN n.id AND n.id
        ORDER BY d.document_id
    ) AS s;
    sizes := coalesce(sizes, '{}');
    tokens := coalesce(tokens, '{}');
END
$$;

COMMENT ON FUNCTION docgraph.measure_texts(text, text[], boolean, integer) IS
    'Core. How much of a budget the text of each node takes.';
REVOKE ALL ON FUNCTION docgraph.measure_texts(text, text[], boolean, integer) FROM PUBLIC;
-- expand_tree: what seeds lead to, step by step, and over which relationships.
--
-- Breadth first. The seeds come in their order. Each step looks at what the one before has found, node by node in that
-- order, and follows the first fan_out relationships of each (core function follow_links); what it has not met yet becomes a node
-- of the next step, and the node that led to it first its parent. What is hidden from the call is not in what follow_links
-- gives: it is cut in the step, before any limit counts.
-- Relationships are kept as far as both ends are nodes. truncated says what the result would have more of under a
-- higher limit: nodes (one was found for which there was no room), fan_out (a node has more relationships than were followed),
-- depth (one more step would find another node).
-- Joins are of lists, and by hashing: each node is met many times.
-- Reads:      document_nodes, document_relationships
-- Guarantees: as API function expand_dependency_tree
-- Errors:     22023 for more than bound('tree_bytes') of relationships: jsonb holds 256 MB
-- Example:    SELECT docgraph.expand_tree('default', '{1}', '{a.md}', 2, 200, 50, NULL, 'outgoing');
CREATE OR REPLACE FUNCTION docgraph.expand_tree(
    tenant text, visible bigint[], seeds text[], max_depth integer, max_nodes integer, fan_out integer,
    relation_types text[], direction text
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_nestloop = off
    SET enable_mergejoin = off
    SET jit = off
AS $$
DECLARE
    starts constant text[] := docgraph.visible_among(tenant, visible, seeds);
    ids text[] := starts[:max_nodes];
    parents text[] := array_fill(NULL::text, ARRAY[cardinality(ids)]);
    depths integer[] := array_fill(0, ARRAY[cardinality(ids)]);
    step text[] := ids;
    origins text[] := '{}';
    types text[] := '{}';
    targets text[] := '{}';
    truncated text[] := CASE WHEN cardinality(starts) > max_nodes THEN '{nodes}' ELSE '{}' END;
    links record;
    met record;
    kept record;
    found jsonb;
BEGIN
    FOR depth IN 1 .. max_depth LOOP
        EXIT WHEN step = '{}';
        links := docgraph.follow_links(tenant, visible, step, relation_types, fan_out, direction);
        SELECT coalesce(array_agg(n.id ORDER BY n.nth), '{}') AS ids,
            coalesce(array_agg(step[n.parent] ORDER BY n.nth), '{}') AS parents
        INTO met
        FROM (
            SELECT l.other AS id, min(l.place) AS parent, min(l.nth) AS nth
            FROM ROWS FROM (unnest(links.places), unnest(links.others)) WITH ORDINALITY AS l (place, other, nth)
            WHERE NOT EXISTS (SELECT FROM unnest(ids) AS k (id) WHERE k.id = l.other)
            GROUP BY l.other
        ) AS n;
        truncated := truncated || CASE WHEN links.is_cut THEN '{fan_out}'::text[] END
            || CASE WHEN cardinality(met.ids) > max_nodes - cardinality(ids) THEN '{nodes}'::text[] END;
        parents := parents || met.parents[:max_nodes - cardinality(ids)];
        ids := ids || met.ids[:max_nodes - cardinality(ids)];
        -- What is no node by now never will be: there was no room for it.
        SELECT coalesce(array_agg(CASE WHEN l.is_incoming THEN l.other ELSE step[l.place] END), '{}') AS origins,
            coalesce(array_agg(l.relation_type), '{}') AS types,
            coalesce(array_agg(CASE WHEN l.is_incoming THEN step[l.place] ELSE l.other END), '{}') AS targets
        INTO kept
        FROM ROWS FROM (unnest(links.places), unnest(links.types), unnest(links.others), unnest(links.is_incoming))
            AS l (place, relation_type, other, is_incoming)
        JOIN unnest(ids) AS k (id) ON k.id = l.other;
        origins := origins || kept.origins;
        types := types || kept.types;
        targets := targets || kept.targets;
        step := ids[cardinality(depths) + 1:];
        depths := depths || array_fill(depth, ARRAY[cardinality(step)]);
    END LOOP;
    IF docgraph.leads_on(tenant, visible, step, ids, relation_types, fan_out, direction) THEN
        truncated := truncated || '{depth}'::text[];
    END IF;

    IF (
        SELECT sum(octet_length(e.origin) + octet_length(e.relation_type) + octet_length(e.target) + 50)
        FROM ROWS FROM (unnest(origins), unnest(types), unnest(targets)) AS e (origin, relation_type, target)
    ) > docgraph.bound('tree_bytes') THEN
        RAISE EXCEPTION 'the relationships of the expansion have more than % bytes', docgraph.bound('tree_bytes')
            USING ERRCODE = '22023', HINT = 'Lower max_nodes or fan_out.';
    END IF;
    WITH nodes AS MATERIALIZED (
        SELECT n.*
        FROM ROWS FROM (unnest(ids), unnest(depths), unnest(parents)) WITH ORDINALITY AS n (id, depth, parent, place)
    ), edges AS (
        SELECT DISTINCT o.place, e.relation_type COLLATE "C" AS relation_type, e.target COLLATE "C" AS target, e.origin
        FROM ROWS FROM (unnest(origins), unnest(types), unnest(targets)) AS e (origin, relation_type, target)
        JOIN nodes o ON o.id = e.origin
    )
    SELECT jsonb_build_object(
        'nodes', coalesce((
            SELECT jsonb_agg(jsonb_build_object(
                'id', n.id, 'depth', n.depth, 'parent', n.parent, 'is_seed', n.depth = 0) ORDER BY n.place)
            FROM nodes n
        ), '[]'),
        'edges', coalesce((
            SELECT jsonb_agg(jsonb_build_object('from', e.origin, 'relation_type', e.relation_type, 'to', e.target)
                ORDER BY e.place, e.relation_type, e.target)
            FROM edges e
        ), '[]'),
        'truncated', to_jsonb(docgraph.canonical_list(truncated)),
        'omitted', cardinality(docgraph.canonical_list(seeds)) - cardinality(starts)
    ) INTO found;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.expand_tree(
    text, bigint[], text[], integer, integer, integer, text[], text
) IS 'Core. What seeds lead to, step by step, and over which relationships.';
REVOKE ALL ON FUNCTION docgraph.expand_tree(
    text, bigint[], text[], integer, integer, integer, text[], text
) FROM PUBLIC;
-- follow_links: the first relationships of each of some nodes that an expansion follows, in the order in which it does.
--
-- direction outgoing: those that lead from a node, incoming: to it, both: either way.
-- Reads:      document_relationships
-- Guarantees: of each node at most most, in order of type, other end, and outgoing before incoming; the lists are of one
--             length, in order of node and then as above; never NULL; is_cut: some node has more
-- Errors:     none for checked arguments: nodes that the call may see
-- Example:    SELECT * FROM docgraph.follow_links('default', '{1}', '{a.md}', NULL, 50, 'both');
CREATE OR REPLACE FUNCTION docgraph.follow_links(
    tenant text, visible bigint[], nodes text[], relation_types text[], most integer, direction text,
    OUT places integer[], OUT types text[], OUT others text[], OUT is_incoming boolean[], OUT is_cut boolean
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET jit = off
AS $$
DECLARE
    outgoing record;
    incoming record;
BEGIN
    outgoing := docgraph.links_from(
        tenant, visible, CASE WHEN direction = 'incoming' THEN '{}' ELSE nodes END, relation_types, most);
    incoming := docgraph.links_to(
        tenant, visible, CASE WHEN direction = 'outgoing' THEN '{}' ELSE nodes END, relation_types, most);
    SELECT coalesce(array_agg(f.place ORDER BY f.place, f.nth) FILTER (WHERE f.nth <= most), '{}'),
        coalesce(array_agg(f.relation_type ORDER BY f.place, f.nth) FILTER (WHERE f.nth <= most), '{}'),
        coalesce(array_agg(f.other ORDER BY f.place, f.nth) FILTER (WHERE f.nth <= most), '{}'),
        coalesce(array_agg(f.is_incoming ORDER BY f.place, f.nth) FILTER (WHERE f.nth <= most), '{}'),
        coalesce(max(f.nth) > most, false)
    INTO places, types, others, is_incoming, is_cut
    FROM (
        SELECT l.*, row_number() OVER (
            PARTITION BY l.place ORDER BY l.relation_type COLLATE "C", l.other COLLATE "C", l.is_incoming) AS nth
        FROM (
            SELECT o.place, o.relation_type, o.other, false AS is_incoming
            FROM ROWS FROM (unnest(outgoing.places), unnest(outgoing.types), unnest(outgoing.others))
                AS o (place, relation_type, other)
            UNION ALL
            SELECT i.place, i.relation_type, i.other, true
            FROM ROWS FROM (unnest(incoming.places), unnest(incoming.types), unnest(incoming.others))
                AS i (place, relation_type, other)
        ) AS l
    ) AS f;
END
$$;

COMMENT ON FUNCTION docgraph.follow_links(text, bigint[], text[], text[], integer, text) IS
    'Core. The first relationships of each of some nodes that an expansion follows.';
REVOKE ALL ON FUNCTION docgraph.follow_links(text, bigint[], text[], text[], integer, text) FROM PUBLIC;
-- assemble: a context from a plan: what its documents are about, then the evidence, within a budget; and the accounting.
--
-- documents, places, reasons, seeds and over_caps as core function planned_documents gives them; places may be NULL where
-- documents are all of the plan.
-- Conceptual layer: for each document its summary, then its section titles; documents of which a chunk is chosen come
-- first, in the order of the plan, then the others. It gets conceptual_share of the budget. The evidence gets what is
-- left then, in the order in which chunks are chosen (core function choose_chunks). Pieces are atomic: what does not fit
-- is passed over and counted, and the next one is tried.
-- The settings, and orders that only one index gives, leave the planner no other way to them than their primary keys; and
-- scores are written in full, whatever the session says.
-- Reads:      document_nodes, vector_chunks, alembic_version
-- Guarantees: {"plan", "context", "accounting"}; documents of the plan only, that the call may see and that have something to
--             show, in the order of the plan; chunks of a document in the order in which they fit
-- Errors:     none for checked arguments
-- Example:    SELECT docgraph.assemble('default', '{1}', docgraph.plan_retrieval('default', '{}', seeds => '{a.md}'),
--                 '{a.md}', '{1}', '{"seed 1, given"}', 1, 0, '{3,4}', 'cosine', NULL, 'semantic', 60, 10, 3, 0.4, 'similarity',
--                 'tokens', 2000, 0.25, '[]');
CREATE OR REPLACE FUNCTION docgraph.assemble(
    tenant text, visible bigint[], plan jsonb, documents text[], places integer[], reasons text[], seeds integer,
    over_caps integer, query_embedding double precision[], metric text, question text, chunk_mode text, rrf_k integer,
    max_chunks integer, per_document integer, reserve numeric, selection text, unit text, room integer,
    conceptual_share numeric, warnings jsonb
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET max_parallel_workers_per_gather = 0
    SET jit = off
    SET extra_float_digits = 1
AS $$
DECLARE
    in_tokens constant boolean := unit = 'tokens';
    conceptual_room constant integer := floor(room * conceptual_share);
    chosen record;
    found jsonb;
BEGIN
    chosen := docgraph.choose_chunks(
        tenant, visible, plan, documents, seeds, docgraph.query_vector(query_embedding, metric), metric, question,
        chunk_mode, rrf_k, max_chunks, per_document, reserve, selection);

    WITH there AS MATERIALIZED (
        SELECT p.position, d.*, s.sizes,
            cardinality(array_positions(chosen.positions, p.position::integer)) AS chosen,
            row_number() OVER (ORDER BY p.position = ANY (chosen.positions) DESC, p.position) AS nth
        FROM unnest(documents) WITH ORDINALITY AS p (document_id, position)
        CROSS JOIN LATERAL (
            SELECT n.document_id, n.title, n.source, n.doc_type, n.summary, n.section_titles
            FROM docgraph.document_nodes n
            WHERE n.tenant_id = tenant AND n.document_id BETWEEN p.document_id AND p.document_id
                AND n.access_class = ANY (visible)
            ORDER BY n.document_id
        ) AS d
        CROSS JOIN LATERAL (
            SELECT ARRAY[
                docgraph.text_size(d.summary, in_tokens),
                docgraph.text_size(array_to_string(d.section_titles, E'\n'), in_tokens)
            ] AS sizes
        ) AS s
    ), concepts AS MATERIALIZED (
        SELECT f.kept, f.used, f.passed_over
        FROM docgraph.fit_pieces((SELECT array_agg(t.sizes ORDER BY t.nth) FROM there t), conceptual_room) AS f
    ), candidates AS MATERIALIZED (
        SELECT c.position, c.place, c.score, c.chosen_by, c.nth, v.*,
            CASE WHEN in_tokens THEN v.token_count ELSE char_length(v.text) END AS size
        FROM ROWS FROM (
            unnest(chosen.positions), unnest(chosen.chunks), unnest(chosen.places), unnest(chosen.scores),
            unnest(chosen.chosen_by)
        ) WITH ORDINALITY AS c (position, ordinal, place, score, chosen_by, nth)
        CROSS JOIN LATERAL (
            SELECT e.ordinal, e.text, e.token_count, e.section_path, e.start_offset, e.end_offset
            FROM docgraph.vector_chunks e
            WHERE e.tenant_id = tenant
                AND e.document_id BETWEEN documents[c.position] AND documents[c.position]
                AND e.ordinal BETWEEN c.ordinal AND c.ordinal
            ORDER BY e.document_id, e.ordinal
        ) AS v
    ), evidence AS MATERIALIZED (
        SELECT f.kept, f.used, f.passed_over
        FROM concepts s
        CROSS JOIN LATERAL docgraph.fit_pieces(
            (SELECT array_agg(c.size ORDER BY c.nth) FROM candidates c), room - s.used) AS f
    ), layers AS MATERIALIZED (
        SELECT t.*, 2 * t.nth - 1 = ANY (s.kept) AS has_summary, 2 * t.nth = ANY (s.kept) AS has_sections,
            CASE WHEN t.chosen > 0 THEN (
                SELECT jsonb_agg(k)
                FROM (
                    SELECT c.ordinal AS chunk, c.text, c.token_count AS tokens, c.section_path, c.start_offset,
                        c.end_offset, c.score, c.nth AS chosen, c.chosen_by
                    FROM candidates c
                    WHERE c.position = t.position AND c.nth = ANY (e.kept)
                    ORDER BY c.place
                ) AS k
            ) END AS chunks
        FROM there t
        CROSS JOIN concepts s
        CROSS JOIN evidence e
    )
    SELECT jsonb_build_object(
        'plan', plan,
        'context', jsonb_build_object('documents', coalesce((
            SELECT jsonb_agg(d)
            FROM (
                SELECT l.document_id, coalesce(places[l.position], l.position) AS position,
                    CASE WHEN l.position <= seeds THEN 'seed' ELSE 'expanded' END AS role, reasons[l.position] AS why,
                    l.title, l.source, l.doc_type, CASE WHEN l.has_summary THEN l.summary END AS summary,
                    CASE WHEN l.has_sections THEN l.section_titles END AS section_titles, l.chosen AS chosen_chunks,
                    coalesce(l.chunks, '[]') AS chunks
                FROM layers l
                WHERE l.has_summary OR l.has_sections OR l.chunks IS NOT NULL
                ORDER BY l.position
            ) AS d
        ), '[]')),
        'accounting', jsonb_build_object(
            'format', 1,
            'documents', jsonb_build_object(
                'planned', cardinality(documents) + over_caps, 'over_caps', over_caps,
                'missing', cardinality(documents) - (SELECT count(*) FROM layers),
                'with_evidence', (SELECT count(l.chunks) FROM layers l)),
            'chunks', jsonb_build_object('chosen', cardinality(chosen.chunks), 'shown', cardinality(e.kept)),
            'left_out', jsonb_build_object(
                'unranked', chosen.unranked, 'per_document', chosen.over_document,
                'max_chunks', chosen.over_all, 'evidence_budget', e.passed_over,
                'conceptual_budget', s.passed_over),
            'budget', jsonb_build_object(
                'unit', unit, 'limit', room, 'used', s.used + e.used, 'conceptual_limit', conceptual_room,
                'conceptual_used', s.used, 'evidence_used', e.used),
            'chunk_mode', chunk_mode, 'rrf_k', CASE chunk_mode WHEN 'hybrid' THEN rrf_k END, 'selection', selection,
            'max_chunks', max_chunks, 'per_document', per_document, 'reserve', trim_scale(reserve)::text,
            'conceptual_share', trim_scale(conceptual_share)::text,
            'revision', jsonb_build_object(
                'plan', plan #> '{made_by,revision}', 'here', (SELECT v.version_num FROM docgraph.alembic_version v)),
            'edited', plan ? 'edited', 'warnings', warnings
        )
    ) INTO found
    FROM concepts s CROSS JOIN evidence e;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.assemble(
    text, bigint[], jsonb, text[], integer[], text[], integer, integer, double precision[], text, text, text, integer,
    integer, integer, numeric, text, text, integer, numeric, jsonb
) IS 'Core. A context from a plan, within a budget, and its accounting.';
REVOKE ALL ON FUNCTION docgraph.assemble(
    text, bigint[], jsonb, text[], integer[], text[], integer, integer, double precision[], text, text, text, integer,
    integer, integer, numeric, text, text, integer, numeric, jsonb
) FROM PUBLIC;
-- check_budget: refuses what can be no budget of a context; gives its unit and how much it is.
--
-- Reads:      nothing
-- Guarantees: unit tokens or characters. Where neither is given: usual, in tokens; NULL refuses that
-- Errors:     22023
-- Example:    SELECT * FROM docgraph.check_budget(NULL, 2000, 0.25, NULL);
CREATE OR REPLACE FUNCTION docgraph.check_budget(
    max_chars integer, budget_tokens integer, conceptual_share numeric, usual integer, OUT unit text, OUT room integer
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF max_chars IS NOT NULL AND budget_tokens IS NOT NULL THEN
        RAISE EXCEPTION 'max_chars and budget_tokens must not both be given'
            USING ERRCODE = '22023', HINT = 'A budget is counted in characters or in tokens: give one of the two.';
    END IF;
    IF coalesce(max_chars, budget_tokens, usual) IS NULL THEN
        RAISE EXCEPTION 'max_chars or budget_tokens must be given'
            USING ERRCODE = '22023', HINT = 'For example budget_tokens => 2000.';
    END IF;
    unit := CASE WHEN max_chars IS NULL THEN 'tokens' ELSE 'characters' END;
    room := coalesce(max_chars, budget_tokens, usual);
    IF room NOT BETWEEN 1 AND docgraph.bound('budget') THEN
        RAISE EXCEPTION '% must be from 1 to %',
            CASE unit WHEN 'tokens' THEN 'budget_tokens' ELSE 'max_chars' END, docgraph.bound('budget')
            USING ERRCODE = '22023', HINT = 'How much text the context may have in all.';
    END IF;
    PERFORM docgraph.check_share('conceptual_share', conceptual_share);
END
$$;

COMMENT ON FUNCTION docgraph.check_budget(integer, integer, numeric, integer) IS
    'Core. Refuses what can be no budget of a context (22023); its unit, and how much it is.';
REVOKE ALL ON FUNCTION docgraph.check_budget(integer, integer, numeric, integer) FROM PUBLIC;
-- make_plan: what API function plan_retrieval says, and what executing it at once needs to know: the classes that the call may
-- see, and what core function planned_documents would say of the plan.
--
-- Parameters as in plan_retrieval.
-- Reads:      access_grants, access_classes, embedding_space, alembic_version, document_nodes,
--             document_relationships; vector_chunks only to search in chunks; lexical_index, lexical_terms and
--             lexical_counts only to search by words
-- Guarantees: those of plan_retrieval
-- Errors:     22023, 42501, KG003
-- Example:    SELECT * FROM docgraph.make_plan('default', '{}', NULL, NULL, '{README.md}', 'semantic', 'summaries', 'auto', 5,
--                 NULL, 10, 40, 'none', 0.35, 60, false);
CREATE OR REPLACE FUNCTION docgraph.make_plan(
    tenant text, access jsonb, query_embedding double precision[], query_text text, seeds text[], mode text,
    search_in text, method text, seed_limit integer, relation_types text[], expanded_per_seed integer,
    max_documents integer, dominant_scope text, scope_distance numeric, rrf_k integer, title_hits boolean,
    OUT plan jsonb, OUT visible bigint[],
    OUT documents text[], OUT reasons text[], OUT seed_count integer
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    held record;
    metric text;
    allowed_types text[];
    given text[] := '{}';
    found text[] := '{}';
    in_scope text[] := '{}';
    all_seeds text[];
    links record;
    expanded record;
    seed_documents jsonb;
BEGIN
    SELECT * INTO held FROM docgraph.effective_access(tenant, access);
    visible := docgraph.classes_within(
        tenant, held.repositories, held.snapshots, held.tags, held.labels, held.clearance);
    metric := docgraph.check_query(mode, query_embedding, query_text);
    PERFORM docgraph.check_search(search_in, method);
    PERFORM docgraph.check_fusion(mode, search_in, rrf_k, title_hits);
    PERFORM docgraph.check_limit('seed_limit', seed_limit, 'seeds');
    PERFORM docgraph.check_limit('expanded_per_seed', expanded_per_seed, 'expanded_per_seed');
    PERFORM docgraph.check_limit('max_documents', max_documents, 'documents');
    PERFORM docgraph.check_choice('dominant_scope', dominant_scope, ARRAY['none', 'ingestion', 'doc_type', 'cluster']);
    IF (scope_distance BETWEEN -1000000 AND 1000000) IS NOT TRUE THEN
        RAISE EXCEPTION 'scope_distance must be from -1000000 to 1000000'
            USING ERRCODE = '22023', HINT = 'The greatest distance from the first document; for cosine from 0 to 2.';
    END IF;
    IF relation_types IS NOT NULL THEN
        allowed_types := docgraph.check_ids('relation_types', relation_types);
    END IF;
    IF query_embedding IS NULL AND query_text IS NULL AND seeds IS NULL THEN
        RAISE EXCEPTION '% and seeds must not both be null', CASE mode WHEN 'bm25' THEN 'query_text' ELSE 'query_embedding' END
            USING ERRCODE = '22023', HINT = 'A plan begins with what answers a query best, with ids, or with both.';
    END IF;

    IF seeds IS NOT NULL THEN
        PERFORM docgraph.check_ids('seeds', seeds);
        given := docgraph.visible_among(tenant, visible, seeds);
    END IF;
    IF query_embedding IS NOT NULL OR query_text IS NOT NULL THEN
        method := CASE mode WHEN 'bm25' THEN 'exact' ELSE docgraph.choose_method(tenant, visible, search_in, method) END;
        found := CASE mode
            WHEN 'semantic' THEN docgraph.nearest_documents(
                tenant, visible, docgraph.query_vector(query_embedding, metric), metric, search_in, method, seed_limit, given)
            ELSE docgraph.find_documents(
                tenant, visible, query_embedding, metric, query_text, mode, search_in, method, seed_limit, given, rrf_k,
                title_hits)
        END;
        in_scope := docgraph.dominant_scope(tenant, found, dominant_scope, round(scope_distance, 6));
    END IF;
    all_seeds := (given || in_scope)[:max_documents];
    expanded := docgraph.expand_once(
        tenant, visible, all_seeds, allowed_types, expanded_per_seed, max_documents - cardinality(all_seeds));

    links := docgraph.links_among(tenant, all_seeds, allowed_types);
    SELECT jsonb_agg(jsonb_strip_nulls(to_jsonb(s) - 'reasons') ORDER BY s.rank),
        coalesce(array_agg(docgraph.reasons_in_words(
            docgraph.reason_of_seed(s.rank::text, s.origin) || s.reasons) ORDER BY s.rank), '{}')
    INTO seed_documents, reasons
    FROM (
        SELECT a.document_id, a.rank, CASE WHEN a.rank <= cardinality(given) THEN 'given' ELSE 'search' END AS origin,
            r.via, r.reasons
        FROM unnest(all_seeds) WITH ORDINALITY AS a (document_id, rank)
        LEFT JOIN (
            SELECT l.to_place,
                jsonb_agg(jsonb_build_object('from', all_seeds[l.from_place], 'relation_type', l.relation_type)
                    ORDER BY l.from_place, l.relation_type COLLATE "C") AS via,
                array_agg(docgraph.reason_of_link(l.relation_type, all_seeds[l.from_place])
                    ORDER BY l.from_place, l.relation_type COLLATE "C") AS reasons
            FROM ROWS FROM (unnest(links.from_places), unnest(links.types), unnest(links.to_places))
                AS l (from_place, relation_type, to_place)
            GROUP BY l.to_place
        ) AS r ON r.to_place = a.rank
    ) AS s;
    documents := all_seeds || expanded.ids;
    reasons := reasons || expanded.reasons;
    seed_count := cardinality(all_seeds);
    plan := jsonb_build_object(
        'format', 1,
        'scope', jsonb_build_object(
            'tenant', tenant, 'repositories', to_jsonb(held.repositories), 'snapshots', to_jsonb(held.snapshots)),
        'seed_documents', coalesce(seed_documents, '[]'),
        'expanded_documents', expanded.documents,
        'constraints', jsonb_build_object(
            'max_relationship_depth', 1, 'traversal_enabled', false, 'direction', 'outgoing',
            'relation_types', to_jsonb(allowed_types), 'seed_limit', seed_limit,
            'expanded_per_seed', expanded_per_seed, 'max_documents', max_documents, 'dominant_scope', dominant_scope,
            'scope_distance', CASE dominant_scope WHEN 'cluster' THEN trim_scale(round(scope_distance, 6))::text END),
        'made_by', docgraph.plan_origin(
            CASE WHEN query_embedding IS NULL AND query_text IS NULL THEN 'ids' ELSE mode END, search_in, method,
            rrf_k, title_hits),
        'truncated', to_jsonb(docgraph.canonical_list(expanded.truncated
            || CASE WHEN cardinality(given) + cardinality(in_scope) > max_documents THEN '{documents}'::text[] END)),
        'omitted', coalesce(cardinality(docgraph.canonical_list(seeds)), 0) - cardinality(given),
        'dropped', cardinality(found) - cardinality(in_scope)
    );
    plan := plan || jsonb_build_object('plan_hash', docgraph.plan_hash(plan));
END
$$;

COMMENT ON FUNCTION docgraph.make_plan(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric, integer,
    boolean
) IS 'Core. A plan, and the classes that the call may see.';
REVOKE ALL ON FUNCTION docgraph.make_plan(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric, integer,
    boolean
) FROM PUBLIC;
DROP FUNCTION docgraph.links_among;
-- links_among: the relationships between some documents: from which of them to which, and of which type.
--
-- Each pair is looked up by itself: one of them may have a million relationships. The settings, and an order that only
-- one index gives, keep the planner to the key; BETWEEN an id AND itself, because after = the order would say nothing.
-- Reads:      document_relationships
-- Guarantees: the lists are of one length, in no order, never NULL: places among ids
-- Errors:     none for checked arguments: documents that the call may see, each once
-- Example:    SELECT * FROM docgraph.links_among('default', '{a.md,b.md}', NULL);
CREATE OR REPLACE FUNCTION docgraph.links_among(
    tenant text, ids text[], relation_types text[], OUT from_places integer[], OUT types text[],
    OUT to_places integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_sort = off
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
AS $$
BEGIN
    SELECT coalesce(array_agg(d.place::integer), '{}'), coalesce(array_agg(r.relation_type), '{}'),
        coalesce(array_agg(t.place::integer), '{}')
    INTO from_places, types, to_places
    FROM unnest(ids) WITH ORDINALITY AS d (document_id, place)
    CROSS JOIN unnest(ids) WITH ORDINALITY AS t (document_id, place)
    CROSS JOIN LATERAL (
        SELECT e.relation_type
        FROM docgraph.document_relationships e
        WHERE e.tenant_id = tenant AND e.from_document = d.document_id
            AND e.to_document BETWEEN t.document_id AND t.document_id
            AND (relation_types IS NULL OR e.relation_type = ANY (relation_types))
        ORDER BY e.to_document, e.relation_type
    ) AS r;
END
$$;

COMMENT ON FUNCTION docgraph.links_among(text, text[], text[]) IS 'Core. The relationships between some documents.';
REVOKE ALL ON FUNCTION docgraph.links_among(text, text[], text[]) FROM PUBLIC;
-- check_sealed: refuses what is no plan, and a plan that was changed after its hash was computed.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_sealed(docgraph.plan_retrieval('default', '{}', seeds => '{}'));
CREATE OR REPLACE FUNCTION docgraph.check_sealed(plan jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM docgraph.check_plan(plan);
    IF plan ->> 'plan_hash' <> docgraph.plan_hash(plan) THEN
        RAISE EXCEPTION 'plan.plan_hash must be the hash of the plan'
            USING ERRCODE = '22023',
                  HINT = 'The plan was changed after it was made. If that was intended, seal it anew with seal_plan.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_sealed(jsonb) IS
    'Core. Refuses what is no plan, and a plan whose hash does not hold (22023).';
REVOKE ALL ON FUNCTION docgraph.check_sealed(jsonb) FROM PUBLIC;
DROP FUNCTION docgraph.dominant_scope;
-- dominant_scope: of documents in the order of their rank, those that belong to the first one.
--
-- ingestion: of the same run; doc_type: of the same type; cluster: their summary lies within a distance of the first
-- one's. No group is stored or learnt. none: all of them.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      document_nodes, embedding_space
-- Guarantees: in the order given; the first one is always among them
-- Errors:     none for checked arguments: documents that the call may see
-- Example:    SELECT docgraph.dominant_scope('default', '{a.md,b.md}', 'doc_type', 0.35);
CREATE OR REPLACE FUNCTION docgraph.dominant_scope(tenant text, documents text[], scope text, scope_distance numeric)
    RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
AS $$
BEGIN
    IF scope = 'none' THEN
        RETURN documents;
    END IF;
    RETURN ARRAY(
        SELECT d.document_id
        FROM (
            SELECT n.ingestion_id, n.doc_type, n.summary_embedding
            FROM docgraph.document_nodes n
            WHERE n.tenant_id = tenant AND n.document_id BETWEEN documents[1] AND documents[1]
            ORDER BY n.document_id
        ) AS leader
        CROSS JOIN unnest(documents) WITH ORDINALITY AS f (document_id, rank)
        CROSS JOIN LATERAL (
            SELECT n.document_id, n.ingestion_id, n.doc_type, n.summary_embedding
            FROM docgraph.document_nodes n
            WHERE n.tenant_id = tenant AND n.document_id BETWEEN f.document_id AND f.document_id
            ORDER BY n.document_id
        ) AS d
        WHERE (d.document_id = documents[1] OR CASE scope
                WHEN 'ingestion' THEN d.ingestion_id IS NOT DISTINCT FROM leader.ingestion_id
                WHEN 'doc_type' THEN d.doc_type = leader.doc_type
                WHEN 'cluster' THEN 1000000 * scope_distance >= docgraph.distance(
                    d.summary_embedding, leader.summary_embedding, (SELECT s.metric FROM docgraph.embedding_space s)
                )::numeric
            END)
        ORDER BY f.rank
    );
END
$$;

COMMENT ON FUNCTION docgraph.dominant_scope(text, text[], text, numeric) IS
    'Core. Of documents in the order of their rank, those that belong to the first one.';
REVOKE ALL ON FUNCTION docgraph.dominant_scope(text, text[], text, numeric) FROM PUBLIC;
-- score_entries: the entries of the lexical index that score highest for a query: places of them, and what is as good.
--
-- candidates is what an entry must match to be looked at; where it is NULL, all that the call may see are looked at, by
-- their class, and must decides by itself. Scores are in single precision here: whatever may be as good as the last place is
-- given, too, so that an exact count may decide; rounding is how far, as a part of a score, a sum can be from the exact
-- one. What scores less than lowest is no better than the last place; NULL where there are fewer.
-- The fence (OFFSET 0) leaves no other way than the index of lexemes; it knows of no tenants, and the filter stands behind
-- it. As a rule one round does: the second is for scores of which many are the same.
-- Reads:      lexical_index
-- Guarantees: only visible entries, none of an excluded document
-- Errors:     none
-- Example:    SELECT docgraph.score_entries('default', '{1}', true, docgraph.sparse('7:6.2'), 'leave', NULL, 10, 0.000001, '{}');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.score_entries(
    tenant text, visible bigint[], chunks boolean, query sparsevec, candidates tsquery, must tsquery, places integer,
    rounding double precision, excluded text[], OUT documents text[], OUT ordinals integer[], OUT lowest double precision
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_indexscan = on
    SET enable_bitmapscan = on
    SET jit = off
    SET max_parallel_workers_per_gather = 0
    SET gin_fuzzy_search_limit = 0
AS $$
DECLARE
    at_least double precision := 0;
    room integer := places + 20;
    found record;
    good integer;
BEGIN
    LOOP
        IF candidates IS NULL THEN
            SELECT array_agg(s.document_id) AS documents, array_agg(s.ordinal) AS ordinals, array_agg(s.score) AS scores INTO found
            FROM (
                SELECT i.document_id, i.ordinal, docgraph.words_score(i.weights, query) AS score
                FROM docgraph.lexical_index i
                WHERE i.tenant_id = tenant AND i.access_class = ANY (visible) AND (i.ordinal >= 0) = chunks
                    AND docgraph.words_score(i.weights, query) > at_least AND (must IS NULL OR i.lexemes @@ must)
                    AND i.document_id <> ALL (excluded)
                ORDER BY score DESC
                LIMIT room
            ) AS s;
        ELSE
            SELECT array_agg(s.document_id) AS documents, array_agg(s.ordinal) AS ordinals, array_agg(s.score) AS scores INTO found
            FROM (
                SELECT i.document_id, i.ordinal, docgraph.words_score(i.weights, query) AS score
                FROM (SELECT * FROM docgraph.lexical_index l WHERE l.lexemes @@ candidates OFFSET 0) AS i
                WHERE i.tenant_id = tenant AND i.access_class = ANY (visible) AND (i.ordinal >= 0) = chunks
                    AND i.document_id <> ALL (excluded)
                    AND (at_least = 0 OR docgraph.words_score(i.weights, query) > at_least)
                ORDER BY score DESC
                LIMIT room
            ) AS s;
        END IF;
        lowest := (1 - rounding) * found.scores[places] - 0.000001;
        EXIT WHEN room IS NULL OR cardinality(found.scores) < room OR found.scores[room] < lowest;
        at_least := greatest(lowest, 0);
        room := NULL;
        EXIT WHEN found.scores IS NULL;
    END LOOP;
    good := (SELECT count(*) FROM unnest(found.scores) AS s (score) WHERE lowest IS NULL OR s.score >= lowest);
    documents := coalesce(found.documents[:good], '{}');
    ordinals := coalesce(found.ordinals[:good], '{}');
END
$$;

COMMENT ON FUNCTION docgraph.score_entries(
    text, bigint[], boolean, sparsevec, tsquery, tsquery, integer, double precision, text[]
) IS 'Core. The entries of the lexical index that score highest for a query, and what is as good.';
REVOKE ALL ON FUNCTION docgraph.score_entries(
    text, bigint[], boolean, sparsevec, tsquery, tsquery, integer, double precision, text[]
) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
-- read_question: what a question in words asks of the lexical index: its words, and what must hold beside them.
--
-- As websearch_to_tsquery reads it, with one difference: words are a list to rank by, not a condition. "a phrase" must be
-- in the text, -word and -"a phrase" must not. Between alternatives stands or: one with a phrase or an exclusion is met by
-- them, one of words alone by any of its words; where all alternatives are words alone, or makes no difference. Quotes
-- without a partner, signs and whatever else are no error.
-- words are those of phrases, too, but not excluded ones; times says how often each stands in the question. must is NULL
-- where there is no condition.
-- Reads:      embedding_space
-- Guarantees: words is empty where there is nothing to look for, for example in a question of stop words
-- Errors:     none for a checked question
-- Example:    SELECT docgraph.read_question('holiday "parental leave" -draft');
CREATE OR REPLACE FUNCTION docgraph.read_question(
    question text, OUT words text[], OUT times integer[], OUT must tsquery
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    text_search constant text := (SELECT s.text_search FROM docgraph.embedding_space s);
    configuration constant regconfig := docgraph.parser_name(text_search);
    plain text := '';
    conditions tsquery[] := ARRAY[NULL::tsquery];
    words_alone text[] := '{""}';
    has_phrase boolean[] := '{false}';
    n integer := 1;
    piece text[];
    phrase tsquery;
    alternative tsquery;
BEGIN
    -- A sign and a phrase in quotes, or a sign and a word.
    FOR piece IN
        SELECT m.found
        FROM regexp_matches(normalize(question), '(-?)"([^"]*)"|(-?)([^[:space:]"]+)', 'g') WITH ORDINALITY AS m (found, place)
        ORDER BY m.place
    LOOP
        IF lower(piece[4]) = 'or' AND piece[3] = '' THEN
            n := n + 1;
            conditions[n] := NULL;
            words_alone[n] := '';
            has_phrase[n] := false;
            CONTINUE;
        END IF;
        IF piece[3] = '' THEN
            words_alone[n] := concat_ws(' ', words_alone[n], piece[4]);
            plain := concat_ws(' ', plain, piece[4]);
            CONTINUE;
        END IF;
        phrase := phraseto_tsquery(configuration,
            CASE text_search WHEN 'code' THEN docgraph.split_identifiers(coalesce(piece[2], piece[4]))
                ELSE coalesce(piece[2], piece[4]) END);
        CONTINUE WHEN numnode(phrase) = 0;
        IF piece[1] = '' THEN
            has_phrase[n] := true;
            plain := concat_ws(' ', plain, piece[2]);
        ELSE
            phrase := !! phrase;
        END IF;
        conditions[n] := coalesce(conditions[n] && phrase, phrase);
    END LOOP;

    SELECT coalesce(array_agg(w.lexeme), '{}'), coalesce(array_agg(cardinality(w.positions)), '{}') INTO words, times
    FROM unnest(to_tsvector(configuration, docgraph.indexed_text(plain, text_search))) AS w;
    IF n = 1 THEN
        must := conditions[1];
    ELSIF array_remove(conditions, NULL) <> '{}' THEN
        FOR i IN 1 .. n LOOP
            alternative := conditions[i];
            IF NOT has_phrase[i] THEN
                phrase := docgraph.any_word(tsvector_to_array(
                    to_tsvector(configuration, docgraph.indexed_text(words_alone[i], text_search))));
                alternative := coalesce(alternative && phrase, alternative, phrase);
            END IF;
            must := coalesce(must || alternative, must, alternative);
        END LOOP;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.read_question(text) IS
    'Core. What a question in words asks of the lexical index: its words, and what must hold beside them.';
REVOKE ALL ON FUNCTION docgraph.read_question(text) FROM PUBLIC;
-- check_question: refuses what can be no question in words.
--
-- Blank is a question to which nothing fits.
-- Reads:      embedding_space
-- Errors:     22023, KG003 (no text-search configuration to read it by)
-- Example:    SELECT docgraph.check_question('query_text', 'parental leave');
CREATE OR REPLACE FUNCTION docgraph.check_question(parameter text, question text) RETURNS void
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF (docgraph.stored_bytes(question) <= docgraph.bound('query_bytes')) IS NOT TRUE THEN
        RAISE EXCEPTION '% must be a text of at most % bytes', parameter, docgraph.bound('query_bytes')
            USING ERRCODE = '22023', HINT = 'The question in words.';
    END IF;
    IF NOT EXISTS (SELECT FROM docgraph.embedding_space) THEN
        RAISE EXCEPTION 'this database has no embedding space yet'
            USING ERRCODE = 'KG003', HINT = 'An administrator records one with docgraph.configure_embedding_space.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_question(text, text) IS 'Core. Refuses what can be no question in words (22023, KG003).';
REVOKE ALL ON FUNCTION docgraph.check_question(text, text) FROM PUBLIC;
-- number_words: the numbers of words in a tenant; a word that has none yet gets one.
--
-- Only in the tenant's turn: nobody else numbers words meanwhile.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the table; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      lexical_terms
-- Writes:     lexical_terms
-- Guarantees: each word once, in no order
-- Errors:     none
-- Example:    SELECT * FROM docgraph.number_words('default', '{leave,pay}');
CREATE OR REPLACE FUNCTION docgraph.number_words(tenant text, words text[], OUT known text[], OUT numbers integer[])
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
AS $$
DECLARE
    added record;
BEGIN
    SELECT coalesce(array_agg(t.term), '{}'), coalesce(array_agg(t.term_number), '{}') INTO known, numbers
    FROM unnest(words) AS w (word)
    CROSS JOIN LATERAL (
        SELECT t.term, t.term_number
        FROM docgraph.lexical_terms t
        WHERE t.tenant_id = tenant AND t.term BETWEEN w.word AND w.word
        ORDER BY t.term
    ) AS t;
    WITH made AS (
        INSERT INTO docgraph.lexical_terms (tenant_id, term)
        SELECT tenant, n.word
        FROM (SELECT unnest(words) COLLATE "C" EXCEPT SELECT unnest(known) COLLATE "C") AS n (word)
        ORDER BY n.word
        RETURNING term, term_number
    )
    SELECT array_agg(m.term) AS terms, array_agg(m.term_number) AS numbers INTO added FROM made m;
    known := known || added.terms;
    numbers := numbers || added.numbers;
END
$$;

COMMENT ON FUNCTION docgraph.number_words(text, text[]) IS
    'Core. The numbers of words in a tenant; a word that has none yet gets one.';
REVOKE ALL ON FUNCTION docgraph.number_words(text, text[]) FROM PUBLIC;
-- write_references: makes names and references of documents what the documents say.
--
-- Inferred references are replaced. Declared ones are replaced where a document gives relationships, else kept.
-- Reads:      document_names, document_references
-- Writes:     document_names, document_references, document_relationships
-- Guarantees: relationships from and to the documents are up to date afterwards
-- Errors:     none for checked documents that are there
-- Example:    SELECT docgraph.write_references('default', '[{"id": "a.md", "links": []}]');
CREATE OR REPLACE FUNCTION docgraph.write_references(tenant text, documents jsonb) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    ids constant text[] := ARRAY(SELECT d.entry ->> 'id' FROM jsonb_array_elements(documents) AS d (entry));
    renamed text[];
BEGIN
    WITH given AS MATERIALIZED (
        SELECT d.entry ->> 'id' AS document_id, d.entry ->> 'id' AS name
        FROM jsonb_array_elements(documents) AS d (entry)
        UNION
        SELECT d.entry ->> 'id', n.name
        FROM jsonb_array_elements(documents) AS d (entry)
        CROSS JOIN unnest(docgraph.read_names(d.entry -> 'names')) AS n (name)
    ), gone AS (
        DELETE FROM docgraph.document_names n
        WHERE n.tenant_id = tenant AND n.document_id = ANY (ids)
            AND NOT EXISTS (SELECT FROM given g WHERE g.document_id = n.document_id AND g.name = n.name)
        RETURNING n.document_id
    ), new AS (
        INSERT INTO docgraph.document_names AS n (tenant_id, document_id, name)
        SELECT tenant, g.document_id, g.name FROM given g
        ON CONFLICT ON CONSTRAINT document_names_pkey DO NOTHING
        RETURNING n.document_id
    )
    SELECT ARRAY(SELECT g.document_id FROM gone g UNION SELECT n.document_id FROM new n) INTO renamed;

    DELETE FROM docgraph.document_references r
    USING jsonb_array_elements(documents) AS d (entry)
    WHERE r.tenant_id = tenant AND r.from_document = d.entry ->> 'id'
        AND (d.entry ? 'relationships' OR NOT r.declared);
    UPDATE docgraph.document_references r SET inferred = false
    WHERE r.tenant_id = tenant AND r.from_document = ANY (ids) AND r.inferred;
    INSERT INTO docgraph.document_references AS r
        (tenant_id, from_document, relation_type, to_name, declared, inferred, evidence)
    SELECT tenant, d.entry ->> 'id', g.reference ->> 'relation_type', g.reference ->> 'to',
        bool_or(g.declared), bool_or(NOT g.declared), min(normalize(g.reference ->> 'evidence') COLLATE "C")
    FROM jsonb_array_elements(documents) AS d (entry)
    CROSS JOIN LATERAL (
        SELECT l.reference, false AS declared
        FROM jsonb_array_elements(d.entry -> 'links') AS l (reference)
        UNION ALL
        SELECT l.reference, true
        FROM jsonb_array_elements(d.entry -> 'relationships') AS l (reference)
    ) AS g
    GROUP BY 2, 3, 4
    ON CONFLICT ON CONSTRAINT document_references_pkey DO UPDATE SET
        declared = r.declared OR excluded.declared, inferred = excluded.inferred,
        evidence = coalesce(excluded.evidence, r.evidence);

    PERFORM docgraph.connect_documents(tenant, ids, renamed);
END
$$;

COMMENT ON FUNCTION docgraph.write_references(text, jsonb) IS
    'Core. Makes names and references of documents what the documents say.';
REVOKE ALL ON FUNCTION docgraph.write_references(text, jsonb) FROM PUBLIC;
DROP FUNCTION docgraph.forget_classes;
-- ensure_class: the access class of one combination of access attributes; made if there is none yet.
--
-- Only for attributes that the caller holds, and in the tenant's turn: nobody else makes classes meanwhile.
-- Writes:     access_classes
-- Guarantees: one number for one combination
-- Errors:     none
-- Example:    SELECT docgraph.ensure_class('default', 'handbook', 'main', '{hr}', '{}', 0);
CREATE OR REPLACE FUNCTION docgraph.ensure_class(
    tenant text, repository text, snapshot text, tags text[], labels text[], clearance integer
) RETURNS bigint
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    print constant bytea := docgraph.access_fingerprint(repository, snapshot, tags, labels, clearance);
    found_class bigint;
BEGIN
    SELECT c.access_class INTO found_class
    FROM docgraph.access_classes c
    WHERE c.tenant_id = tenant AND c.fingerprint = print;
    IF NOT FOUND THEN
        INSERT INTO docgraph.access_classes
            (tenant_id, repository, snapshot, tags, labels, clearance, fingerprint)
        VALUES (
            tenant, repository, snapshot,
            docgraph.canonical_list(tags), docgraph.canonical_list(labels), clearance, print
        )
        RETURNING access_class INTO found_class;
    END IF;
    RETURN found_class;
END
$$;

COMMENT ON FUNCTION docgraph.ensure_class(text, text, text, text[], text[], integer) IS
    'Core. The access class of one combination of access attributes; made if there is none yet.';
REVOKE ALL ON FUNCTION docgraph.ensure_class(text, text, text, text[], text[], integer) FROM PUBLIC;
-- learn_sizes: has the planner look at tables that have begun to fill, once.
--
-- Without statistics it takes every tenant for small, and reads all rows of one for each look-up: a first load of 4,000
-- small documents took eight times as long, until autovacuum came by. Later growth is autovacuum's.
-- Writes:     statistics of document_nodes, vector_chunks, document_names, document_references, document_relationships
-- Guarantees: waits for nobody: a table that is locked against it is left out
-- Errors:     none
-- Example:    SELECT docgraph.learn_sizes();
CREATE OR REPLACE FUNCTION docgraph.learn_sizes() RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- More than one page: of a single row it would learn that a tenant has one.
    IF EXISTS (
        SELECT
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'docgraph' AND c.reltuples <= 0
            AND c.relname IN (
                'document_nodes', 'vector_chunks', 'document_names', 'document_references', 'document_relationships')
            AND pg_relation_size(c.oid) > current_setting('block_size')::bigint
    ) THEN
        ANALYZE (SKIP_LOCKED) docgraph.document_nodes, docgraph.vector_chunks, docgraph.document_names,
            docgraph.document_references, docgraph.document_relationships;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.learn_sizes() IS 'Core. Has the planner look at tables that have begun to fill, once.';
REVOKE ALL ON FUNCTION docgraph.learn_sizes() FROM PUBLIC;
-- check_entries: refuses a JSON list whose entries are not objects of a shape.
--
-- The shape is an object from key to kind (leaf fits); a key whose kind ends in "!" must be there, one that ends in
-- "?" as well, but may be null. An unknown key is an error, because a misspelt one would be dropped in silence. place
-- says where the list stands; list_kind is the bound of its length, or NULL where a place holds no list but one object.
-- Reads:      nothing
-- Guarantees: the first bad field in order of entry and key is named, its value is not
-- Errors:     22023
-- Example:    SELECT docgraph.check_entries('links', '[{"to": "b"}]', 'references', '{"to": "id!"}');
CREATE OR REPLACE FUNCTION docgraph.check_entries(place text, entries jsonb, list_kind text, shape jsonb)
    RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    places constant text := CASE WHEN list_kind IS NULL THEN place ELSE place || '[%s]' END;
    bad record;
BEGIN
    IF list_kind IS NULL THEN
        entries := jsonb_build_array(entries);
    ELSIF (jsonb_typeof(entries) = 'array') IS NOT TRUE
        OR jsonb_array_length(entries) > docgraph.bound(list_kind)
    THEN
        RAISE EXCEPTION '% must be a list of at most % entries', place, docgraph.bound(list_kind)
            USING ERRCODE = '22023', HINT = 'Give a JSON list; make several calls of a longer one.';
    END IF;
    IF docgraph.have_shapes(ARRAY[entries], ARRAY[shape]) THEN
        RETURN;
    END IF;
    SELECT e.i INTO bad
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS e (entry, i)
    WHERE jsonb_typeof(e.entry) <> 'object'
    ORDER BY e.i
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% must be an object', format(places, bad.i - 1)
            USING ERRCODE = '22023', HINT = format('Its keys are %s.', docgraph.keys_in_words(shape));
    END IF;
    SELECT e.i INTO bad
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS e (entry, i)
    WHERE e.entry - ARRAY(SELECT jsonb_object_keys(shape)) <> '{}'
    ORDER BY e.i
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% has an unknown key', format(places, bad.i - 1)
            USING ERRCODE = '22023', HINT = format('Its keys are %s.', docgraph.keys_in_words(shape));
    END IF;
    SELECT e.i, s.key, e.entry ? s.key AS is_there, s.kind LIKE '%?' AS may_be_null, rtrim(s.kind, '!?') AS kind INTO bad
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS e (entry, i)
    CROSS JOIN jsonb_each_text(shape) AS s (key, kind)
    WHERE NOT docgraph.field_fits(e.entry, s.key, s.kind)
    ORDER BY e.i, s.key COLLATE "C"
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '%.% must be %', format(places, bad.i - 1), bad.key,
            docgraph.kind_in_words(bad.kind) || CASE WHEN bad.may_be_null THEN ', or null' ELSE '' END
            USING ERRCODE = '22023', HINT = CASE
                WHEN NOT bad.is_there THEN 'The key must be there.'
                WHEN bad.may_be_null THEN 'The key must be there, also if it has no value.'
                ELSE 'Leave out a key that has no value; null is none.'
            END;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_entries(text, jsonb, text, jsonb) IS
    'Core. Refuses a JSON list whose entries are not objects of a shape (22023).';
REVOKE ALL ON FUNCTION docgraph.check_entries(text, jsonb, text, jsonb) FROM PUBLIC;
-- check_text_search: refuses what is no text-search configuration of this database, nor code, which is ours.
--
-- Reads:      nothing but the catalogue
-- Errors:     22023
-- Example:    SELECT docgraph.check_text_search('english');
CREATE OR REPLACE FUNCTION docgraph.check_text_search(text_search text) RETURNS void
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF text_search = 'code' THEN
        RETURN;
    END IF;
    IF NOT EXISTS (
        SELECT
        FROM pg_ts_config c
        JOIN pg_namespace n ON n.oid = c.cfgnamespace
        WHERE text_search IN (
                CASE n.nspname WHEN 'pg_catalog' THEN c.cfgname END,
                quote_ident(n.nspname) || '.' || quote_ident(c.cfgname)
            )
            AND NOT pg_is_other_temp_schema(n.oid) AND n.oid <> pg_my_temp_schema()
    ) THEN
        RAISE EXCEPTION 'text_search must be a text-search configuration of this database'
            USING ERRCODE = '22023',
                  HINT = 'For example english, simple or code; \dF in psql lists others. Outside pg_catalog: schema.name.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_text_search(text) IS
    'Core. Refuses what is no text-search configuration of this database (22023).';
REVOKE ALL ON FUNCTION docgraph.check_text_search(text) FROM PUBLIC;
DROP INDEX docgraph.lexical_index_document_words_idx;
DROP INDEX docgraph.lexical_index_chunk_words_idx;
CREATE INDEX lexical_index_lexemes_idx ON docgraph.lexical_index USING gin (lexemes);
COMMENT ON INDEX docgraph.lexical_index_lexemes_idx IS 'Chunks and documents by lexeme.';
-- Every tenant's rows, also those that row security would hide from this login.
ALTER TABLE docgraph.lexical_terms NO FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.lexical_terms ALTER COLUMN term_number ADD GENERATED ALWAYS AS IDENTITY;
SELECT pg_catalog.setval(
    pg_catalog.pg_get_serial_sequence('docgraph.lexical_terms', 'term_number'),
    (SELECT max(t.term_number) FROM docgraph.lexical_terms t)
);
ALTER TABLE docgraph.lexical_terms FORCE ROW LEVEL SECURITY;
-- Every tenant's rows, also those that row security would hide from this login.
ALTER TABLE docgraph.access_classes NO FORCE ROW LEVEL SECURITY;
ALTER TABLE docgraph.access_classes ALTER COLUMN access_class ADD GENERATED ALWAYS AS IDENTITY;
SELECT pg_catalog.setval(
    pg_catalog.pg_get_serial_sequence('docgraph.access_classes', 'access_class'),
    (SELECT max(t.access_class) FROM docgraph.access_classes t)
);
ALTER TABLE docgraph.access_classes FORCE ROW LEVEL SECURITY;
-- check_tenant: refuses what can be no tenant.
--
-- Whether the tenant exists is not asked here: an unknown one and a forbidden one read the same.
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_tenant('default');
CREATE OR REPLACE FUNCTION docgraph.check_tenant(tenant text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF docgraph.is_id(tenant) IS NOT TRUE THEN
        RAISE EXCEPTION 'tenant must be a text of 1 to % bytes', docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'A database that was set up by init has the tenant ''default''.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_tenant(text) IS 'Core. Refuses what can be no tenant (22023).';
REVOKE ALL ON FUNCTION docgraph.check_tenant(text) FROM PUBLIC;
-- indexed_text: a text as the lexical index and a query read it.
--
-- For the configuration code with identifiers taken apart, and the whole ones after it; for any other as it is.
-- Reads:      nothing
-- Guarantees: NULL gives NULL
-- Errors:     none
-- Example:    SELECT docgraph.indexed_text('getUserName(os.path)', 'code');
CREATE OR REPLACE FUNCTION docgraph.indexed_text(value text, text_search text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN value IS NULL THEN NULL
        WHEN text_search = 'code' THEN concat_ws(' ', docgraph.split_identifiers(value), docgraph.whole_identifiers(value))
        ELSE value
    END;

COMMENT ON FUNCTION docgraph.indexed_text(text, text) IS 'Leaf. A text as the lexical index and a query read it.';
REVOKE ALL ON FUNCTION docgraph.indexed_text(text, text) FROM PUBLIC;
-- whole_identifiers: the identifiers of source code that have parts, each as one word: without points and underscores.
--
-- Beside split_identifiers, so that the whole name counts, too, however it is written: os.path.join is ospathjoin,
-- get_user and getUser are both one word of the same letters.
-- Reads:      nothing
-- Guarantees: in the order of the text; NULL if there are none
-- Errors:     none
-- Example:    SELECT docgraph.whole_identifiers('getUserName(os.path)');
CREATE OR REPLACE FUNCTION docgraph.whole_identifiers(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (
        SELECT string_agg(translate(i.found[1], '._', ''), ' ' ORDER BY i.place)
        FROM regexp_matches(value, '[[:alpha:]_][[:alnum:]_]*(?:[.][[:alpha:]_][[:alnum:]_]*)*', 'g')
            WITH ORDINALITY AS i (found, place)
        WHERE i.found[1] ~ '[.]|[[:alnum:]]_+[[:alnum:]]|[[:lower:][:digit:]][[:upper:]]|[[:upper:]]{2}[[:lower:]]'
    );

COMMENT ON FUNCTION docgraph.whole_identifiers(text) IS
    'Leaf. The identifiers that have parts, each as one word without points and underscores.';
REVOKE ALL ON FUNCTION docgraph.whole_identifiers(text) FROM PUBLIC;
-- split_identifiers: source code with its identifiers taken apart, for the text-search configuration code.
--
-- getUserName reads as "get User Name", HTTPServer as "HTTP Server", os.path.join as "os path join", snake_case as
-- "snake case". Numbers with a point in them stay whole.
-- Reads:      nothing
-- Guarantees: NULL gives NULL; what has no such identifiers stays as it is
-- Errors:     none
-- Example:    SELECT docgraph.split_identifiers('getUserName(os.path)');
CREATE OR REPLACE FUNCTION docgraph.split_identifiers(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN replace(
        regexp_replace(
            regexp_replace(
                regexp_replace(value, '([[:alpha:]_][[:alnum:]_]*)[.](?=[[:alpha:]_])', '\1 ', 'g'),
                '([[:lower:][:digit:]])([[:upper:]])', '\1 \2', 'g'),
            '([[:upper:]])([[:upper:]][[:lower:]])', '\1 \2', 'g'),
        '_', ' ');

COMMENT ON FUNCTION docgraph.split_identifiers(text) IS
    'Leaf. Source code with its identifiers taken apart: getUserName reads as get User Name.';
REVOKE ALL ON FUNCTION docgraph.split_identifiers(text) FROM PUBLIC;
DROP FUNCTION docgraph.plain_signs;
-- distance: how far two vectors are apart, in whole millionths.
--
-- The unit of every ranking: what differs by less is equal, and the id decides. By functions and not by operators:
-- no index takes part, so an order by it is exact. Where the metric is a constant, as in a custom plan, only one
-- branch is left.
-- Reads:      nothing
-- Guarantees: NULL if a vector is; for ip minus the inner product, so that less is nearer everywhere
-- Errors:     none for vectors of the same dimensions
-- Example:    SELECT docgraph.distance('[3,4]', '[4,3]', 'cosine');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.distance(a halfvec, b halfvec, metric text) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN round(1000000 * CASE metric
        WHEN 'cosine' THEN cosine_distance(a, b)
        WHEN 'l2' THEN l2_distance(a, b)
        WHEN 'ip' THEN halfvec_negative_inner_product(a, b)
    END);

COMMENT ON FUNCTION docgraph.distance(halfvec, halfvec, text) IS
    'Leaf. Distance of two vectors in whole millionths; exact, for no index knows it.';
REVOKE ALL ON FUNCTION docgraph.distance(halfvec, halfvec, text) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
-- bound: the limits of what callers may pass and store, in one place.
--
-- Functions, CHECKs and error messages read them here. Measure, then change them here.
-- Reads:      nothing
-- Guarantees: an unknown name gives NULL; the tests hold every name in use against this list
-- Errors:     none
-- Example:    SELECT docgraph.bound('id_bytes');
CREATE OR REPLACE FUNCTION docgraph.bound(name text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE name
        WHEN 'id_bytes' THEN 512          -- ids, tags, labels, names: the longest, in bytes
        WHEN 'list_items' THEN 1000       -- entries in one list of a claim or a ceiling
        WHEN 'clearance' THEN 32767       -- the highest clearance level
        WHEN 'dimensions' THEN 4000       -- of an embedding: what an HNSW index on halfvec can hold
        WHEN 'average_length' THEN 1000000  -- lexemes in an average chunk
        WHEN 'evidence_bytes' THEN 4000   -- the words around a link
        WHEN 'line_bytes' THEN 4000       -- a title, a source
        WHEN 'text_bytes' THEN 262144     -- a chunk, a summary: its lexemes must fit into a tsvector of 1 MB
        WHEN 'ids' THEN 200               -- ids or documents in one call
        WHEN 'chunks' THEN 10000          -- of one document
        WHEN 'references' THEN 5000       -- of one document, and relationships in one call
        WHEN 'names' THEN 50              -- of one document, beside its id
        WHEN 'page' THEN 1000             -- rows of one page of a list
        WHEN 'nodes' THEN 200             -- found by one search
        WHEN 'seeds' THEN 200             -- of a plan, found by its search
        WHEN 'expanded_per_seed' THEN 200   -- documents that one seed brings into a plan
        WHEN 'documents' THEN 400         -- of a plan, in all
        WHEN 'entries' THEN 10000         -- of one list in a plan
        WHEN 'evidence' THEN 1000         -- chunks in one context
        WHEN 'per_document' THEN 100      -- of them, from one document
        WHEN 'budget' THEN 10000000       -- of a context, in tokens or characters
        WHEN 'usual_budget' THEN 8000     -- in tokens, where a call names none
        WHEN 'queries' THEN 100           -- in one call
        WHEN 'tree_depth' THEN 10         -- steps of an expansion
        WHEN 'tree_nodes' THEN 10000      -- of an expansion, in all
        WHEN 'fan_out' THEN 1000          -- relationships of one node that an expansion follows
        WHEN 'tree_edges' THEN 1000000    -- relationships that it may follow in all: nodes times those of one
        WHEN 'tree_bytes' THEN 200000000  -- of relationships in one expansion
        WHEN 'node_bytes' THEN 67108864   -- text of one node: more is never handed out in one piece
        WHEN 'exact_rows' THEN 50000      -- rows up to which a search by method auto is exact
        WHEN 'query_bytes' THEN 10000     -- of a question in words
        WHEN 'rrf_k' THEN 200             -- what reciprocal rank fusion adds to a rank
        WHEN 'fused' THEN 200             -- places of each list that are fused
        WHEN 'fused_of_document' THEN 20  -- chunks of one document that are fused inside a plan; more if more are asked for
        WHEN 'widening' THEN 6            -- times as many candidates as places, where they are reranked
        WHEN 'scanned_entries' THEN 2000  -- lexical entries up to which all are scored, without asking the index
        WHEN 'first_entries' THEN 500     -- lexical entries of the rarest words, which are scored first
        WHEN 'combined_words' THEN 40     -- words of a question whose combinations are looked up
        WHEN 'title_words' THEN 12        -- in a title that is looked for in questions
        WHEN 'words_of_text' THEN 16000   -- different words of one text: what a sparsevec can hold
        WHEN 'word_numbers' THEN 1000000000  -- words of a database: the dimensions of a sparsevec
    END;

COMMENT ON FUNCTION docgraph.bound(text) IS
    'Leaf. A limit by name, for example bound(''id_bytes'').';
REVOKE ALL ON FUNCTION docgraph.bound(text) FROM PUBLIC;
