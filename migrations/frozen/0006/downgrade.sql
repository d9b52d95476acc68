-- All at once, in the order in which those who write take them: a writer is waited for, or waits, and nobody is in the way
-- of the other.
LOCK TABLE docgraph.document_nodes, docgraph.vector_chunks, docgraph.lexical_index, docgraph.lexical_terms
    IN ACCESS EXCLUSIVE MODE;
-- Back to 0005, from 0006: Three stages
DROP FUNCTION docgraph.run_pipeline;
DROP FUNCTION docgraph.fetch_node_texts;
DROP FUNCTION docgraph.expand_dependency_tree;
DROP FUNCTION docgraph.retrieve_many;
-- retrieve_many: what retrieve gives for each of many queries, in one call.
--
-- query_embeddings has two dimensions: a query each, at most bound('queries'). The other parameters are those of retrieve,
-- and the same for all.
-- Reads:      what retrieve reads
-- Guarantees: all from one snapshot; query counts from 1; each result is what retrieve gives for that query, byte for byte
-- Errors:     22023, 42501, KG003
-- Example:    SELECT * FROM docgraph.retrieve_many('default', '{}',
--                 array_fill(0.1::float8, ARRAY[2, (SELECT dimensions FROM docgraph.embedding_space())]));
CREATE OR REPLACE FUNCTION docgraph.retrieve_many(
    tenant text, access jsonb, query_embeddings double precision[], seeds text[] DEFAULT NULL,
    mode text DEFAULT 'semantic', search_in text DEFAULT 'summaries', method text DEFAULT 'auto',
    seed_limit integer DEFAULT 5, relation_types text[] DEFAULT NULL, expanded_per_seed integer DEFAULT 10,
    max_documents integer DEFAULT 40, dominant_scope text DEFAULT 'none', scope_distance numeric DEFAULT 0.35,
    max_chunks integer DEFAULT 10, per_document integer DEFAULT 3, reserve numeric DEFAULT 0.4,
    selection text DEFAULT 'similarity', max_chars integer DEFAULT NULL, budget_tokens integer DEFAULT NULL,
    conceptual_share numeric DEFAULT 0.25
)
    RETURNS TABLE (query integer, result jsonb)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    one double precision[];
BEGIN
    PERFORM docgraph.visible_classes(tenant, access);
    -- An empty list has no dimensions.
    IF (query_embeddings = '{}' OR array_ndims(query_embeddings) = 2) IS NOT TRUE
        OR array_length(query_embeddings, 1) > docgraph.bound('queries')
    THEN
        RAISE EXCEPTION 'query_embeddings must be a list of at most % vectors', docgraph.bound('queries')
            USING ERRCODE = '22023', HINT = 'For one vector there is docgraph.retrieve; make several calls for more.';
    END IF;
    IF query_embeddings = '{}' THEN
        -- What would be refused with a query is refused without one.
        PERFORM docgraph.make_plan(
            tenant, access, NULL, NULL, coalesce(seeds, '{}'), mode, search_in, method, seed_limit, relation_types,
            expanded_per_seed, max_documents, dominant_scope, scope_distance);
        PERFORM docgraph.check_choosing(max_chunks, per_document, reserve, selection);
        PERFORM docgraph.check_budget(max_chars, budget_tokens, conceptual_share, docgraph.bound('usual_budget'));
        RETURN;
    END IF;
    query := 0;
    FOREACH one SLICE 1 IN ARRAY query_embeddings LOOP
        query := query + 1;
        PERFORM docgraph.check_vector(format('query_embeddings[%s]', query), one);
        result := docgraph.retrieve(
            tenant, access, one, NULL, seeds, mode, search_in, method, seed_limit, relation_types, expanded_per_seed,
            max_documents, dominant_scope, scope_distance, max_chunks, per_document, reserve, selection, max_chars,
            budget_tokens, conceptual_share);
        RETURN NEXT;
    END LOOP;
END
$$;

COMMENT ON FUNCTION docgraph.retrieve_many(
    text, jsonb, double precision[], text[], text, text, text, integer, text[], integer, integer, text, numeric, integer,
    integer, numeric, text, integer, integer, numeric
) IS
    'API, reader. What retrieve gives for each of many queries. '
    'SELECT * FROM docgraph.retrieve_many(''default'', ''{}'', '
    'array_fill(0.1::float8, ARRAY[2, (SELECT dimensions FROM docgraph.embedding_space())]));';
REVOKE ALL ON FUNCTION docgraph.retrieve_many(
    text, jsonb, double precision[], text[], text, text, text, integer, text[], integer, integer, text, numeric, integer,
    integer, numeric, text, integer, integer, numeric
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.retrieve_many(
    text, jsonb, double precision[], text[], text, text, text, integer, text[], integer, integer, text, numeric, integer,
    integer, numeric, text, integer, integer, numeric
) TO docgraph_reader;
DROP FUNCTION docgraph.retrieve;
-- retrieve: the plan for a query, the context that execution makes of it, and the accounting, in one call.
--
-- Parameters up to scope_distance as in plan_retrieval, the others as in assemble_context. Where neither max_chars nor
-- budget_tokens is given, the budget is bound('usual_budget') tokens. The context has documents, each with its chunks.
-- Reads:      access_grants, access_classes, embedding_space, alembic_version, document_nodes, document_relationships,
--             vector_chunks
-- Guarantees: all from one snapshot; what plan_retrieval and then retrieve_by_plan give, byte for byte
-- Errors:     22023, 42501, KG003
-- Example:    SELECT jsonb_pretty(docgraph.retrieve('default', '{}',
--                 array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())])));
CREATE OR REPLACE FUNCTION docgraph.retrieve(
    tenant text, access jsonb, query_embedding double precision[] DEFAULT NULL, query_text text DEFAULT NULL,
    seeds text[] DEFAULT NULL, mode text DEFAULT 'semantic', search_in text DEFAULT 'summaries',
    method text DEFAULT 'auto', seed_limit integer DEFAULT 5, relation_types text[] DEFAULT NULL,
    expanded_per_seed integer DEFAULT 10, max_documents integer DEFAULT 40, dominant_scope text DEFAULT 'none',
    scope_distance numeric DEFAULT 0.35, max_chunks integer DEFAULT 10, per_document integer DEFAULT 3,
    reserve numeric DEFAULT 0.4, selection text DEFAULT 'similarity', max_chars integer DEFAULT NULL,
    budget_tokens integer DEFAULT NULL, conceptual_share numeric DEFAULT 0.25
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    made record;
    metric text;
    budget record;
BEGIN
    -- First what makes no plan worth making.
    metric := docgraph.check_evidence(query_embedding, max_chunks, per_document, reserve, selection);
    budget := docgraph.check_budget(max_chars, budget_tokens, conceptual_share, docgraph.bound('usual_budget'));
    made := docgraph.make_plan(
        tenant, access, query_embedding, query_text, seeds, mode, search_in, method, seed_limit, relation_types,
        expanded_per_seed, max_documents, dominant_scope, scope_distance);
    RETURN docgraph.assemble(
        tenant, made.visible, made.plan, made.documents, NULL, made.reasons, made.seed_count, 0, query_embedding, metric,
        max_chunks, per_document, reserve, selection, budget.unit, budget.room, conceptual_share);
END
$$;

COMMENT ON FUNCTION docgraph.retrieve(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric,
    integer, integer, numeric, text, integer, integer, numeric
) IS
    'API, reader. The plan for a query, the context that it gives, and the accounting. '
    'SELECT jsonb_pretty(docgraph.retrieve(''default'', ''{}'', '
    'array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())])));';
REVOKE ALL ON FUNCTION docgraph.retrieve(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric,
    integer, integer, numeric, text, integer, integer, numeric
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.retrieve(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric,
    integer, integer, numeric, text, integer, integer, numeric
) TO docgraph_reader;
DROP FUNCTION docgraph.retrieve_by_plan;
-- retrieve_by_plan: a context from a plan that was made before: stored, approved, or sealed anew after a change.
--
-- As retrieve, which makes the plan itself; parameters as in assemble_context. Where neither max_chars nor budget_tokens
-- is given, the budget is bound('usual_budget') tokens.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes, vector_chunks, alembic_version
-- Guarantees: those of assemble_context; no planning takes place
-- Errors:     22023, 42501, KG001 (a plan of another embedding space), KG003
-- Example:    SELECT docgraph.retrieve_by_plan('default', '{}', docgraph.plan_retrieval('default', '{}',
--                 seeds => '{README.md}'),
--                 array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));
CREATE OR REPLACE FUNCTION docgraph.retrieve_by_plan(
    tenant text, access jsonb, plan jsonb, query_embedding double precision[], max_chunks integer DEFAULT 10,
    per_document integer DEFAULT 3, reserve numeric DEFAULT 0.4, selection text DEFAULT 'similarity',
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
    metric := docgraph.check_evidence(query_embedding, max_chunks, per_document, reserve, selection);
    PERFORM docgraph.check_executable(tenant, plan);
    budget := docgraph.check_budget(max_chars, budget_tokens, conceptual_share, docgraph.bound('usual_budget'));
    planned := docgraph.planned_documents(plan);
    RETURN docgraph.assemble(
        tenant, visible, plan, planned.documents, planned.places, planned.reasons, planned.seeds, planned.over_caps,
        query_embedding, metric, max_chunks, per_document, reserve, selection, budget.unit, budget.room, conceptual_share);
END
$$;

COMMENT ON FUNCTION docgraph.retrieve_by_plan(
    text, jsonb, jsonb, double precision[], integer, integer, numeric, text, integer, integer, numeric
) IS
    'API, reader. A context from a plan that was made before. '
    'SELECT docgraph.retrieve_by_plan(''default'', ''{}'', docgraph.plan_retrieval(''default'', ''{}'', '
    'seeds => ''{README.md}''), '
    'array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));';
REVOKE ALL ON FUNCTION docgraph.retrieve_by_plan(
    text, jsonb, jsonb, double precision[], integer, integer, numeric, text, integer, integer, numeric
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.retrieve_by_plan(
    text, jsonb, jsonb, double precision[], integer, integer, numeric, text, integer, integer, numeric
) TO docgraph_reader;
DROP FUNCTION docgraph.assemble_context;
-- assemble_context: a context from a plan, as rows: what its documents are about, then evidence, within a budget.
--
-- The budget is max_chars or budget_tokens, one of the two. layer conceptual has at most conceptual_share of it: for each
-- document its summary, then its section titles (part summary, part sections); documents of which a chunk is chosen come
-- first. layer evidence has the chunks that execute_plan gives (part chunk), in its order, as far as there is room: they
-- get it in the order in which they are chosen. Pieces are atomic: what does not fit is passed over, and the next one is
-- tried. running_total counts in the unit of the budget; how many tokens a chunk has, its writer said. why says why the
-- document is in. The last row is the accounting: what was left out and for which reason, as counts.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes, vector_chunks, alembic_version
-- Guarantees: those of execute_plan; the budget is never exceeded; one row of accounting, always
-- Errors:     22023, 42501, KG001 (a plan of another embedding space), KG003
-- Example:    SELECT * FROM docgraph.assemble_context('default', '{}', docgraph.plan_retrieval('default', '{}',
--                 seeds => '{README.md}'),
--                 array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]), budget_tokens => 2000);
CREATE OR REPLACE FUNCTION docgraph.assemble_context(
    tenant text, access jsonb, plan jsonb, query_embedding double precision[], max_chars integer DEFAULT NULL,
    budget_tokens integer DEFAULT NULL, conceptual_share numeric DEFAULT 0.25, max_chunks integer DEFAULT 10,
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
    metric := docgraph.check_evidence(query_embedding, max_chunks, per_document, reserve, selection);
    PERFORM docgraph.check_executable(tenant, plan);
    budget := docgraph.check_budget(max_chars, budget_tokens, conceptual_share, NULL);
    planned := docgraph.planned_documents(plan);
    found := docgraph.assemble(
        tenant, visible, plan, planned.documents, planned.places, planned.reasons, planned.seeds, planned.over_caps,
        query_embedding, metric, max_chunks, per_document, reserve, selection, budget.unit, budget.room, conceptual_share);
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
    text, jsonb, jsonb, double precision[], integer, integer, numeric, integer, integer, numeric, text
) IS
    'API, reader. A context from a plan, as rows, within a budget. '
    'SELECT * FROM docgraph.assemble_context(''default'', ''{}'', docgraph.plan_retrieval(''default'', ''{}'', '
    'seeds => ''{README.md}''), '
    'array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]), budget_tokens => 2000);';
REVOKE ALL ON FUNCTION docgraph.assemble_context(
    text, jsonb, jsonb, double precision[], integer, integer, numeric, integer, integer, numeric, text
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.assemble_context(
    text, jsonb, jsonb, double precision[], integer, integer, numeric, integer, integer, numeric, text
) TO docgraph_reader;
DROP FUNCTION docgraph.execute_plan;
-- execute_plan: the chunks of planned documents that are nearest to a query: evidence, and nothing that is not in the plan.
--
-- The nearest per_document chunks of each document take part, max_chunks of them are chosen: a share of the places, the
-- reserve, is kept for documents that seeds brought in, their best chunks, one each before any gets a second; all other
-- places go to the nearest that are left. chosen says in which order, chosen_by by what: similarity or reserve.
-- selection bridge: see core function order_by_bridge; chosen_by is then similarity, or behind which seed a chunk stands.
-- Every document is authorised anew, and the plan's limits are applied anew: a plan is intent, not authority. missing
-- counts its documents that are not there, or not to be seen; it is the same in each row; where no chunk is chosen
-- there is none to say it, and retrieve_by_plan does. No planning takes place here.
-- The settings, and an order that only one index gives, leave the planner no other way to the text than the primary key.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes, vector_chunks
-- Guarantees: the same plan, query and data give the same rows; in order of the plan, then distance (in millionths),
--             then chunk; exact: every chunk of the documents is compared; score is the figure of that order
-- Errors:     22023, 42501, KG001 (a plan of another embedding space), KG003
-- Example:    SELECT * FROM docgraph.execute_plan('default', '{}', docgraph.plan_retrieval('default', '{}',
--                 seeds => '{README.md}'),
--                 array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));
CREATE OR REPLACE FUNCTION docgraph.execute_plan(
    tenant text, access jsonb, plan jsonb, query_embedding double precision[], max_chunks integer DEFAULT 10,
    per_document integer DEFAULT 3, reserve numeric DEFAULT 0.4, selection text DEFAULT 'similarity'
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
    metric := docgraph.check_evidence(query_embedding, max_chunks, per_document, reserve, selection);
    PERFORM docgraph.check_executable(tenant, plan);
    planned := docgraph.planned_documents(plan);
    absent := cardinality(planned.documents)
        - cardinality(docgraph.visible_among(tenant, visible, planned.documents));
    evidence := docgraph.choose_chunks(
        tenant, visible, plan, planned.documents, planned.seeds, docgraph.query_vector(query_embedding, metric), metric,
        max_chunks, per_document, reserve, selection);
    RETURN QUERY
    SELECT planned.places[c.position], planned.documents[c.position],
        CASE WHEN c.position <= planned.seeds THEN 'seed' ELSE 'expanded' END,
        v.ordinal, v.text, v.token_count, v.section_path, docgraph.score(c.distance, metric), c.nth::integer, c.chosen_by,
        planned.reasons[c.position], absent
    FROM ROWS FROM (
        unnest(evidence.positions), unnest(evidence.chunks), unnest(evidence.distances), unnest(evidence.chosen_by)
    ) WITH ORDINALITY AS c (position, ordinal, distance, chosen_by, nth)
    CROSS JOIN LATERAL (
        SELECT e.ordinal, e.text, e.token_count, e.section_path
        FROM docgraph.vector_chunks e
        WHERE e.tenant_id = tenant
            AND e.document_id BETWEEN planned.documents[c.position] AND planned.documents[c.position]
            AND e.ordinal BETWEEN c.ordinal AND c.ordinal
        ORDER BY e.document_id, e.ordinal
    ) AS v
    ORDER BY c.position, c.distance, c.ordinal;
END
$$;

COMMENT ON FUNCTION docgraph.execute_plan(
    text, jsonb, jsonb, double precision[], integer, integer, numeric, text
) IS
    'API, reader. The chunks of planned documents that are nearest to a query. '
    'SELECT * FROM docgraph.execute_plan(''default'', ''{}'', docgraph.plan_retrieval(''default'', ''{}'', '
    'seeds => ''{README.md}''), '
    'array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));';
REVOKE ALL ON FUNCTION docgraph.execute_plan(
    text, jsonb, jsonb, double precision[], integer, integer, numeric, text
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.execute_plan(
    text, jsonb, jsonb, double precision[], integer, integer, numeric, text
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
    here constant jsonb := docgraph.plan_origin('semantic', NULL, NULL);
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
-- explain_plan: a plan as a tree for people: each seed, and what it leads to over which relationship.
--
-- The number in brackets is the position in the plan; what several seeds lead to stands under each of them.
-- Reads:      nothing
-- Guarantees: one line for each seed and each reason; ids cannot break or steer a line
-- Errors:     22023 for what is no plan, and where the hash does not hold
-- Example:    SELECT docgraph.explain_plan(docgraph.plan_retrieval('default', '{}', seeds => '{README.md}'));
CREATE OR REPLACE FUNCTION docgraph.explain_plan(plan jsonb) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    constraints constant jsonb := plan -> 'constraints';
    made_by constant jsonb := plan -> 'made_by';
    tree text;
BEGIN
    WITH planned AS MATERIALIZED (
        SELECT * FROM docgraph.plan_documents(plan)
    )
    SELECT string_agg(
        CASE
            WHEN r.via IS NULL THEN
                format('[%s] %s  (%s)', r."position", docgraph.printable(r.document_id), docgraph.printable(r.why))
            ELSE format('     %s -> [%s] %s', docgraph.printable(r.via), r."position", docgraph.printable(r.document_id))
        END, E'\n' ORDER BY coalesce(s."position", r."position"), s."position" NULLS FIRST, r.via COLLATE "C", r."position")
    INTO tree
    FROM planned r
    LEFT JOIN planned s ON s.document_id = r.from_document AND s.via IS NULL;
    RETURN concat_ws(E'\n',
        format('plan %s%s', left(plan ->> 'plan_hash', 12), CASE WHEN plan ? 'edited' THEN ', edited' END),
        format('tenant %s, %s%s, revision %s',
            docgraph.printable(plan #>> '{scope,tenant}'), docgraph.printable(made_by ->> 'method'),
            docgraph.printable(', ' || (made_by ->> 'mode') || ' search in ' || (made_by ->> 'search_in')
                || ', model ' || (made_by #>> '{embedding_space,model}')),
            docgraph.printable(made_by ->> 'revision')),
        format('seeds: %s; brought in: %s, by one step along %s',
            jsonb_array_length(plan -> 'seed_documents'), jsonb_array_length(plan -> 'expanded_documents'),
            CASE constraints -> 'relation_types'
                WHEN 'null' THEN 'all relation types'
                WHEN '[]' THEN 'no relation type'
                ELSE docgraph.printable(array_to_string(docgraph.read_names(constraints -> 'relation_types'), ', '))
            END),
        tree,
        CASE WHEN plan -> 'truncated' <> '[]' THEN 'cut short by the limit '
            || docgraph.printable(array_to_string(docgraph.read_names(plan -> 'truncated'), ', ')) END,
        'given, but not there or not to be seen: ' || nullif(plan ->> 'omitted', '0'),
        format('found, and dropped by the scope %s: ', docgraph.printable(constraints ->> 'dominant_scope'))
            || nullif(plan ->> 'dropped', '0'));
END
$$;

COMMENT ON FUNCTION docgraph.explain_plan(jsonb) IS
    'API, reader. A plan as a tree for people. '
    'SELECT docgraph.explain_plan(docgraph.plan_retrieval(''default'', ''{}'', seeds => ''{README.md}''));';
REVOKE ALL ON FUNCTION docgraph.explain_plan(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.explain_plan(jsonb) TO docgraph_reader;
DROP FUNCTION docgraph.plan_retrieval;
-- plan_retrieval: which documents may take part in answering a question, and why each is in: a plan, as data.
--
-- 1. Seeds: the documents named in seeds, in that order; then, if there is a query, the seed_limit documents nearest
--    to it that are not among them (as search_nodes finds them; for chunks, by a document's nearest chunk).
-- 2. dominant_scope keeps, of those found, the ones that belong to the first: ingestion, doc_type, or cluster (their
--    summaries lie within scope_distance). none keeps all.
-- 3. One step along outgoing relationships, of relation_types (NULL is all) if they are given: at most
--    expanded_per_seed documents for a seed, max_documents in all, seeds included; where that bites, the order is rank of
--    the seed, relation type, id, and "truncated" says which limit it was.
-- There is no second step, and nothing is scored. plan_documents and explain_plan show a plan.
-- Reads:      access_grants, access_classes, embedding_space, alembic_version, document_nodes,
--             document_relationships; vector_chunks only to search in chunks
-- Guarantees: read only; the same data and arguments give the same bytes by method exact, whatever is hidden from the call;
--             an id that is unknown and one that is hidden are left out alike, and counted in "omitted"
-- Errors:     22023, 42501, KG003
-- Example:    SELECT jsonb_pretty(docgraph.plan_retrieval('default', '{}', seeds => '{README.md}'));
CREATE OR REPLACE FUNCTION docgraph.plan_retrieval(
    tenant text, access jsonb, query_embedding double precision[] DEFAULT NULL, query_text text DEFAULT NULL,
    seeds text[] DEFAULT NULL, mode text DEFAULT 'semantic', search_in text DEFAULT 'summaries',
    method text DEFAULT 'auto', seed_limit integer DEFAULT 5, relation_types text[] DEFAULT NULL,
    expanded_per_seed integer DEFAULT 10, max_documents integer DEFAULT 40, dominant_scope text DEFAULT 'none',
    scope_distance numeric DEFAULT 0.35
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
BEGIN
    RETURN (docgraph.make_plan(
        tenant, access, query_embedding, query_text, seeds, mode, search_in, method, seed_limit, relation_types,
        expanded_per_seed, max_documents, dominant_scope, scope_distance)).plan;
END
$$;

COMMENT ON FUNCTION docgraph.plan_retrieval(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric
) IS
    'API, reader. Which documents may take part in an answer, and why: a plan. '
    'SELECT jsonb_pretty(docgraph.plan_retrieval(''default'', ''{}'', seeds => ''{README.md}''));';
REVOKE ALL ON FUNCTION docgraph.plan_retrieval(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.plan_retrieval(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric
) TO docgraph_reader;
DROP FUNCTION docgraph.candidate_texts;
DROP FUNCTION docgraph.search_nodes;
-- search_nodes: the documents or chunks nearest to a query: ids and ranks, no text and no score.
--
-- search_in summaries: documents, by the embedding of their summary. chunks: chunks, by theirs; a document may come
-- several times, chunk is the place in it. What has no embedding is not found.
-- method exact compares all that the call may see; approximate asks the vector index, and may miss one that is
-- nearer; auto is exact up to bound('exact_rows') visible rows. Each row says which it was.
-- mode semantic compares vectors: query_text must be NULL.
-- Reads:      access_grants, access_classes, embedding_space, document_nodes or vector_chunks
-- Guarantees: max_nodes rows, or all there are; by method exact the same rows whatever is hidden from the call, in
--             order of distance (in millionths), document, chunk
-- Errors:     22023, 42501, KG003
-- Example:    SELECT * FROM docgraph.search_nodes('default', '{}',
--                 array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));
CREATE OR REPLACE FUNCTION docgraph.search_nodes(
    tenant text, access jsonb, query_embedding double precision[] DEFAULT NULL, query_text text DEFAULT NULL,
    mode text DEFAULT 'semantic', search_in text DEFAULT 'summaries', method text DEFAULT 'auto',
    max_nodes integer DEFAULT 10
)
    RETURNS TABLE (rank integer, document_id text, chunk integer, found_by text)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    metric constant text := docgraph.check_query(mode, query_embedding, query_text);
    chosen text;
BEGIN
    PERFORM docgraph.check_search(search_in, method);
    PERFORM docgraph.check_limit('max_nodes', max_nodes, 'nodes');
    IF query_embedding IS NULL THEN
        RAISE EXCEPTION 'query_embedding must not be null in mode %', mode
            USING ERRCODE = '22023', HINT = 'Embed the question with the model that docgraph.embedding_space() names.';
    END IF;
    chosen := docgraph.choose_method(tenant, visible, search_in, method);
    RETURN QUERY
    SELECT r.place::integer, r.document_id, r.chunk, chosen
    FROM docgraph.nearest(
        tenant, visible, docgraph.query_vector(query_embedding, metric), metric, search_in, chosen, max_nodes) AS n
    CROSS JOIN LATERAL ROWS FROM (unnest(n.documents), unnest(n.chunks))
        WITH ORDINALITY AS r (document_id, chunk, place)
    ORDER BY r.place;
END
$$;

COMMENT ON FUNCTION docgraph.search_nodes(text, jsonb, double precision[], text, text, text, text, integer) IS
    'API, reader. The documents or chunks nearest to a query: ids and ranks. '
    'SELECT * FROM docgraph.search_nodes(''default'', ''{}'', '
    'array_fill(0.1::float8, ARRAY[(SELECT dimensions FROM docgraph.embedding_space())]));';
REVOKE ALL ON FUNCTION docgraph.search_nodes(text, jsonb, double precision[], text, text, text, text, integer)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.search_nodes(text, jsonb, double precision[], text, text, text, text, integer)
    TO docgraph_reader;
DROP FUNCTION docgraph.rebuild_lexical;
-- set_document_access: changes who may see documents, and nothing else of them.
--
-- attributes is an object of repository, snapshot, tags, labels, clearance; what is absent stays as it is. Both the
-- attributes that a document has and those that it gets must be held by the caller.
-- Writes:     access_classes, document_nodes; the foreign keys carry it to chunks and relationships; write_turns
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
-- Writes:     document_nodes and what hangs on it, document_relationships, write_turns
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
--             document_relationships, write_turns; statistics of tables that have begun to fill
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
    END LOOP;

    changes := to_jsonb(written);
    PERFORM docgraph.write_chunks(tenant, changes, space.metric);
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
-- configure_embedding_space: records the embedding space, types the vector columns, builds their indexes.
--
-- A database holds one space: every vector stored or asked for is of this model and has this many elements.
-- The same values again change nothing. Other values are taken as long as nothing of the old space is stored.
-- Writes:     embedding_space; alters document_nodes and vector_chunks (ACCESS EXCLUSIVE, on empty columns)
-- Guarantees: all or nothing; true if something changed; waits 5 seconds for a lock at most
-- Errors:     22023 for a value out of range, KG001 while vectors or lexical entries are stored,
--             25001 in a transaction whose snapshot is older than the call
-- Example:    SELECT docgraph.configure_embedding_space('my-model', 384, 'cosine', 'english', 100);
CREATE OR REPLACE FUNCTION docgraph.configure_embedding_space(
    model text, dimensions integer, metric text, text_search text, average_length double precision
) RETURNS boolean
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
    SET lock_timeout = '5s'
AS $$
DECLARE
    recorded record;
BEGIN
    PERFORM docgraph.check_space(model, dimensions, metric);
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
                  HINT = 'For example english or simple; \dF in psql lists them. Outside pg_catalog: schema.name.';
    END IF;
    IF (average_length BETWEEN 1 AND docgraph.bound('average_length')) IS NOT TRUE THEN
        RAISE EXCEPTION 'average_length must be from 1 to %', docgraph.bound('average_length')
            USING ERRCODE = '22023', HINT = 'Lexemes of an average chunk; 100 if unknown.';
    END IF;

    PERFORM docgraph.lock_space();
    SELECT s.model, s.dimensions, s.metric, s.text_search, s.average_length INTO recorded
    FROM docgraph.embedding_space s;
    IF recorded IS NOT DISTINCT FROM ROW (model, dimensions, metric, text_search, average_length) THEN
        RETURN false;
    END IF;

    -- Row security would hide other tenants' rows from this check, so FORCE is lifted for it, under the
    -- exclusive lock that the change of type needs anyway. An error brings it back with everything else.
    ALTER TABLE docgraph.document_nodes NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.vector_chunks NO FORCE ROW LEVEL SECURITY;
    IF EXISTS (SELECT FROM docgraph.vector_chunks c WHERE c.embedding IS NOT NULL)
        OR EXISTS (SELECT FROM docgraph.document_nodes d WHERE d.summary_embedding IS NOT NULL)
        OR EXISTS (SELECT FROM docgraph.lexical_index)
    THEN
        RAISE EXCEPTION 'what is stored belongs to another embedding space: model "%", % dimensions, metric %, '
            'text search %, average length %; not model "%", % dimensions, metric %, text search %, average length %',
            recorded.model, recorded.dimensions, recorded.metric, recorded.text_search, recorded.average_length,
            model, dimensions, metric, text_search, average_length
            USING ERRCODE = 'KG001',
                  HINT = 'To move it to another space: docgraph reembed --embedding-model ... --dimensions ...';
    END IF;
    ALTER TABLE docgraph.document_nodes FORCE ROW LEVEL SECURITY;
    ALTER TABLE docgraph.vector_chunks FORCE ROW LEVEL SECURITY;

    PERFORM docgraph.type_vectors(dimensions);
    PERFORM docgraph.index_vectors(metric);
    INSERT INTO docgraph.embedding_space AS s (model, dimensions, metric, text_search, average_length)
    VALUES (model, dimensions, metric, text_search, average_length)
    ON CONFLICT ON CONSTRAINT embedding_space_pkey DO UPDATE SET
        model = excluded.model, dimensions = excluded.dimensions, metric = excluded.metric,
        text_search = excluded.text_search, average_length = excluded.average_length;
    RETURN true;
END
$$;

COMMENT ON FUNCTION docgraph.configure_embedding_space(text, integer, text, text, double precision) IS
    'API, admin. Records the embedding space, types the vector columns and builds their indexes; true if '
    'something changed. '
    'SELECT docgraph.configure_embedding_space(''my-model'', 384, ''cosine'', ''english'', 100);';
REVOKE ALL ON FUNCTION docgraph.configure_embedding_space(text, integer, text, text, double precision)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.configure_embedding_space(text, integer, text, text, double precision)
    TO docgraph_admin;
-- api_version: the version of this set of functions, 'major.minor'.
--
-- A client works with the same major and a minor at least its own: a new function raises the minor, a change
-- that an old client would not survive raises the major.
-- Reads:      nothing
-- Errors:     none
-- Example:    SELECT docgraph.api_version();
CREATE OR REPLACE FUNCTION docgraph.api_version() RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '1.3';

COMMENT ON FUNCTION docgraph.api_version() IS
    'API, reader. Version of the functions: same major, at least the client''s minor. '
    'SELECT docgraph.api_version();';
REVOKE ALL ON FUNCTION docgraph.api_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.api_version() TO docgraph_reader;
DROP FUNCTION docgraph.node_texts;
DROP FUNCTION docgraph.sensitivity_of;
DROP FUNCTION docgraph.read_text;
DROP FUNCTION docgraph.measure_texts;
DROP FUNCTION docgraph.order_nodes;
DROP FUNCTION docgraph.check_fetching;
DROP FUNCTION docgraph.check_nodes;
DROP FUNCTION docgraph.expand_tree;
DROP FUNCTION docgraph.leads_on;
DROP FUNCTION docgraph.follow_links;
DROP FUNCTION docgraph.links_to;
DROP FUNCTION docgraph.links_from;
DROP FUNCTION docgraph.check_expansion;
DROP FUNCTION docgraph.check_seeds;
DROP FUNCTION docgraph.assemble;
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
--             show, in the order of the plan; chunks of a document in order of distance, chunk
-- Errors:     none for checked arguments
-- Example:    SELECT docgraph.assemble('default', '{1}', docgraph.plan_retrieval('default', '{}', seeds => '{a.md}'),
--                 '{a.md}', '{1}', '{"seed 1, given"}', 1, 0, '{3,4}', 'cosine', 10, 3, 0.4, 'similarity', 'tokens', 2000, 0.25);
CREATE OR REPLACE FUNCTION docgraph.assemble(
    tenant text, visible bigint[], plan jsonb, documents text[], places integer[], reasons text[], seeds integer,
    over_caps integer, query_embedding double precision[], metric text, max_chunks integer, per_document integer,
    reserve numeric, selection text, unit text, room integer, conceptual_share numeric
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
        tenant, visible, plan, documents, seeds, docgraph.query_vector(query_embedding, metric), metric,
        max_chunks, per_document, reserve, selection);

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
        SELECT c.position, c.distance, c.chosen_by, c.nth, v.*,
            CASE WHEN in_tokens THEN v.token_count ELSE char_length(v.text) END AS size
        FROM ROWS FROM (
            unnest(chosen.positions), unnest(chosen.chunks), unnest(chosen.distances), unnest(chosen.chosen_by)
        ) WITH ORDINALITY AS c (position, ordinal, distance, chosen_by, nth)
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
        SELECT t.*, 2 * t.nth - 1 = ANY (s.kept) AS has_summary, 2 * t.nth = ANY (s.kept) AS has_sections, (
            SELECT jsonb_agg(k)
            FROM (
                SELECT c.ordinal AS chunk, c.text, c.token_count AS tokens, c.section_path, c.start_offset, c.end_offset,
                    docgraph.score(c.distance, metric) AS score, c.nth AS chosen, c.chosen_by
                FROM candidates c
                WHERE c.position = t.position AND c.nth = ANY (e.kept)
                ORDER BY c.distance, c.ordinal
            ) AS k
        ) AS chunks
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
                'without_vector', chosen.without_vector, 'per_document', chosen.over_document,
                'max_chunks', chosen.over_all, 'evidence_budget', e.passed_over,
                'conceptual_budget', s.passed_over),
            'budget', jsonb_build_object(
                'unit', unit, 'limit', room, 'used', s.used + e.used, 'conceptual_limit', conceptual_room,
                'conceptual_used', s.used, 'evidence_used', e.used),
            'selection', selection, 'max_chunks', max_chunks, 'per_document', per_document,
            'reserve', trim_scale(reserve)::text, 'conceptual_share', trim_scale(conceptual_share)::text,
            'revision', jsonb_build_object(
                'plan', plan #> '{made_by,revision}', 'here', (SELECT v.version_num FROM docgraph.alembic_version v)),
            'edited', plan ? 'edited'
        )
    ) INTO found
    FROM concepts s CROSS JOIN evidence e;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.assemble(
    text, bigint[], jsonb, text[], integer[], text[], integer, integer, double precision[], text, integer, integer, numeric,
    text, text, integer, numeric
) IS 'Core. A context from a plan, within a budget, and its accounting.';
REVOKE ALL ON FUNCTION docgraph.assemble(
    text, bigint[], jsonb, text[], integer[], text[], integer, integer, double precision[], text, integer, integer, numeric,
    text, text, integer, numeric
) FROM PUBLIC;
DROP FUNCTION docgraph.choose_chunks;
-- choose_chunks: which chunks of planned documents become evidence, in the order in which they are chosen.
--
-- Candidates are the per_document nearest chunks of each document; every chunk of it is compared. selection says in which
-- order they are chosen, up to max_chunks: core functions order_by_similarity, order_by_bridge.
-- The settings, and an order that only one index gives, leave the planner no other way than that index.
-- Reads:      vector_chunks
-- Guarantees: chunks of these documents only, that the call may see and that have a vector; the lists are of one length;
--             without_vector counts those that have none, over_document and over_all what per_document and max_chunks
--             left out
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.choose_chunks('default', '{1}', docgraph.plan_retrieval('default', '{}',
--                 seeds => '{a.md}'), '{a.md,b.md}', 1, '[3,4]', 'cosine', 10, 3, 0.4, 'similarity');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.choose_chunks(
    tenant text, visible bigint[], plan jsonb, documents text[], seeds integer, query halfvec, metric text,
    max_chunks integer, per_document integer, reserve numeric, selection text, OUT positions integer[],
    OUT chunks integer[], OUT distances double precision[], OUT chosen_by text[], OUT without_vector integer,
    OUT over_document integer, OUT over_all integer
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
    near record;
    links record;
    chosen record;
BEGIN
    SELECT coalesce(array_agg(c.position ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}') AS positions,
        coalesce(array_agg(c.ordinal ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}') AS chunks,
        coalesce(array_agg(c.distance ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}') AS distances,
        coalesce(array_agg(c.place ORDER BY c.nth) FILTER (WHERE c.is_candidate), '{}') AS places,
        coalesce(sum(c.comparable) FILTER (WHERE c.place = 1), 0) AS comparable,
        coalesce(sum(c.of_document) FILTER (WHERE c.place = 1), 0) AS of_all
    INTO near
    FROM (
        SELECT p.position::integer, v.*, v.place <= per_document AND v.distance IS NOT NULL AS is_candidate,
            row_number() OVER (ORDER BY v.distance, p.document_id COLLATE "C", v.ordinal) AS nth
        FROM unnest(documents) WITH ORDINALITY AS p (document_id, position)
        CROSS JOIN LATERAL (
            SELECT d.ordinal, d.distance, count(*) OVER () AS of_document, count(d.distance) OVER () AS comparable,
                (row_number() OVER (ORDER BY d.distance, d.ordinal))::integer AS place
            FROM (
                SELECT c.ordinal, docgraph.distance(c.embedding, query, metric) AS distance
                FROM docgraph.vector_chunks c
                WHERE c.tenant_id = tenant AND c.document_id BETWEEN p.document_id AND p.document_id
                    AND c.access_class = ANY (visible)
                ORDER BY c.document_id, c.ordinal
            ) AS d
        ) AS v
        WHERE v.place <= greatest(per_document, 1)
    ) AS c;

    IF selection = 'bridge' THEN
        links := docgraph.planned_links(plan, documents, seeds);
        chosen := docgraph.order_by_bridge(
            documents, seeds, near.positions, near.distances, near.places, links.from_seeds, links.to_documents);
    ELSE
        chosen := docgraph.order_by_similarity(near.positions, near.places, seeds, max_chunks, reserve);
    END IF;
    SELECT coalesce(array_agg(near.positions[t.nth] ORDER BY t.turn), '{}'),
        coalesce(array_agg(near.chunks[t.nth] ORDER BY t.turn), '{}'),
        coalesce(array_agg(near.distances[t.nth] ORDER BY t.turn), '{}')
    INTO positions, chunks, distances
    FROM unnest(chosen.turns[:max_chunks]) WITH ORDINALITY AS t (nth, turn);
    chosen_by := chosen.chosen_by[:max_chunks];
    without_vector := near.of_all - near.comparable;
    over_document := near.comparable - cardinality(near.positions);
    over_all := cardinality(near.positions) - cardinality(positions);
END
$$;

COMMENT ON FUNCTION docgraph.choose_chunks(
    text, bigint[], jsonb, text[], integer, halfvec, text, integer, integer, numeric, text
) IS 'Core. Which chunks of planned documents become evidence, in the order in which they are chosen.';
REVOKE ALL ON FUNCTION docgraph.choose_chunks(
    text, bigint[], jsonb, text[], integer, halfvec, text, integer, integer, numeric, text
) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
DROP FUNCTION docgraph.fused_chunks;
DROP FUNCTION docgraph.worded_chunks;
DROP FUNCTION docgraph.score_documents;
DROP FUNCTION docgraph.nearest_chunks;
DROP FUNCTION docgraph.check_evidence;
-- check_evidence: refuses what evidence cannot be asked for: a query, and a way of choosing chunks.
--
-- Reads:      embedding_space
-- Guarantees: gives the metric in which the query is compared
-- Errors:     22023, KG003
-- Example:    SELECT docgraph.check_evidence('{3,4}', 10, 3, 0.4, 'similarity');
CREATE OR REPLACE FUNCTION docgraph.check_evidence(
    query_embedding double precision[], max_chunks integer, per_document integer, reserve numeric, selection text
) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    metric constant text := docgraph.check_query('semantic', query_embedding, NULL);
BEGIN
    IF metric IS NULL THEN
        RAISE EXCEPTION 'query_embedding must not be null'
            USING ERRCODE = '22023',
                  HINT = 'Chunks are chosen by their distance to it. docgraph.embedding_space() names the model.';
    END IF;
    PERFORM docgraph.check_choosing(max_chunks, per_document, reserve, selection);
    RETURN metric;
END
$$;

COMMENT ON FUNCTION docgraph.check_evidence(
    double precision[], integer, integer, numeric, text
) IS 'Core. Refuses what evidence cannot be asked for (22023, KG003); the metric of the query.';
REVOKE ALL ON FUNCTION docgraph.check_evidence(
    double precision[], integer, integer, numeric, text
) FROM PUBLIC;
DROP FUNCTION docgraph.make_plan;
-- make_plan: what API function plan_retrieval says, and what executing it at once needs to know: the classes that the call may
-- see, and what core function planned_documents would say of the plan.
--
-- Parameters as in plan_retrieval.
-- Reads:      access_grants, access_classes, embedding_space, alembic_version, document_nodes,
--             document_relationships; vector_chunks only to search in chunks
-- Guarantees: those of plan_retrieval
-- Errors:     22023, 42501, KG003
-- Example:    SELECT * FROM docgraph.make_plan('default', '{}', NULL, NULL, '{README.md}', 'semantic', 'summaries', 'auto', 5,
--                 NULL, 10, 40, 'none', 0.35);
CREATE OR REPLACE FUNCTION docgraph.make_plan(
    tenant text, access jsonb, query_embedding double precision[], query_text text, seeds text[], mode text,
    search_in text, method text, seed_limit integer, relation_types text[], expanded_per_seed integer,
    max_documents integer, dominant_scope text, scope_distance numeric, OUT plan jsonb, OUT visible bigint[],
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
    IF query_embedding IS NULL AND seeds IS NULL THEN
        RAISE EXCEPTION 'query_embedding and seeds must not both be null'
            USING ERRCODE = '22023', HINT = 'A plan begins with what is nearest to a query, with ids, or with both.';
    END IF;

    IF seeds IS NOT NULL THEN
        PERFORM docgraph.check_ids('seeds', seeds);
        given := docgraph.visible_among(tenant, visible, seeds);
    END IF;
    IF query_embedding IS NOT NULL THEN
        method := docgraph.choose_method(tenant, visible, search_in, method);
        found := docgraph.nearest_documents(
            tenant, visible, docgraph.query_vector(query_embedding, metric), metric, search_in, method, seed_limit, given);
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
            CASE WHEN query_embedding IS NULL THEN 'ids' ELSE mode END, search_in, method),
        'truncated', to_jsonb(docgraph.canonical_list(expanded.truncated
            || CASE WHEN cardinality(given) + cardinality(in_scope) > max_documents THEN '{documents}'::text[] END)),
        'omitted', coalesce(cardinality(docgraph.canonical_list(seeds)), 0) - cardinality(given),
        'dropped', cardinality(found) - cardinality(in_scope)
    );
    plan := plan || jsonb_build_object('plan_hash', docgraph.plan_hash(plan));
END
$$;

COMMENT ON FUNCTION docgraph.make_plan(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric
) IS 'Core. A plan, and the classes that the call may see.';
REVOKE ALL ON FUNCTION docgraph.make_plan(
    text, jsonb, double precision[], text, text[], text, text, text, integer, text[], integer, integer, text, numeric
) FROM PUBLIC;
-- check_plan: refuses what is no plan; whether its hash holds is not asked here.
--
-- Depth and direction are constants: a plan that claims another depth, or traversal, is none. The caps in it are not
-- compared with its lists: whoever executes it applies them anew.
-- Reads:      nothing
-- Guarantees: what passes has the keys and kinds of a plan, ranks that rise, no document twice, and reasons that
--             come from its seeds
-- Errors:     22023, naming a place such as plan.seed_documents[3].rank
-- Example:    SELECT docgraph.check_plan(docgraph.plan_retrieval('default', '{}', seeds => '{}'));
CREATE OR REPLACE FUNCTION docgraph.check_plan(plan jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    constraints constant jsonb := plan -> 'constraints';
    space constant jsonb := plan #> '{made_by,embedding_space}';
    plan_shape constant jsonb := '{
        "format": "whole!", "scope": "part!", "seed_documents": "entries!", "expanded_documents": "entries!",
        "constraints": "part!", "made_by": "part!", "truncated": "names!", "omitted": "whole!",
        "dropped": "whole!", "edited": "edited", "plan_hash": "hash!"}';
    scope_shape constant jsonb := '{"tenant": "id!", "repositories": "names?", "snapshots": "names?"}';
    constraints_shape constant jsonb := '{
        "max_relationship_depth": "whole!", "traversal_enabled": "flag!", "direction": "name!",
        "relation_types": "names?", "seed_limit": "whole!", "expanded_per_seed": "whole!", "max_documents": "whole!",
        "dominant_scope": "name!", "scope_distance": "name?"}';
    origin_shape constant jsonb := '{
        "mode": "name!", "search_in": "name?", "method": "name!", "embedding_space": "part?", "revision": "name!"}';
    space_shape constant jsonb := '{"model": "id!", "dimensions": "whole!", "metric": "name!"}';
    seed_shape constant jsonb := '{"document_id": "id!", "rank": "whole!", "origin": "origin!", "via": "list"}';
    expanded_shape constant jsonb := '{"document_id": "id!", "via": "list!"}';
    bad record;
BEGIN
    IF jsonb_typeof(plan) = 'object' AND plan ? 'format' AND (plan -> 'format')::text <> '1' THEN
        RAISE EXCEPTION 'plan.format must be 1'
            USING ERRCODE = '22023', HINT = 'The plan is of another version of docgraph: make it again.';
    END IF;
    IF NOT docgraph.have_shapes(
        ARRAY[
            jsonb_build_array(plan), jsonb_build_array(plan -> 'scope'), jsonb_build_array(constraints),
            jsonb_build_array(plan -> 'made_by'), CASE space WHEN 'null' THEN '[]' ELSE jsonb_build_array(space) END,
            CASE jsonb_typeof(plan -> 'seed_documents') WHEN 'array' THEN plan -> 'seed_documents' ELSE '[null]' END,
            CASE jsonb_typeof(plan -> 'expanded_documents') WHEN 'array' THEN plan -> 'expanded_documents' ELSE '[null]' END
        ],
        ARRAY[plan_shape, scope_shape, constraints_shape, origin_shape, space_shape, seed_shape, expanded_shape]
    ) THEN
        PERFORM docgraph.check_entries('plan', plan, NULL, plan_shape);
        PERFORM docgraph.check_entries('plan.scope', plan -> 'scope', NULL, scope_shape);
        PERFORM docgraph.check_entries('plan.constraints', constraints, NULL, constraints_shape);
        PERFORM docgraph.check_entries('plan.made_by', plan -> 'made_by', NULL, origin_shape);
        IF space <> 'null' THEN
            PERFORM docgraph.check_entries('plan.made_by.embedding_space', space, NULL, space_shape);
        END IF;
        PERFORM docgraph.check_entries('plan.seed_documents', plan -> 'seed_documents', 'entries', seed_shape);
        PERFORM docgraph.check_entries('plan.expanded_documents', plan -> 'expanded_documents', 'entries', expanded_shape);
    END IF;
    IF constraints -> 'max_relationship_depth' <> '1' OR constraints -> 'traversal_enabled' <> 'false'
        OR constraints -> 'direction' <> '"outgoing"'
    THEN
        RAISE EXCEPTION 'plan.constraints must have max_relationship_depth 1, traversal_enabled false, direction outgoing'
            USING ERRCODE = '22023', HINT = 'A plan goes one step from its seeds. No setting makes it go further.';
    END IF;

    SELECT s.i INTO bad
    FROM (
        SELECT e.i, (e.entry -> 'rank')::integer AS rank,
            lag((e.entry -> 'rank')::integer, 1, 0) OVER (ORDER BY e.i) AS before
        FROM jsonb_array_elements(plan -> 'seed_documents') WITH ORDINALITY AS e (entry, i)
    ) AS s
    WHERE s.rank <= s.before
    ORDER BY s.i
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'plan.seed_documents[%].rank must be above the rank before it, and above 0', bad.i - 1
            USING ERRCODE = '22023', HINT = 'Seeds stand in the order of their rank.';
    END IF;
    SELECT d.list, d.i INTO bad
    FROM (
        SELECT l.list, e.i, l.n,
            count(*) OVER (PARTITION BY e.entry ->> 'document_id' ORDER BY l.n, e.i) AS times
        FROM (VALUES (1, 'seed_documents'), (2, 'expanded_documents')) AS l (n, list)
        CROSS JOIN jsonb_array_elements(plan -> l.list) WITH ORDINALITY AS e (entry, i)
    ) AS d
    WHERE d.times > 1
    ORDER BY d.n, d.i
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'plan.%[%].document_id is that of an earlier document', bad.list, bad.i - 1
            USING ERRCODE = '22023', HINT = 'A document stands in a plan once.';
    END IF;
    PERFORM docgraph.check_reasons(plan);
END
$$;

COMMENT ON FUNCTION docgraph.check_plan(jsonb) IS 'Core. Refuses what is no plan (22023), naming the place.';
REVOKE ALL ON FUNCTION docgraph.check_plan(jsonb) FROM PUBLIC;
DROP FUNCTION docgraph.plan_origin;
-- plan_origin: how a plan was made, as it says it itself: mode, method, embedding space, and revision of the functions.
--
-- Reads:      embedding_space, alembic_version
-- Guarantees: for mode ids, which searches nothing, search_in and embedding_space are null and the method is exact
-- Errors:     none
-- Example:    SELECT docgraph.plan_origin('ids', NULL, NULL);
CREATE OR REPLACE FUNCTION docgraph.plan_origin(mode text, search_in text, method text) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN jsonb_build_object(
        'mode', mode,
        'search_in', CASE WHEN mode <> 'ids' THEN search_in END,
        'method', CASE WHEN mode <> 'ids' THEN method ELSE 'exact' END,
        'embedding_space', CASE WHEN mode <> 'ids' THEN (
            SELECT jsonb_build_object('model', s.model, 'dimensions', s.dimensions, 'metric', s.metric)
            FROM docgraph.embedding_space s
        ) END,
        'revision', (SELECT v.version_num FROM docgraph.alembic_version v)
    );
END
$$;

COMMENT ON FUNCTION docgraph.plan_origin(text, text, text) IS 'Core. How a plan was made, as it says it itself.';
REVOKE ALL ON FUNCTION docgraph.plan_origin(text, text, text) FROM PUBLIC;
DROP FUNCTION docgraph.rerank_by_words;
DROP FUNCTION docgraph.find_documents;
DROP FUNCTION docgraph.find_nodes;
DROP FUNCTION docgraph.fuse_ranks;
DROP FUNCTION docgraph.title_hits;
DROP FUNCTION docgraph.best_by_words;
DROP FUNCTION docgraph.exact_scores;
DROP FUNCTION docgraph.weights_text;
DROP FUNCTION docgraph.score_entries;
DROP FUNCTION docgraph.promising;
DROP FUNCTION docgraph.weigh_words;
DROP FUNCTION docgraph.question_warnings;
DROP FUNCTION docgraph.read_question;
DROP FUNCTION docgraph.nearest_beside;
DROP FUNCTION docgraph.check_reranking;
DROP FUNCTION docgraph.check_fusion;
-- check_query: refuses what can be no query: a mode, a vector or a text that do not go together.
--
-- Reads:      embedding_space
-- Guarantees: what passes in a mode that compares vectors is a vector of this database's space; gives its metric,
--             NULL where no vector is given
-- Errors:     22023, KG003 (a vector, and no embedding space to compare it in)
-- Example:    SELECT docgraph.check_query('semantic', '{3,4}', NULL);
CREATE OR REPLACE FUNCTION docgraph.check_query(mode text, query_embedding double precision[], query_text text)
    RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM docgraph.check_choice('mode', mode, ARRAY['semantic']);
    IF query_text IS NOT NULL THEN
        RAISE EXCEPTION 'query_text must be null in mode %', mode
            USING ERRCODE = '22023', HINT = 'This mode compares vectors: embed the text, and give query_embedding.';
    END IF;
    IF query_embedding IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN docgraph.check_vector('query_embedding', query_embedding);
END
$$;

COMMENT ON FUNCTION docgraph.check_query(text, double precision[], text) IS
    'Core. Refuses what can be no query (22023, KG003); the metric of its vector.';
REVOKE ALL ON FUNCTION docgraph.check_query(text, double precision[], text) FROM PUBLIC;
DROP FUNCTION docgraph.check_question;
DROP FUNCTION docgraph.check_mode;
DROP FUNCTION docgraph.index_words;
DROP FUNCTION docgraph.refuse_words;
DROP FUNCTION docgraph.read_words;
DROP FUNCTION docgraph.move_counts;
DROP FUNCTION docgraph.add_counts;
DROP FUNCTION docgraph.number_words;
DROP FUNCTION docgraph.check_text_search;
-- visible_classes: the access classes of a tenant that a call may see.
--
-- Every function that touches documents begins with it, and filters by access_class = ANY (the result):
-- the predicate is evaluated once per class, not once per row.
-- Reads:      access_grants, access_classes
-- Guarantees: sorted, never NULL
-- Errors:     as effective_access
-- Example:    SELECT docgraph.visible_classes('default', '{}');
CREATE OR REPLACE FUNCTION docgraph.visible_classes(tenant text, access jsonb) RETURNS bigint[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    held record;
BEGIN
    SELECT * INTO held FROM docgraph.effective_access(tenant, access);
    RETURN docgraph.classes_within(
        tenant, held.repositories, held.snapshots, held.tags, held.labels, held.clearance);
END
$$;

COMMENT ON FUNCTION docgraph.visible_classes(text, jsonb) IS
    'Core. The access classes that a call may see; the filter of every function that touches documents.';
REVOKE ALL ON FUNCTION docgraph.visible_classes(text, jsonb) FROM PUBLIC;
-- classes_within: the access classes of a tenant that a call may see which holds this much.
--
-- Parameters as core function effective_access gives them.
-- Reads:      access_classes
-- Guarantees: sorted, never NULL
-- Errors:     none
-- Example:    SELECT docgraph.classes_within('default', NULL, NULL, '{hr}', '{}', 0);
CREATE OR REPLACE FUNCTION docgraph.classes_within(
    tenant text, held_repositories text[], held_snapshots text[], held_tags text[], held_labels text[],
    held_clearance integer
) RETURNS bigint[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN ARRAY(
        SELECT c.access_class
        FROM docgraph.access_classes c
        WHERE c.tenant_id = tenant
            AND docgraph.may_see(
                c.repository, c.snapshot, c.tags, c.labels, c.clearance,
                held_repositories, held_snapshots, held_tags, held_labels, held_clearance
            )
        ORDER BY c.access_class
    );
END
$$;

COMMENT ON FUNCTION docgraph.classes_within(text, text[], text[], text[], text[], integer) IS
    'Core. The access classes that a call may see which holds this much.';
REVOKE ALL ON FUNCTION docgraph.classes_within(text, text[], text[], text[], text[], integer) FROM PUBLIC;
DROP FUNCTION docgraph.await_tables;
DROP INDEX docgraph.lexical_index_title_idx;
DROP INDEX docgraph.lexical_index_class_idx;
ALTER TABLE docgraph.lexical_index ALTER COLUMN weights SET STORAGE EXTERNAL, ALTER COLUMN weights SET STATISTICS -1;
DROP TABLE docgraph.lexical_counts;
-- What nobody keeps up to date any more.
TRUNCATE docgraph.lexical_index;
TRUNCATE docgraph.lexical_terms RESTART IDENTITY;
ALTER TABLE docgraph.lexical_index ALTER COLUMN lexemes SET STATISTICS -1, DROP COLUMN title;
DROP FUNCTION docgraph.text_between;
DROP FUNCTION docgraph.repeated_start;
DROP FUNCTION docgraph.any_word;
DROP FUNCTION docgraph.picked;
DROP FUNCTION docgraph.sum_rounding;
DROP FUNCTION docgraph.words_score;
DROP FUNCTION docgraph.sparse;
DROP FUNCTION docgraph.word_rarity;
DROP FUNCTION docgraph.word_weight;
DROP FUNCTION docgraph.title_words;
DROP FUNCTION docgraph.parser_name;
DROP FUNCTION docgraph.indexed_text;
DROP FUNCTION docgraph.whole_identifiers;
DROP FUNCTION docgraph.split_identifiers;
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
        WHEN 'exact_rows' THEN 50000      -- rows up to which a search by method auto is exact
    END;

COMMENT ON FUNCTION docgraph.bound(text) IS
    'Leaf. A limit by name, for example bound(''id_bytes'').';
REVOKE ALL ON FUNCTION docgraph.bound(text) FROM PUBLIC;
