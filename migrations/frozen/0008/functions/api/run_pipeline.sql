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
-- Errors:     22023, 40001, 42501, KG003
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
