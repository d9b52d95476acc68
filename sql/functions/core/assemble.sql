-- assemble: a context from a plan: what its documents are about, then the evidence, within a budget; and the accounting.
--
-- Conceptual layer: for each document its summary, then its section titles; documents of which a chunk is chosen come
-- first, in the order of the plan, then the others. It gets conceptual_share of the budget. The evidence gets what is
-- left then, in the order in which chunks are chosen (core function choose_chunks). Pieces are atomic: what does not fit
-- is passed over and counted, and the next one is tried.
-- Reads:      document_nodes, vector_chunks, alembic_version
-- Guarantees: {"plan", "context", "accounting"}; documents of the plan only, that the call may see and that have something to
--             show, in the order of the plan; chunks of a document in order of distance, chunk
-- Errors:     none for checked arguments
-- Example:    SELECT docgraph.assemble('default', '{1}', docgraph.plan_retrieval('default', '{}', seeds => '{a.md}'),
--                 '{3,4}', 'cosine', 10, 3, 0.4, 'similarity', 'tokens', 2000, 0.25);
CREATE OR REPLACE FUNCTION docgraph.assemble(
    tenant text, visible bigint[], plan jsonb, query_embedding double precision[], metric text, max_chunks integer,
    per_document integer, reserve numeric, selection text, unit text, room integer, conceptual_share numeric
) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET max_parallel_workers_per_gather = 0
    SET jit = off
AS $$
DECLARE
    in_tokens constant boolean := unit = 'tokens';
    conceptual_room constant integer := floor(room * conceptual_share);
    planned record;
    chosen record;
    found jsonb;
BEGIN
    planned := docgraph.planned_documents(plan);
    chosen := docgraph.choose_chunks(
        tenant, visible, plan, planned.documents, planned.seeds, docgraph.query_vector(query_embedding, metric), metric,
        max_chunks, per_document, reserve, selection);

    WITH there AS MATERIALIZED (
        SELECT p.position, d.*, s.sizes,
            cardinality(array_positions(chosen.positions, p.position::integer)) AS chosen,
            row_number() OVER (ORDER BY p.position = ANY (chosen.positions) DESC, p.position) AS nth
        FROM unnest(planned.documents) WITH ORDINALITY AS p (document_id, position)
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
                AND e.document_id BETWEEN planned.documents[c.position] AND planned.documents[c.position]
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
            SELECT jsonb_agg(jsonb_build_object(
                'chunk', c.ordinal, 'text', c.text, 'tokens', c.token_count, 'section_path', c.section_path,
                'start_offset', c.start_offset, 'end_offset', c.end_offset,
                'score', docgraph.score(c.distance, metric), 'chosen', c.nth, 'chosen_by', c.chosen_by
            ) ORDER BY c.distance, c.ordinal)
            FROM candidates c
            WHERE c.position = t.position AND c.nth = ANY (e.kept)
        ) AS chunks
        FROM there t
        CROSS JOIN concepts s
        CROSS JOIN evidence e
    )
    SELECT jsonb_build_object(
        'plan', plan,
        'context', jsonb_build_object('documents', coalesce((
            SELECT jsonb_agg(jsonb_build_object(
                'document_id', l.document_id, 'position', planned.places[l.position],
                'role', CASE WHEN l.position <= planned.seeds THEN 'seed' ELSE 'expanded' END,
                'why', planned.reasons[l.position], 'title', l.title, 'source', l.source, 'doc_type', l.doc_type,
                'summary', CASE WHEN l.has_summary THEN l.summary END,
                'section_titles', CASE WHEN l.has_sections THEN l.section_titles END,
                'chosen_chunks', l.chosen, 'chunks', coalesce(l.chunks, '[]')
            ) ORDER BY l.position)
            FROM layers l
            WHERE l.has_summary OR l.has_sections OR l.chunks IS NOT NULL
        ), '[]')),
        'accounting', jsonb_build_object(
            'format', 1,
            'documents', jsonb_build_object(
                'planned', cardinality(planned.documents) + planned.over_caps, 'over_caps', planned.over_caps,
                'missing', cardinality(planned.documents) - (SELECT count(*) FROM layers),
                'with_evidence', (SELECT count(l.chunks) FROM layers l)),
            'chunks', jsonb_build_object('chosen', cardinality(chosen.chunks), 'shown', cardinality(e.kept)),
            'left_out', jsonb_build_object(
                'per_document', chosen.over_document, 'max_chunks', chosen.over_all, 'evidence_budget', e.passed_over,
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
    text, bigint[], jsonb, double precision[], text, integer, integer, numeric, text, text, integer, numeric
) IS 'Core. A context from a plan, within a budget, and its accounting.';
REVOKE ALL ON FUNCTION docgraph.assemble(
    text, bigint[], jsonb, double precision[], text, integer, integer, numeric, text, text, integer, numeric
) FROM PUBLIC;
