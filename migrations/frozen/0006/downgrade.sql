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
DROP FUNCTION docgraph.score_entries;
DROP FUNCTION docgraph.promising;
DROP FUNCTION docgraph.weigh_words;
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
DROP FUNCTION docgraph.index_words;
DROP FUNCTION docgraph.refuse_words;
DROP FUNCTION docgraph.read_words;
DROP FUNCTION docgraph.move_counts;
DROP FUNCTION docgraph.add_counts;
DROP FUNCTION docgraph.number_words;
DROP FUNCTION docgraph.check_text_search;
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
