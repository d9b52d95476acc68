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
-- Reads:      document_nodes, vector_chunks, alembic_version; for words what core function choose_chunks reads
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
        -- One that is not to be seen keeps its place, as no piece.
        LEFT JOIN LATERAL (
            SELECT e.ordinal, e.text, e.token_count, e.section_path, e.start_offset, e.end_offset
            FROM docgraph.vector_chunks e
            WHERE e.tenant_id = tenant
                AND e.document_id BETWEEN documents[c.position] AND documents[c.position]
                AND e.ordinal BETWEEN c.ordinal AND c.ordinal AND e.access_class = ANY (visible)
            ORDER BY e.document_id, e.ordinal
        ) AS v ON true
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
