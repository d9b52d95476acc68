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
        in_scope := docgraph.dominant_scope(tenant, visible, found, dominant_scope, round(scope_distance, 6));
    END IF;
    all_seeds := (given || in_scope)[:max_documents];
    expanded := docgraph.expand_once(
        tenant, visible, all_seeds, allowed_types, expanded_per_seed, max_documents - cardinality(all_seeds));

    links := docgraph.links_among(tenant, visible, all_seeds, allowed_types);
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
