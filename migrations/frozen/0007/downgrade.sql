-- Back to 0006, from 0007: Bridges by words
-- All at once, in the order in which those who write take them: a writer is waited for, or waits, and nobody is in the way
-- of the other.
LOCK TABLE docgraph.document_nodes, docgraph.lexical_index IN ACCESS EXCLUSIVE MODE;
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
        SELECT t.*, 2 * t.nth - 1 = ANY (s.kept) AS has_summary, 2 * t.nth = ANY (s.kept) AS has_sections, (
            SELECT jsonb_agg(k)
            FROM (
                SELECT c.ordinal AS chunk, c.text, c.token_count AS tokens, c.section_path, c.start_offset, c.end_offset,
                    c.score, c.nth AS chosen, c.chosen_by
                FROM candidates c
                WHERE c.position = t.position AND c.nth = ANY (e.kept)
                ORDER BY c.place
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
-- choose_chunks: which chunks of planned documents become evidence, in the order in which they are chosen.
--
-- Candidates are the per_document best chunks of each document: by meaning, by words or by both, as chunk_mode says. selection
-- says in which order they are chosen, up to max_chunks: core functions order_by_similarity, order_by_bridge.
-- Reads:      vector_chunks; for words what core function worded_chunks reads
-- Guarantees: chunks of these documents only, that the call may see; the lists are of one length; places say in which order
--             they fit the question; unranked counts those that the mode gives no place (semantic: no vector; bm25: none of the
--             words; hybrid: neither), over_document and over_all what per_document and max_chunks left out
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.choose_chunks('default', '{1}', docgraph.plan_retrieval('default', '{}',
--                 seeds => '{a.md}'), '{a.md,b.md}', 1, '[3,4]', 'cosine', NULL, 'semantic', 60, 10, 3, 0.4, 'similarity');
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.choose_chunks(
    tenant text, visible bigint[], plan jsonb, documents text[], seeds integer, query halfvec, metric text, question text,
    chunk_mode text, rrf_k integer, max_chunks integer, per_document integer, reserve numeric, selection text,
    OUT positions integer[], OUT chunks integer[], OUT places integer[], OUT scores double precision[],
    OUT chosen_by text[], OUT unranked integer, OUT over_document integer, OUT over_all integer
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    found record;
    links record;
    chosen record;
BEGIN
    CASE chunk_mode
        WHEN 'semantic' THEN
            found := docgraph.nearest_chunks(tenant, visible, documents, query, metric, per_document);
        WHEN 'bm25' THEN
            found := docgraph.worded_chunks(tenant, visible, documents, question, per_document, false);
        WHEN 'hybrid' THEN
            found := docgraph.fused_chunks(
                tenant, visible, documents, query, metric, question, rrf_k, per_document);
    END CASE;
    IF selection = 'bridge' THEN
        links := docgraph.planned_links(plan, documents, seeds);
        chosen := docgraph.order_by_bridge(
            documents, seeds, found.positions, found.distances, found.places, links.from_seeds, links.to_documents);
    ELSE
        chosen := docgraph.order_by_similarity(found.positions, found.places, seeds, max_chunks, reserve);
    END IF;
    places := chosen.turns[:max_chunks];
    SELECT coalesce(array_agg(found.positions[t.nth] ORDER BY t.turn), '{}'),
        coalesce(array_agg(found.chunks[t.nth] ORDER BY t.turn), '{}'),
        coalesce(array_agg(found.scores[t.nth] ORDER BY t.turn), '{}')
    INTO positions, chunks, scores
    FROM unnest(places) WITH ORDINALITY AS t (nth, turn);
    chosen_by := chosen.chosen_by[:max_chunks];
    unranked := found.of_all - found.ranked;
    over_document := found.ranked - cardinality(found.positions);
    over_all := cardinality(found.positions) - cardinality(positions);
END
$$;

COMMENT ON FUNCTION docgraph.choose_chunks(
    text, bigint[], jsonb, text[], integer, halfvec, text, text, text, integer, integer, integer, numeric, text
) IS 'Core. Which chunks of planned documents become evidence, in the order in which they are chosen.';
REVOKE ALL ON FUNCTION docgraph.choose_chunks(
    text, bigint[], jsonb, text[], integer, halfvec, text, text, text, integer, integer, integer, numeric, text
) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
-- fused_chunks: the chunks of planned documents that fit a question best by words and meaning, per_document of each document.
--
-- Two lists are fused by their ranks: what core functions nearest_chunks and worded_chunks give, so that every document is in
-- them with its best chunks, however many another one has.
-- Reads:      what they read
-- Guarantees: as they give it, in order of the fusion; distances are places in it; ranked counts the chunks that have a vector or
--             one of the words
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.fused_chunks('default', '{1}', '{a.md,b.md}', '[3,4]', 'cosine', 'parental leave', 60, 3);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.fused_chunks(
    tenant text, visible bigint[], documents text[], query halfvec, metric text, question text, rrf_k integer,
    per_document integer, OUT positions integer[], OUT chunks integer[], OUT places integer[],
    OUT distances double precision[], OUT scores double precision[], OUT ranked integer, OUT of_all integer
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    by_meaning record;
    by_words record;
    fused record;
BEGIN
    by_meaning := docgraph.nearest_chunks(tenant, visible, documents, query, metric, per_document);
    by_words := docgraph.worded_chunks(tenant, visible, documents, question, per_document, true);
    fused := docgraph.fuse_ranks(
        docgraph.picked(documents, by_meaning.positions), by_meaning.chunks,
        docgraph.picked(documents, by_words.positions), by_words.chunks, NULL, rrf_k);
    ranked := by_words.ranked;
    of_all := by_words.of_all;
    SELECT coalesce(array_agg(l.position ORDER BY l.nth), '{}'), coalesce(array_agg(l.chunk ORDER BY l.nth), '{}'),
        coalesce(array_agg(l.place ORDER BY l.nth), '{}'), coalesce(array_agg(l.nth ORDER BY l.nth), '{}'),
        coalesce(array_agg(l.score ORDER BY l.nth), '{}')
    INTO positions, chunks, places, distances, scores
    FROM (
        SELECT p.position::integer, f.chunk, f.score, f.nth,
            (row_number() OVER (PARTITION BY p.position ORDER BY f.nth))::integer AS place
        FROM ROWS FROM (unnest(fused.documents), unnest(fused.chunks), unnest(fused.scores))
            WITH ORDINALITY AS f (document_id, chunk, score, nth)
        JOIN unnest(documents) WITH ORDINALITY AS p (document_id, position) ON p.document_id = f.document_id
    ) AS l
    WHERE l.place <= per_document;
END
$$;

COMMENT ON FUNCTION docgraph.fused_chunks(text, bigint[], text[], halfvec, text, text, integer, integer) IS
    'Core. The chunks of planned documents that fit a question best by words and meaning.';
REVOKE ALL ON FUNCTION docgraph.fused_chunks(text, bigint[], text[], halfvec, text, text, integer, integer) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
DROP FUNCTION docgraph.words_of_chunks;
DROP FUNCTION docgraph.order_by_bridge;
-- order_by_bridge: in which order candidates are chosen where a linked document shares the rank of its seed.
--
-- Candidates stand in order of distance, as for order_by_similarity; seed n leads to the document at position m where
-- a pair of from_seeds and to_documents says so.
-- Seeds keep their order: a seed's place is the better of its rank in the plan and its rank by nearest chunk, so the
-- plan's first stays first, and no chunk of a seed passes the nearest chunk of a seed before it. A linked chunk stands as
-- many places behind its seed's nearest chunk as its place among all that the seed leads to: the nearest one place behind,
-- the second two. Of several seeds the one that brings it furthest forward counts. At equal places seeds come first,
-- then the nearer.
-- Integers only: no distance is weighed against a link.
-- Reads:      nothing
-- Guarantees: turns are places among the candidates, each once; chosen_by says behind which seed a linked chunk stands
-- Errors:     none
-- Example:    SELECT * FROM docgraph.order_by_bridge('{a.md,b.md}', 1, '{1,1,2}', '{1,2,3}', '{1,2,1}', '{1}', '{2}');
CREATE OR REPLACE FUNCTION docgraph.order_by_bridge(
    documents text[], seeds integer, positions integer[], distances double precision[], places integer[],
    from_seeds integer[], to_documents integer[], OUT turns integer[], OUT chosen_by text[]
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH candidates AS MATERIALIZED (
        SELECT c.position, c.distance, c.place, c.nth
        FROM ROWS FROM (unnest(positions), unnest(distances), unnest(places))
            WITH ORDINALITY AS c (position, distance, place, nth)
    ), ranked AS (
        SELECT c.position, c.distance, row_number() OVER (ORDER BY c.position) AS by_plan,
            row_number() OVER (ORDER BY c.distance, c.position) AS by_distance
        FROM candidates c
        WHERE c.position <= seeds AND c.place = 1
    ), placed AS (
        SELECT r.position, r.distance,
            row_number() OVER (ORDER BY least(r.by_plan, r.by_distance), r.by_plan) AS place
        FROM ranked r
    ), held AS (
        SELECT p.position, p.place, max(p.distance) OVER (ORDER BY p.place) AS distance
        FROM placed p
    ), of_seeds AS MATERIALIZED (
        SELECT c.nth, c.position, c.place AS of_document,
            row_number() OVER (ORDER BY greatest(c.distance, h.distance), h.place, c.nth) AS place
        FROM candidates c
        JOIN held h ON h.position = c.position
    ), behind AS (
        SELECT c.nth, l.seed, row_number() OVER (PARTITION BY l.seed ORDER BY c.nth) AS steps
        FROM ROWS FROM (unnest(from_seeds), unnest(to_documents)) AS l (seed, position)
        JOIN candidates c ON c.position = l.position
    ), of_linked AS (
        SELECT DISTINCT ON (b.nth) b.nth, b.seed, b.steps, coalesce(s.place, b.seed) + b.steps AS place
        FROM behind b
        LEFT JOIN of_seeds s ON s.position = b.seed AND s.of_document = 1
        ORDER BY b.nth, coalesce(s.place, b.seed) + b.steps, b.seed
    )
    SELECT coalesce(array_agg(o.nth ORDER BY o.place, o.is_linked, o.nth), '{}'),
        coalesce(array_agg(o.chosen_by ORDER BY o.place, o.is_linked, o.nth), '{}')
    INTO turns, chosen_by
    FROM (
        SELECT s.nth, s.place, false AS is_linked, 'similarity' AS chosen_by
        FROM of_seeds s
        UNION ALL
        SELECT b.nth, b.place, true, format('bridge, %s behind %s', b.steps, documents[b.seed])
        FROM of_linked b
    ) AS o;
END
$$;

COMMENT ON FUNCTION docgraph.order_by_bridge(
    text[], integer, integer[], double precision[], integer[], integer[], integer[]
) IS 'Core. In which order candidates are chosen where a linked document shares the rank of its seed.';
REVOKE ALL ON FUNCTION docgraph.order_by_bridge(
    text[], integer, integer[], double precision[], integer[], integer[], integer[]
) FROM PUBLIC;
-- planned_links: which seed of a plan leads to which of its documents, as positions in documents.
--
-- documents and seeds as core function planned_documents gives them.
-- Reads:      nothing
-- Guarantees: from_seeds and to_documents are of one length; each pair once
-- Errors:     none for a checked plan
-- Example:    SELECT * FROM docgraph.planned_links(docgraph.plan_retrieval('default', '{}', seeds => '{a.md}'),
--                 '{a.md,b.md}', 1);
CREATE OR REPLACE FUNCTION docgraph.planned_links(
    plan jsonb, documents text[], seeds integer, OUT from_seeds integer[], OUT to_documents integer[]
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH places AS MATERIALIZED (
        SELECT d.document_id, d.place::integer AS place
        FROM unnest(documents) WITH ORDINALITY AS d (document_id, place)
    )
    SELECT array_agg(l.seed), array_agg(l.document) INTO from_seeds, to_documents
    FROM (
        SELECT DISTINCT s.place AS seed, d.place AS document
        FROM jsonb_array_elements(plan -> 'expanded_documents') AS e (entry)
        CROSS JOIN jsonb_array_elements(e.entry -> 'via') AS v (reason)
        JOIN places s ON s.document_id = v.reason ->> 'from' AND s.place <= seeds
        JOIN places d ON d.document_id = e.entry ->> 'document_id'
    ) AS l;
END
$$;

COMMENT ON FUNCTION docgraph.planned_links(jsonb, text[], integer) IS
    'Core. Which seed of a plan leads to which of its documents.';
REVOKE ALL ON FUNCTION docgraph.planned_links(jsonb, text[], integer) FROM PUBLIC;
-- title_hits: the documents whose title stands in a question, longest title first, then by id.
--
-- Word by word, whatever their case and the signs between them; a title of more than bound('title_words') words is not
-- looked for. Every row of words of the question is looked up in the index of titles.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      lexical_index, document_nodes
-- Guarantees: wanted documents at most, visible ones, none of them excluded
-- Errors:     none
-- Example:    SELECT docgraph.title_hits('default', '{1}', 'What does Parental leave say?', 10, '{}');
CREATE OR REPLACE FUNCTION docgraph.title_hits(
    tenant text, visible bigint[], question text, wanted integer, excluded text[]
) RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
    SET max_parallel_workers_per_gather = 0
AS $$
DECLARE
    words constant text[] := string_to_array(docgraph.title_words(normalize(question)), ' ');
    titles constant text[] := ARRAY(
        SELECT DISTINCT array_to_string(words[f.first:l.last], ' ')
        FROM generate_series(1, cardinality(words)) AS f (first)
        CROSS JOIN LATERAL generate_series(
            f.first, least(f.first + docgraph.bound('title_words') - 1, cardinality(words))) AS l (last)
    );
BEGIN
    RETURN ARRAY(
        SELECT d.document_id
        FROM unnest(titles) AS t (title)
        CROSS JOIN LATERAL (
            SELECT l.document_id, l.access_class
            FROM docgraph.lexical_index l
            WHERE l.tenant_id = tenant AND l.title BETWEEN t.title AND t.title AND l.title IS NOT NULL
                AND l.access_class = ANY (visible) AND l.document_id <> ALL (excluded)
            ORDER BY l.title
        ) AS i
        CROSS JOIN LATERAL (
            SELECT n.document_id
            FROM docgraph.document_nodes n
            WHERE n.tenant_id = tenant AND n.document_id BETWEEN i.document_id AND i.document_id
                AND n.access_class = i.access_class
            ORDER BY n.document_id
        ) AS d
        ORDER BY length(t.title) DESC, d.document_id
        LIMIT wanted
    );
END
$$;

COMMENT ON FUNCTION docgraph.title_hits(text, bigint[], text, integer, text[]) IS
    'Core. The documents whose title stands in a question, longest title first.';
REVOKE ALL ON FUNCTION docgraph.title_hits(text, bigint[], text, integer, text[]) FROM PUBLIC;
-- exact_scores: the BM25 scores of some entries of the lexical index, best first.
--
-- Word by word in the order given, in double precision, so that neither the numbers of words nor the order of rows can
-- move a digit. What the call may not see has no score, whatever brought it here: this is the join to the table behind row
-- security by which entries of the lexical index, which has none, reach a result.
-- The settings, and an order that only one index gives, leave the planner no other way than that index, however little
-- it knows of the tables; BETWEEN a value AND itself, because after = the order would say nothing.
-- Reads:      document_nodes, lexical_index
-- Guarantees: six digits; in order of score, document, ordinal; what has none of the words scores 0
-- Errors:     none
-- Example:    SELECT docgraph.exact_scores('default', '{1}', '{a.md}', '{0}', '{7}', '{6.2}', 10);
CREATE OR REPLACE FUNCTION docgraph.exact_scores(
    tenant text, visible bigint[], among text[], among_ordinals integer[], numbers integer[], worths double precision[],
    places integer, OUT documents text[], OUT ordinals integer[], OUT scores double precision[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
    SET max_parallel_workers_per_gather = 0
AS $$
BEGIN
    SELECT coalesce(array_agg(s.document_id), '{}'), coalesce(array_agg(s.ordinal), '{}'), coalesce(array_agg(s.score), '{}')
    INTO documents, ordinals, scores
    FROM (
        SELECT e.document_id, e.ordinal, round(1000000 * e.score) / 1000000 AS score
        FROM (
            SELECT i.document_id, i.ordinal, (
                SELECT coalesce(
                    sum(q.worth * docgraph.words_score(i.weights, docgraph.sparse(q.number || ':1')) ORDER BY q.place), 0)
                FROM ROWS FROM (unnest(numbers), unnest(worths)) WITH ORDINALITY AS q (number, worth, place)
            ) AS score
            FROM ROWS FROM (unnest(among), unnest(among_ordinals)) AS f (document_id, ordinal)
            CROSS JOIN LATERAL (
                SELECT n.document_id, n.access_class
                FROM docgraph.document_nodes n
                WHERE n.tenant_id = tenant AND n.document_id BETWEEN f.document_id AND f.document_id
                    AND n.access_class = ANY (visible)
                ORDER BY n.document_id
            ) AS d
            CROSS JOIN LATERAL (
                SELECT l.document_id, l.ordinal, l.weights
                FROM docgraph.lexical_index l
                WHERE l.tenant_id = tenant AND l.document_id BETWEEN d.document_id AND d.document_id
                    AND l.ordinal BETWEEN f.ordinal AND f.ordinal AND l.access_class = d.access_class
                ORDER BY l.document_id, l.ordinal
            ) AS i
        ) AS e
        ORDER BY 3 DESC, e.document_id, e.ordinal
        LIMIT places
    ) AS s;
END
$$;

COMMENT ON FUNCTION docgraph.exact_scores(text, bigint[], text[], integer[], integer[], double precision[], integer) IS
    'Core. The BM25 scores of some entries of the lexical index, best first.';
REVOKE ALL ON FUNCTION docgraph.exact_scores(text, bigint[], text[], integer[], integer[], double precision[], integer)
    FROM PUBLIC;
-- check_fusion: refuses what can be no way of fusing ranks.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_fusion('hybrid', 'summaries', 60, true);
CREATE OR REPLACE FUNCTION docgraph.check_fusion(mode text, search_in text, rrf_k integer, title_hits boolean)
    RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF (rrf_k BETWEEN 1 AND docgraph.bound('rrf_k')) IS NOT TRUE THEN
        RAISE EXCEPTION 'rrf_k must be from 1 to %', docgraph.bound('rrf_k')
            USING ERRCODE = '22023', HINT = '60 is usual: the lower, the more the first places of a list count.';
    END IF;
    IF title_hits IS NULL THEN
        RAISE EXCEPTION 'title_hits must be true or false'
            USING ERRCODE = '22023', HINT = 'Leave it out for false.';
    END IF;
    IF title_hits AND (mode <> 'hybrid' OR search_in <> 'summaries') THEN
        RAISE EXCEPTION 'title_hits must be false but for mode hybrid in summaries'
            USING ERRCODE = '22023', HINT = 'It is a third list of documents to fuse.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_fusion(text, text, integer, boolean) IS
    'Core. Refuses what can be no way of fusing ranks (22023).';
REVOKE ALL ON FUNCTION docgraph.check_fusion(text, text, integer, boolean) FROM PUBLIC;
-- read_words: what the lexical index should have of documents, where it has something else.
--
-- One place in the lists for each entry that is new, changed or gone: a chunk by its ordinal, a document's title and
-- summary as -1. was and lexemes are NULL where there was or shall be none. Among the entries that are read are those of
-- chunks that have not changed: what a text has for words is only known by reading it.
-- Reads:      embedding_space, document_nodes, vector_chunks, lexical_index
-- Guarantees: in order of document and ordinal
-- Errors:     54000 of PostgreSQL for a text whose words do not fit into a tsvector
-- Example:    SELECT docgraph.read_words('default', '{a.md}');
CREATE OR REPLACE FUNCTION docgraph.read_words(
    tenant text, ids text[], OUT documents text[], OUT ordinals integer[], OUT classes bigint[], OUT titles text[],
    OUT lexemes tsvector[], OUT was tsvector[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_nestloop = off
    SET jit = off
AS $$
DECLARE
    text_search constant text := (SELECT s.text_search FROM docgraph.embedding_space s);
    configuration constant regconfig := docgraph.parser_name(text_search);
BEGIN
    SELECT array_agg(c.document_id), array_agg(c.ordinal), array_agg(c.access_class), array_agg(c.title),
        array_agg(c.lexemes), array_agg(c.was)
    INTO documents, ordinals, classes, titles, lexemes, was
    FROM (
        SELECT coalesce(g.document_id, i.document_id) AS document_id, coalesce(g.ordinal, i.ordinal) AS ordinal,
            coalesce(g.access_class, i.access_class) AS access_class, g.title, g.lexemes, i.lexemes AS was
        FROM (
            SELECT v.document_id, v.ordinal, v.access_class, NULL AS title,
                to_tsvector(configuration, docgraph.indexed_text(v.text, text_search)) AS lexemes
            FROM docgraph.vector_chunks v
            WHERE v.tenant_id = tenant AND v.document_id = ANY (ids)
            UNION ALL
            SELECT d.document_id, -1, d.access_class,
                CASE
                    WHEN octet_length(t.words) <= docgraph.bound('id_bytes')
                        AND cardinality(string_to_array(t.words, ' ')) <= docgraph.bound('title_words')
                    THEN t.words
                END,
                to_tsvector(configuration, docgraph.indexed_text(concat_ws(E'\n', d.title, d.summary), text_search))
            FROM docgraph.document_nodes d
            CROSS JOIN LATERAL (SELECT docgraph.title_words(d.title) AS words) AS t
            WHERE d.tenant_id = tenant AND d.document_id = ANY (ids)
        ) AS g
        FULL JOIN (
            SELECT l.document_id, l.ordinal, l.access_class, l.title, l.lexemes
            FROM docgraph.lexical_index l
            WHERE l.tenant_id = tenant AND l.document_id = ANY (ids)
        ) AS i ON i.document_id = g.document_id AND i.ordinal = g.ordinal
        WHERE g.lexemes IS DISTINCT FROM i.lexemes OR g.title IS DISTINCT FROM i.title
        ORDER BY 1, 2
    ) AS c;
END
$$;

COMMENT ON FUNCTION docgraph.read_words(text, text[]) IS
    'Core. What the lexical index should have of documents, where it has something else.';
REVOKE ALL ON FUNCTION docgraph.read_words(text, text[]) FROM PUBLIC;
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
DROP FUNCTION docgraph.title_key;
-- Titles as they are.
-- Every tenant's rows, also those that row security would hide from this login.
ALTER TABLE docgraph.document_nodes NO FORCE ROW LEVEL SECURITY;
UPDATE docgraph.lexical_index i
SET title = CASE
    WHEN octet_length(t.words) <= docgraph.bound('id_bytes')
        AND cardinality(string_to_array(t.words, ' ')) <= docgraph.bound('title_words')
    THEN t.words
END
FROM docgraph.document_nodes d
CROSS JOIN LATERAL (SELECT docgraph.title_words(d.title) AS words) AS t
WHERE d.title ~ '\)\s*$' AND i.tenant_id = d.tenant_id AND i.document_id = d.document_id AND i.ordinal = -1
    AND i.title IS DISTINCT FROM t.words;
ALTER TABLE docgraph.document_nodes FORCE ROW LEVEL SECURITY;
