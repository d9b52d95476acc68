-- Back to 0004, from 0005: Evidence
DROP FUNCTION docgraph.retrieve_many;
DROP FUNCTION docgraph.retrieve;
DROP FUNCTION docgraph.retrieve_by_plan;
DROP FUNCTION docgraph.assemble_context;
DROP FUNCTION docgraph.execute_plan;
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
DROP FUNCTION docgraph.check_share;
DROP FUNCTION docgraph.check_executable;
DROP FUNCTION docgraph.make_plan;
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
DROP FUNCTION docgraph.text_size;
DROP FUNCTION docgraph.score;
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
