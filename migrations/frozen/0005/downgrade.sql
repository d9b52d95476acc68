-- Back to 0004, from 0005: Evidence
DROP FUNCTION docgraph.retrieve_many;
DROP FUNCTION docgraph.retrieve;
DROP FUNCTION docgraph.retrieve_by_plan;
DROP FUNCTION docgraph.assemble_context;
DROP FUNCTION docgraph.execute_plan;
-- explain_plan: a plan as a tree for people: each seed, and what it brought in over which relationship.
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
        CASE r.role
            WHEN 'seed' THEN
                format('[%s] %s  (%s)', r."position", docgraph.printable(r.document_id), docgraph.printable(r.why))
            ELSE format('     %s -> [%s] %s', docgraph.printable(r.via), r."position", docgraph.printable(r.document_id))
        END, E'\n' ORDER BY coalesce(s."position", r."position"), s."position" NULLS FIRST, r.via COLLATE "C", r."position")
    INTO tree
    FROM planned r
    LEFT JOIN planned s ON s.document_id = r.from_document AND s.role = 'seed';
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
-- plan_documents: a plan as rows, one for each reason: who is in, in which place, and why.
--
-- A seed has one row. A document that seeds brought in has one for each relationship that leads to it: via is the
-- relation type, from_document the seed; the rows of a document have the same position.
-- Reads:      nothing
-- Guarantees: every document of the plan, in its order; nothing is looked up, so a plan says what it said when it was made
-- Errors:     22023 for what is no plan, and where the hash does not hold
-- Example:    SELECT * FROM docgraph.plan_documents(docgraph.plan_retrieval('default', '{}', seeds => '{README.md}'));
CREATE OR REPLACE FUNCTION docgraph.plan_documents(plan jsonb)
    RETURNS TABLE ("position" integer, document_id text, role text, via text, from_document text, why text)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    seeds constant jsonb := plan -> 'seed_documents';
BEGIN
    PERFORM docgraph.check_sealed(plan);
    RETURN QUERY
    SELECT s.i::integer, s.entry ->> 'document_id', 'seed', NULL, NULL,
        format('seed %s, %s', s.entry ->> 'rank',
            CASE s.entry ->> 'origin' WHEN 'search' THEN 'found by search' ELSE s.entry ->> 'origin' END)
    FROM jsonb_array_elements(seeds) WITH ORDINALITY AS s (entry, i)
    ORDER BY s.i;
    RETURN QUERY
    SELECT (jsonb_array_length(seeds) + d.i)::integer, d.entry ->> 'document_id', 'expanded',
        v.reason ->> 'relation_type', v.reason ->> 'from',
        format('%s, from seed %s', v.reason ->> 'relation_type', s.entry ->> 'rank')
    FROM jsonb_array_elements(plan -> 'expanded_documents') WITH ORDINALITY AS d (entry, i)
    CROSS JOIN jsonb_array_elements(d.entry -> 'via') WITH ORDINALITY AS v (reason, i)
    JOIN jsonb_array_elements(seeds) AS s (entry) ON s.entry -> 'document_id' = v.reason -> 'from'
    ORDER BY d.i, v.i;
END
$$;

COMMENT ON FUNCTION docgraph.plan_documents(jsonb) IS
    'API, reader. A plan as rows, one for each reason. '
    'SELECT * FROM docgraph.plan_documents(docgraph.plan_retrieval(''default'', ''{}'', seeds => ''{README.md}''));';
REVOKE ALL ON FUNCTION docgraph.plan_documents(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.plan_documents(jsonb) TO docgraph_reader;
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
DECLARE
    held record;
    visible bigint[];
    metric text;
    allowed_types text[];
    given text[] := '{}';
    found text[] := '{}';
    in_scope text[] := '{}';
    all_seeds text[];
    expanded record;
    plan jsonb;
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
    SELECT * INTO expanded
    FROM docgraph.expand_once(
        tenant, visible, all_seeds, allowed_types, expanded_per_seed, max_documents - cardinality(all_seeds));

    plan := jsonb_build_object(
        'format', 1,
        'scope', jsonb_build_object(
            'tenant', tenant, 'repositories', to_jsonb(held.repositories), 'snapshots', to_jsonb(held.snapshots)),
        'seed_documents', coalesce((
            SELECT jsonb_agg(jsonb_build_object(
                'document_id', s.document_id, 'rank', s.rank,
                'origin', CASE WHEN s.rank <= cardinality(given) THEN 'given' ELSE 'search' END
            ) ORDER BY s.rank)
            FROM unnest(all_seeds) WITH ORDINALITY AS s (document_id, rank)
        ), '[]'),
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
    RETURN plan || jsonb_build_object('plan_hash', docgraph.plan_hash(plan));
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
-- Example:    SELECT * FROM docgraph.search_nodes('default', '{}', array_fill(0.1::float8, ARRAY[384]));
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
    'SELECT * FROM docgraph.search_nodes(''default'', ''{}'', array_fill(0.1::float8, ARRAY[384]));';
REVOKE ALL ON FUNCTION docgraph.search_nodes(text, jsonb, double precision[], text, text, text, text, integer)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.search_nodes(text, jsonb, double precision[], text, text, text, text, integer)
    TO docgraph_reader;
-- api_version: the version of this set of functions, 'major.minor'.
--
-- A client works with the same major and a minor at least its own: a new function raises the minor, a change
-- that an old client would not survive raises the major.
-- Reads:      nothing
-- Errors:     none
-- Example:    SELECT docgraph.api_version();
CREATE OR REPLACE FUNCTION docgraph.api_version() RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '1.2';

COMMENT ON FUNCTION docgraph.api_version() IS
    'API, reader. Version of the functions: same major, at least the client''s minor. '
    'SELECT docgraph.api_version();';
REVOKE ALL ON FUNCTION docgraph.api_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.api_version() TO docgraph_reader;
DROP FUNCTION docgraph.assemble;
DROP FUNCTION docgraph.fit_pieces;
DROP FUNCTION docgraph.choose_chunks;
DROP FUNCTION docgraph.order_by_bridge;
DROP FUNCTION docgraph.order_by_similarity;
DROP FUNCTION docgraph.planned_links;
DROP FUNCTION docgraph.planned_documents;
DROP FUNCTION docgraph.check_budget;
DROP FUNCTION docgraph.check_evidence;
DROP FUNCTION docgraph.check_choosing;
DROP FUNCTION docgraph.check_share;
DROP FUNCTION docgraph.check_executable;
DROP FUNCTION docgraph.make_plan;
DROP FUNCTION docgraph.links_among;
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
AS $$
DECLARE
    constraints constant jsonb := plan -> 'constraints';
    bad record;
BEGIN
    IF jsonb_typeof(plan) = 'object' AND plan ? 'format' AND (plan -> 'format')::text <> '1' THEN
        RAISE EXCEPTION 'plan.format must be 1'
            USING ERRCODE = '22023', HINT = 'The plan is of another version of docgraph: make it again.';
    END IF;
    PERFORM docgraph.check_entries('plan', plan, NULL, '{
        "format": "whole!", "scope": "part!", "seed_documents": "entries!", "expanded_documents": "entries!",
        "constraints": "part!", "made_by": "part!", "truncated": "names!", "omitted": "whole!",
        "dropped": "whole!", "edited": "edited", "plan_hash": "hash!"}');
    PERFORM docgraph.check_entries('plan.scope', plan -> 'scope', NULL, '{
        "tenant": "id!", "repositories": "names?", "snapshots": "names?"}');
    PERFORM docgraph.check_entries('plan.constraints', constraints, NULL, '{
        "max_relationship_depth": "whole!", "traversal_enabled": "flag!", "direction": "name!",
        "relation_types": "names?", "seed_limit": "whole!", "expanded_per_seed": "whole!", "max_documents": "whole!",
        "dominant_scope": "name!", "scope_distance": "name?"}');
    IF constraints -> 'max_relationship_depth' <> '1' OR constraints -> 'traversal_enabled' <> 'false'
        OR constraints -> 'direction' <> '"outgoing"'
    THEN
        RAISE EXCEPTION 'plan.constraints must have max_relationship_depth 1, traversal_enabled false, direction outgoing'
            USING ERRCODE = '22023', HINT = 'A plan goes one step from its seeds. No setting makes it go further.';
    END IF;
    PERFORM docgraph.check_entries('plan.made_by', plan -> 'made_by', NULL, '{
        "mode": "name!", "search_in": "name?", "method": "name!", "embedding_space": "part?", "revision": "name!"}');
    IF plan #> '{made_by,embedding_space}' <> 'null' THEN
        PERFORM docgraph.check_entries('plan.made_by.embedding_space', plan #> '{made_by,embedding_space}', NULL,
            '{"model": "id!", "dimensions": "whole!", "metric": "name!"}');
    END IF;
    PERFORM docgraph.check_entries('plan.seed_documents', plan -> 'seed_documents', 'entries',
        '{"document_id": "id!", "rank": "whole!", "origin": "name!"}');
    PERFORM docgraph.check_entries('plan.expanded_documents', plan -> 'expanded_documents', 'entries',
        '{"document_id": "id!", "via": "list!"}');

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
-- check_reasons: refuses a plan in which a document has no reason, one reason twice, or one that is no seed's.
--
-- A part of core function check_plan, which has looked at everything around the reasons.
-- Reads:      nothing
-- Guarantees: the first bad document is named
-- Errors:     22023
-- Example:    SELECT docgraph.check_reasons('{"seed_documents": [], "expanded_documents": []}');
CREATE OR REPLACE FUNCTION docgraph.check_reasons(plan jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    seeds constant text[] := ARRAY(
        SELECT s.entry ->> 'document_id' FROM jsonb_array_elements(plan -> 'seed_documents') AS s (entry));
    bad record;
BEGIN
    SELECT format('plan.expanded_documents[%s].via', r.i - 1) AS place,
        count(r.reason) = 0 AS is_empty,
        coalesce(bool_or(NOT r.is_reason), false) AS has_another_shape,
        coalesce(bool_or(r.reason ->> 'from' <> ALL (seeds)), false) AS is_no_seeds
    INTO bad
    FROM (
        SELECT d.i, v.reason,
            CASE jsonb_typeof(v.reason)
                WHEN 'object' THEN v.reason - ARRAY['from', 'relation_type'] = '{}'
                    AND coalesce(docgraph.fits(v.reason -> 'from', 'id'), false)
                    AND coalesce(docgraph.fits(v.reason -> 'relation_type', 'id'), false)
                ELSE false
            END AS is_reason
        FROM jsonb_array_elements(plan -> 'expanded_documents') WITH ORDINALITY AS d (entry, i)
        LEFT JOIN LATERAL jsonb_array_elements(d.entry -> 'via') AS v (reason) ON true
    ) AS r
    GROUP BY r.i
    HAVING count(DISTINCT r.reason) <> greatest(count(r.reason), 1)
        OR bool_or(NOT r.is_reason) OR bool_or(r.reason ->> 'from' <> ALL (seeds))
    ORDER BY r.i
    LIMIT 1;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF bad.is_empty THEN
        RAISE EXCEPTION '% must not be empty', bad.place
            USING ERRCODE = '22023', HINT = 'It says why the document is in the plan.';
    END IF;
    IF bad.has_another_shape THEN
        RAISE EXCEPTION '% must be a list of objects with from and relation_type, both a text of 1 to % bytes',
            bad.place, docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'from is the id of a seed of the plan.';
    END IF;
    IF bad.is_no_seeds THEN
        RAISE EXCEPTION '% must come from seeds of the plan', bad.place
            USING ERRCODE = '22023', HINT = 'A plan goes one step: from a seed, never from what a seed brought in.';
    END IF;
    RAISE EXCEPTION '% has the same reason twice', bad.place
        USING ERRCODE = '22023', HINT = 'Each pair of seed and relation type stands there once.';
END
$$;

COMMENT ON FUNCTION docgraph.check_reasons(jsonb) IS
    'Core. Refuses a plan whose documents do not come from its seeds (22023).';
REVOKE ALL ON FUNCTION docgraph.check_reasons(jsonb) FROM PUBLIC;
DROP FUNCTION docgraph.expand_once;
-- expand_once: the documents that seeds bring into a plan: what they refer to, one step, and why each is in.
--
-- A seed's neighbours come in order of the first relation type that leads there, then id, and the first per_seed are
-- taken; of all that are taken the first total stay, in order of the seed that took them, then as above. Then every
-- relationship from a seed to one of these is a reason, also one that the limits had passed over.
-- Each class, and each type if types are given, is read by itself, in the order of its index, up to the limit and one
-- more: a seed with a million neighbours, visible or hidden, costs no more than one with ten. The settings, and orders
-- that only one index gives, keep the planner to that; BETWEEN a type AND itself, because after = the order would say
-- nothing. Where types are given, a document that an earlier type led to may come again: it counts once, and
-- what it keeps out of the few that are read could only have come after them.
-- There is no other step: nothing here calls it again, and what is found is never looked at as a seed.
-- Reads:      document_relationships
-- Guarantees: documents: [{"document_id", "via": [{"from", "relation_type"}]}], reasons in order of seed and type,
--             documents in order of their first reason, then id; truncated: expanded_per_seed, documents
-- Errors:     none for checked arguments: seeds that the call may see
-- Example:    SELECT * FROM docgraph.expand_once('default', '{1}', '{a.md}', NULL, 10, 39);
CREATE OR REPLACE FUNCTION docgraph.expand_once(
    tenant text, visible bigint[], seeds text[], relation_types text[], per_seed integer, total integer,
    OUT documents jsonb, OUT truncated text[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_sort = off
    SET enable_mergejoin = off
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET jit = off
AS $$
BEGIN
    WITH neighbours AS MATERIALIZED (
        SELECT s.rank, min(n.relation_type) AS relation_type, n.to_document,
            row_number() OVER (PARTITION BY s.rank ORDER BY min(n.relation_type), n.to_document) AS place
        FROM unnest(seeds) WITH ORDINALITY AS s (document_id, rank)
        -- The classes it leads to, unless it leads to more documents than there are classes.
        CROSS JOIN LATERAL (
            SELECT count(*) AS looked_at, array_agg(DISTINCT r.to_access_class) AS access_classes
            FROM (
                SELECT e.to_access_class
                FROM docgraph.document_relationships e
                WHERE e.tenant_id = tenant AND e.from_document = s.document_id
                ORDER BY e.to_access_class
                LIMIT cardinality(visible)
            ) AS r
        ) AS there
        CROSS JOIN LATERAL (
            SELECT c.access_class
            FROM unnest(CASE WHEN there.looked_at < cardinality(visible) THEN there.access_classes ELSE visible END)
                AS c (access_class)
            WHERE c.access_class = ANY (visible)
        ) AS v
        CROSS JOIN LATERAL (
            (
                SELECT e.relation_type, e.to_document
                FROM docgraph.document_relationships e
                WHERE relation_types IS NULL
                    AND e.tenant_id = tenant AND e.from_document = s.document_id
                    AND e.to_access_class = v.access_class
                    AND e.to_document <> ALL (seeds)
                    AND e.relation_type = (
                        SELECT f.relation_type
                        FROM docgraph.document_relationships f
                        WHERE f.tenant_id = tenant AND f.from_document = s.document_id
                            AND f.to_document = e.to_document
                        ORDER BY f.relation_type
                        LIMIT 1
                    )
                ORDER BY e.relation_type, e.to_document
                LIMIT per_seed + 1
            )
            UNION ALL
            SELECT t.relation_type, one.to_document
            FROM unnest(relation_types) AS t (relation_type)
            CROSS JOIN LATERAL (
                SELECT e.to_document
                FROM docgraph.document_relationships e
                WHERE e.tenant_id = tenant AND e.from_document = s.document_id
                    AND e.to_access_class = v.access_class
                    AND e.relation_type BETWEEN t.relation_type AND t.relation_type
                    AND e.to_document <> ALL (seeds)
                ORDER BY e.relation_type, e.to_document
                LIMIT per_seed + 1
            ) AS one
        ) AS n
        GROUP BY s.rank, n.to_document
    ), firsts AS (
        SELECT DISTINCT ON (n.to_document) n.to_document, n.rank, n.relation_type
        FROM neighbours n
        WHERE n.place <= per_seed
        ORDER BY n.to_document, n.rank, n.relation_type
    ), taken AS MATERIALIZED (
        SELECT f.to_document, row_number() OVER (ORDER BY f.rank, f.relation_type, f.to_document) AS place
        FROM firsts f
        ORDER BY f.rank, f.relation_type, f.to_document
        LIMIT total + 1
    ), pairs AS (
        -- Of a seed that its limit cuts short, any of the documents may be a neighbour.
        SELECT n.rank, n.to_document
        FROM neighbours n
        JOIN taken t ON t.to_document = n.to_document AND t.place <= total
        UNION
        SELECT n.rank, t.to_document
        FROM neighbours n
        CROSS JOIN taken t
        WHERE n.place = per_seed + 1 AND t.place <= total
    ), reasons AS (
        SELECT p.to_document, p.rank, e.relation_type
        FROM pairs p
        CROSS JOIN LATERAL (
            SELECT r.relation_type
            FROM docgraph.document_relationships r
            WHERE r.tenant_id = tenant AND r.from_document = seeds[p.rank] AND r.to_document = p.to_document
                AND (relation_types IS NULL OR r.relation_type = ANY (relation_types))
            ORDER BY r.relation_type
        ) AS e
    ), reached AS (
        SELECT r.to_document,
            jsonb_agg(jsonb_build_object('from', seeds[r.rank], 'relation_type', r.relation_type)
                ORDER BY r.rank, r.relation_type) AS via,
            min(r.rank) AS rank,
            (array_agg(r.relation_type ORDER BY r.rank, r.relation_type))[1] AS relation_type
        FROM reasons r
        GROUP BY r.to_document
    )
    SELECT
        coalesce((
            SELECT jsonb_agg(jsonb_build_object('document_id', d.to_document, 'via', d.via)
                ORDER BY d.rank, d.relation_type, d.to_document)
            FROM reached d
        ), '[]'),
        array_remove(ARRAY[
            CASE WHEN EXISTS (SELECT FROM taken t WHERE t.place > total) THEN 'documents' END,
            CASE WHEN EXISTS (SELECT FROM neighbours n WHERE n.place > per_seed) THEN 'expanded_per_seed' END
        ], NULL)
    INTO documents, truncated;
END
$$;

COMMENT ON FUNCTION docgraph.expand_once(text, bigint[], text[], text[], integer, integer) IS
    'Core. The documents that seeds bring into a plan: what they refer to, one step, and why each is in.';
REVOKE ALL ON FUNCTION docgraph.expand_once(text, bigint[], text[], text[], integer, integer) FROM PUBLIC;
DROP FUNCTION docgraph.first_links;
DROP FUNCTION docgraph.all_links;
-- nearest_documents: the documents nearest to a vector, by their summary or by their nearest chunk, in order.
--
-- Where a document comes several times, its first place counts, and more places are looked at until enough documents
-- are among them or there is nothing left.
-- Reads:      document_nodes or vector_chunks
-- Guarantees: wanted documents, none of them excluded, or all that can be seen and have a vector
-- Errors:     none for checked arguments
-- Example:    SELECT docgraph.nearest_documents('default', '{1}', '[3,4]', 'cosine', 'chunks', 'exact', 5, '{}');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.nearest_documents(
    tenant text, visible bigint[], query halfvec, metric text, search_in text, method text, wanted integer,
    excluded text[]
) RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    several constant integer := CASE search_in WHEN 'chunks' THEN 4 ELSE 1 END;
    places integer := several * (wanted + cardinality(excluded));
    looked_at text[];
    found text[];
BEGIN
    LOOP
        SELECT n.documents INTO looked_at
        FROM docgraph.nearest(tenant, visible, query, metric, search_in, method, places) AS n;
        found := ARRAY(
            SELECT d.document_id
            FROM unnest(looked_at) WITH ORDINALITY AS d (document_id, place)
            WHERE d.document_id <> ALL (excluded)
            GROUP BY d.document_id
            ORDER BY min(d.place)
            LIMIT wanted
        );
        EXIT WHEN cardinality(found) = wanted OR cardinality(looked_at) < places;
        places := places * 4;
    END LOOP;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.nearest_documents(text, bigint[], halfvec, text, text, text, integer, text[]) IS
    'Core. The documents nearest to a vector, by their summary or by their nearest chunk.';
REVOKE ALL ON FUNCTION docgraph.nearest_documents(text, bigint[], halfvec, text, text, text, integer, text[])
    FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
-- nearest: what lies nearest to a vector, of what a call may see, by a method: exact or approximate.
--
-- Reads:      document_nodes or vector_chunks
-- Guarantees: in order; by either method as many as asked for, or all that can be seen and have a vector; chunks is
--             NULL for summaries
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.nearest('default', '{1}', '[3,4]', 'cosine', 'summaries', 'exact', 10);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.nearest(
    tenant text, visible bigint[], query halfvec, metric text, search_in text, method text, places integer,
    OUT documents text[], OUT chunks integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF method = 'approximate' THEN
        SELECT * INTO documents, chunks
        FROM docgraph.nearest_approximately(tenant, visible, query, metric, search_in, places);
        IF cardinality(documents) = places THEN
            RETURN;
        END IF;
    END IF;
    SELECT * INTO documents, chunks FROM docgraph.nearest_exactly(tenant, visible, query, metric, search_in, places);
END
$$;

COMMENT ON FUNCTION docgraph.nearest(text, bigint[], halfvec, text, text, text, integer) IS
    'Core. What lies nearest to a vector, of what a call may see, by a method.';
REVOKE ALL ON FUNCTION docgraph.nearest(text, bigint[], halfvec, text, text, text, integer) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
-- nearest_approximately: as nearest_exactly, by the vector index: it looks at some, and may miss one that is nearer.
--
-- More candidates than asked for are read from the index, and put in the exact order. The settings leave the planner
-- no other way than the index; whoever calls has touched a vector before, or the library that knows the settings of
-- hnsw would not be loaded. It can give too few, where most of what the index finds is hidden from the call: core
-- function nearest sees to that.
-- Reads:      document_nodes or vector_chunks
-- Guarantees: the order is that of nearest_exactly; chunks is NULL for summaries
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.nearest_approximately('default', '{1}', '[3,4]', 'cosine', 'summaries', 10);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

-- Loads the library: who sets what it does not know yet may not create the function.
DO $$ BEGIN PERFORM vector_dims('[1]'::vector); END $$;

CREATE OR REPLACE FUNCTION docgraph.nearest_approximately(
    tenant text, visible bigint[], query halfvec, metric text, search_in text, places integer,
    OUT documents text[], OUT chunks integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_custom_plan
    SET max_parallel_workers_per_gather = 0
    SET jit = off
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET hnsw.iterative_scan = relaxed_order
    SET hnsw.ef_search = 40
    SET hnsw.max_scan_tuples = 20000
AS $$
DECLARE
    candidates constant integer := 20 + 2 * places;
BEGIN
    IF search_in = 'summaries' THEN
        SELECT coalesce(array_agg(n.document_id), '{}') INTO documents
        FROM (
            SELECT c.document_id
            FROM (
                SELECT d.document_id, d.summary_embedding AS embedding
                FROM docgraph.document_nodes d
                WHERE d.tenant_id = tenant AND d.access_class = ANY (visible) AND d.summary_embedding IS NOT NULL
                ORDER BY docgraph.index_distance(d.summary_embedding, query, metric)
                LIMIT candidates
            ) AS c
            ORDER BY docgraph.distance(c.embedding, query, metric), c.document_id
            LIMIT places
        ) AS n;
    ELSE
        SELECT coalesce(array_agg(n.document_id), '{}'), coalesce(array_agg(n.ordinal), '{}') INTO documents, chunks
        FROM (
            SELECT c.document_id, c.ordinal
            FROM (
                SELECT v.document_id, v.ordinal, v.embedding
                FROM docgraph.vector_chunks v
                WHERE v.tenant_id = tenant AND v.access_class = ANY (visible) AND v.embedding IS NOT NULL
                ORDER BY docgraph.index_distance(v.embedding, query, metric)
                LIMIT candidates
            ) AS c
            ORDER BY docgraph.distance(c.embedding, query, metric), c.document_id, c.ordinal
            LIMIT places
        ) AS n;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.nearest_approximately(text, bigint[], halfvec, text, text, integer) IS
    'Core. What lies near to a vector, of what a call may see, by the vector index.';
REVOKE ALL ON FUNCTION docgraph.nearest_approximately(text, bigint[], halfvec, text, text, integer) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
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
DECLARE
    space record;
BEGIN
    PERFORM docgraph.check_choice('mode', mode, ARRAY['semantic']);
    IF query_text IS NOT NULL THEN
        RAISE EXCEPTION 'query_text must be null in mode %', mode
            USING ERRCODE = '22023', HINT = 'This mode compares vectors: embed the text, and give query_embedding.';
    END IF;
    IF query_embedding IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT s.dimensions, s.metric INTO space FROM docgraph.embedding_space s;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this database has no embedding space yet'
            USING ERRCODE = 'KG003', HINT = 'An administrator records one with docgraph.configure_embedding_space.';
    END IF;
    IF NOT docgraph.is_query(query_embedding, space.dimensions, space.metric) THEN
        RAISE EXCEPTION 'query_embedding must have % elements from -60000 to 60000, and a length from 0.001 to 60000',
            space.dimensions
            USING ERRCODE = '22023',
                  HINT = 'Is it a vector of the recorded model? docgraph.embedding_space() names it.';
    END IF;
    RETURN space.metric;
END
$$;

COMMENT ON FUNCTION docgraph.check_query(text, double precision[], text) IS
    'Core. Refuses what can be no query (22023, KG003); the metric of its vector.';
REVOKE ALL ON FUNCTION docgraph.check_query(text, double precision[], text) FROM PUBLIC;
DROP FUNCTION docgraph.check_vector;
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
    WHERE CASE
        WHEN s.kind LIKE '%?' AND e.entry -> s.key = 'null' THEN false
        WHEN e.entry ? s.key THEN docgraph.fits(e.entry -> s.key, rtrim(s.kind, '!?')) IS NOT TRUE
        ELSE s.kind LIKE '%!' OR s.kind LIKE '%?'
    END
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
DROP FUNCTION docgraph.have_shapes;
DROP FUNCTION docgraph.text_size;
DROP FUNCTION docgraph.score;
DROP FUNCTION docgraph.reasons_in_words;
DROP FUNCTION docgraph.reason_of_link;
DROP FUNCTION docgraph.reason_of_seed;
-- kind_in_words: what a field of a kind must be, for error messages.
--
-- Reads:      nothing
-- Guarantees: NULL for an unknown kind only
-- Errors:     none
-- Example:    SELECT docgraph.kind_in_words('id');
CREATE OR REPLACE FUNCTION docgraph.kind_in_words(kind text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE kind
        WHEN 'id' THEN 'a text of 1 to ' || docgraph.bound('id_bytes') || ' bytes'
        WHEN 'name' THEN 'a text of at most ' || docgraph.bound('id_bytes') || ' bytes'
        WHEN 'line' THEN 'a text of at most ' || docgraph.bound('line_bytes') || ' bytes'
        WHEN 'text' THEN 'a text of at most ' || docgraph.bound('text_bytes') || ' bytes'
        WHEN 'piece' THEN 'a text of 1 to ' || docgraph.bound('text_bytes') || ' bytes'
        WHEN 'hash' THEN 'a SHA-256 in 64 lower-case hexadecimal digits'
        WHEN 'count' THEN 'a whole number from 0 to 2147483647'
        WHEN 'clearance' THEN 'a whole number from 0 to ' || docgraph.bound('clearance')
        WHEN 'names' THEN 'a list of at most ' || docgraph.bound('list_items') || ' texts of at most '
            || docgraph.bound('id_bytes') || ' bytes'
        WHEN 'ids' THEN 'a list of at most ' || docgraph.bound('names') || ' texts of 1 to '
            || docgraph.bound('id_bytes') || ' bytes'
        WHEN 'lines' THEN 'a list of at most ' || docgraph.bound('list_items') || ' texts of at most '
            || docgraph.bound('line_bytes') || ' bytes'
        WHEN 'object' THEN 'an object of at most ' || docgraph.bound('text_bytes') || ' bytes'
        WHEN 'whole' THEN 'a whole number from 0 to 2147483647, without a point'
        WHEN 'flag' THEN 'true or false'
        WHEN 'edited' THEN 'true, or left out'
        WHEN 'part' THEN 'an object'
        WHEN 'list' THEN 'a list'
        WHEN 'entries' THEN 'a list of at most ' || docgraph.bound('entries') || ' entries'
        WHEN 'chunks' THEN 'a list of at most ' || docgraph.bound('chunks') || ' chunks'
        WHEN 'references' THEN 'a list of at most ' || docgraph.bound('references') || ' relationships'
        WHEN 'embedding' THEN 'a list of numbers from -60000 to 60000, the same as a text, or "keep"'
    END;

COMMENT ON FUNCTION docgraph.kind_in_words(text) IS 'Leaf. What a field of a kind must be, in words.';
REVOKE ALL ON FUNCTION docgraph.kind_in_words(text) FROM PUBLIC;
DROP FUNCTION docgraph.field_fits;
-- fits: is this JSON value of that kind? The kinds are those of the fields of documents and plans.
--
-- Strict paths: a lax one would look through lists within lists. The size of a text is that in NFC, as it is stored.
-- BETWEEN stands last: before another AND it would come out of a dump and restore with other brackets.
-- Without a subquery, so that it inlines: it is asked for every field. Lists of texts are in fits_list.
-- Reads:      nothing
-- Guarantees: an unknown kind gives NULL
-- Errors:     none
-- Example:    SELECT docgraph.fits('"handbook/leave.md"', 'id');
CREATE OR REPLACE FUNCTION docgraph.fits(value jsonb, kind text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE kind
        WHEN 'id' THEN jsonb_typeof(value) = 'string' AND docgraph.is_id(value #>> '{}')
        WHEN 'name' THEN jsonb_typeof(value) = 'string' AND octet_length(value #>> '{}') <= docgraph.bound('id_bytes')
        WHEN 'line' THEN jsonb_typeof(value) = 'string' AND docgraph.stored_bytes(value #>> '{}') <= docgraph.bound('line_bytes')
        WHEN 'text' THEN jsonb_typeof(value) = 'string' AND docgraph.stored_bytes(value #>> '{}') <= docgraph.bound('text_bytes')
        WHEN 'piece' THEN jsonb_typeof(value) = 'string'
            AND docgraph.stored_bytes(value #>> '{}') BETWEEN 1 AND docgraph.bound('text_bytes')
        WHEN 'hash' THEN jsonb_typeof(value) = 'string' AND (value #>> '{}') ~ '^[0-9a-f]{64}$'
        WHEN 'count' THEN CASE jsonb_typeof(value)
            WHEN 'number' THEN (value #>> '{}')::numeric = trunc((value #>> '{}')::numeric)
                AND (value #>> '{}')::numeric BETWEEN 0 AND 2147483647
            ELSE false
        END
        WHEN 'clearance' THEN CASE jsonb_typeof(value)
            WHEN 'number' THEN (value #>> '{}')::numeric = trunc((value #>> '{}')::numeric)
                AND (value #>> '{}')::numeric BETWEEN 0 AND docgraph.bound('clearance')
            ELSE false
        END
        WHEN 'names' THEN docgraph.fits_list(value, kind)
        WHEN 'ids' THEN docgraph.fits_list(value, kind)
        WHEN 'lines' THEN docgraph.fits_list(value, kind)
        WHEN 'object' THEN jsonb_typeof(value) = 'object' AND octet_length(value::text) <= docgraph.bound('text_bytes')
        WHEN 'whole' THEN CASE
            WHEN jsonb_typeof(value) = 'number' AND value::text ~ '^[0-9]{1,10}$' THEN value::text::bigint <= 2147483647
            ELSE false
        END
        WHEN 'flag' THEN jsonb_typeof(value) = 'boolean'
        WHEN 'edited' THEN value = 'true'
        WHEN 'part' THEN jsonb_typeof(value) = 'object'
        WHEN 'list' THEN jsonb_typeof(value) = 'array'
        WHEN 'entries' THEN jsonb_typeof(value) = 'array' AND jsonb_array_length(value) <= docgraph.bound('entries')
        WHEN 'chunks' THEN jsonb_typeof(value) = 'array' AND jsonb_array_length(value) <= docgraph.bound('chunks')
        WHEN 'references' THEN jsonb_typeof(value) = 'array'
            AND jsonb_array_length(value) <= docgraph.bound('references')
        -- Five digits before the point and no positive exponent: pgvector can read whatever passes.
        WHEN 'embedding' THEN value = '"keep"'::jsonb OR coalesce(
            docgraph.vector_text(value)
                ~ '^\[ ?-?[0-9]{1,5}(\.[0-9]+)?([eE]-[0-9]{1,5})?(, ?-?[0-9]{1,5}(\.[0-9]+)?([eE]-[0-9]{1,5})?)* ?\]$', false)
    END;

COMMENT ON FUNCTION docgraph.fits(jsonb, text) IS
    'Leaf. Is a JSON value of a kind of field that documents and plans have?';
REVOKE ALL ON FUNCTION docgraph.fits(jsonb, text) FROM PUBLIC;
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
        WHEN 'exact_rows' THEN 50000      -- rows up to which a search by method auto is exact
    END;

COMMENT ON FUNCTION docgraph.bound(text) IS
    'Leaf. A limit by name, for example bound(''id_bytes'').';
REVOKE ALL ON FUNCTION docgraph.bound(text) FROM PUBLIC;
