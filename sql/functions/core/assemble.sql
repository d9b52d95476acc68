-- assemble: a context from a plan: what its documents are about, then the evidence, within a budget; and the accounting.
--
-- Conceptual layer: for each document its summary, then its section titles; documents of which a chunk is chosen come
-- first, in the order of the plan, then the others. It gets conceptual_share of the budget. The evidence gets what is
-- left then, in the order in which chunks are chosen (core function choose_chunks). Pieces are atomic: what does not fit
-- is passed over and counted, and the next one is tried.
-- Reads:      document_nodes, vector_chunks, alembic_version
-- Guarantees: {"context", "accounting"}; documents of the plan only, that the call may see and that have something to
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
    SELECT * INTO planned FROM docgraph.planned_documents(plan);
    SELECT * INTO chosen
    FROM docgraph.choose_chunks(
        tenant, visible, planned.documents, planned.seeds, docgraph.query_vector(query_embedding, metric), metric,
        max_chunks, per_document, reserve);

    WITH there AS MATERIALIZED (
        SELECT p.position, d.document_id, d.title, d.source, d.doc_type, d.summary, d.section_titles
        FROM unnest(planned.documents) WITH ORDINALITY AS p (document_id, position)
        CROSS JOIN LATERAL (
            SELECT n.*
            FROM docgraph.document_nodes n
            WHERE n.tenant_id = tenant AND n.document_id BETWEEN p.document_id AND p.document_id
                AND n.access_class = ANY (visible)
            ORDER BY n.document_id
        ) AS d
    ), pieces AS MATERIALIZED (
        SELECT t.position, k.part,
            CASE WHEN in_tokens THEN docgraph.estimated_tokens(k.content) ELSE char_length(k.content) END AS size,
            row_number() OVER (ORDER BY t.position = ANY (chosen.positions) DESC, t.position, k.part) AS nth
        FROM there t
        CROSS JOIN LATERAL (VALUES (1, t.summary), (2, array_to_string(t.section_titles, E'\n'))) AS k (part, content)
        WHERE k.content <> ''
    ), concepts AS MATERIALIZED (
        SELECT f.kept, f.used
        FROM docgraph.fit_pieces((SELECT array_agg(p.size ORDER BY p.nth) FROM pieces p), conceptual_room) AS f
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
                AND e.ordinal = c.ordinal
            ORDER BY e.document_id
        ) AS v
    ), evidence AS MATERIALIZED (
        SELECT f.kept, f.used
        FROM docgraph.fit_pieces(
            (SELECT array_agg(c.size ORDER BY c.nth) FROM candidates c), room - (SELECT s.used FROM concepts s)) AS f
    ), shown AS (
        SELECT c.position, jsonb_agg(jsonb_build_object(
            'chunk', c.ordinal, 'text', c.text, 'tokens', c.token_count, 'section_path', c.section_path,
            'start_offset', c.start_offset, 'end_offset', c.end_offset, 'score', docgraph.score(c.distance, metric),
            'chosen', c.nth, 'chosen_by', c.chosen_by
        ) ORDER BY c.distance, c.ordinal) AS chunks
        FROM candidates c
        WHERE c.nth = ANY (ARRAY(SELECT unnest(e.kept) FROM evidence e))
        GROUP BY c.position
    ), parts AS (
        SELECT p.position, bool_or(p.part = 1) AS has_summary, bool_or(p.part = 2) AS has_sections
        FROM pieces p
        WHERE p.nth = ANY (ARRAY(SELECT unnest(c.kept) FROM concepts c))
        GROUP BY p.position
    )
    SELECT jsonb_build_object(
        'context', jsonb_build_object('documents', coalesce((
            SELECT jsonb_agg(jsonb_build_object(
                'document_id', t.document_id, 'position', t.position,
                'role', CASE WHEN t.position <= planned.seeds THEN 'seed' ELSE 'expanded' END,
                'why', planned.reasons[t.position], 'title', t.title, 'source', t.source, 'doc_type', t.doc_type,
                'summary', CASE WHEN p.has_summary THEN t.summary END,
                'section_titles', CASE WHEN p.has_sections THEN t.section_titles END,
                'chunks', coalesce(s.chunks, '[]')
            ) ORDER BY t.position)
            FROM there t
            LEFT JOIN parts p ON p.position = t.position
            LEFT JOIN shown s ON s.position = t.position
            WHERE p.position IS NOT NULL OR s.position IS NOT NULL
        ), '[]')),
        'accounting', jsonb_build_object(
            'format', 1,
            'documents', jsonb_build_object(
                'planned', cardinality(planned.documents) + planned.over_caps, 'over_caps', planned.over_caps,
                'missing', cardinality(planned.documents) - (SELECT count(*) FROM there),
                'with_evidence', (SELECT count(*) FROM shown)),
            'chunks', jsonb_build_object(
                'chosen', cardinality(chosen.chunks), 'shown', (SELECT cardinality(e.kept) FROM evidence e)),
            'left_out', jsonb_build_object(
                'per_document', chosen.over_document, 'max_chunks', chosen.over_all,
                'evidence_budget', cardinality(chosen.chunks) - (SELECT cardinality(e.kept) FROM evidence e),
                'conceptual_budget', (SELECT count(*) FROM pieces) - (SELECT cardinality(c.kept) FROM concepts c)),
            'budget', jsonb_build_object(
                'unit', unit, 'limit', room, 'used', c.used + e.used, 'conceptual_limit', conceptual_room,
                'conceptual_used', c.used, 'evidence_used', e.used),
            'selection', selection, 'max_chunks', max_chunks, 'per_document', per_document,
            'reserve', trim_scale(reserve)::text, 'conceptual_share', trim_scale(conceptual_share)::text,
            'revision', jsonb_build_object(
                'plan', plan #> '{made_by,revision}', 'here', (SELECT v.version_num FROM docgraph.alembic_version v)),
            'edited', plan ? 'edited'
        )
    ) INTO found
    FROM concepts c CROSS JOIN evidence e;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.assemble(
    text, bigint[], jsonb, double precision[], text, integer, integer, numeric, text, text, integer, numeric
) IS 'Core. A context from a plan, within a budget, and its accounting.';
REVOKE ALL ON FUNCTION docgraph.assemble(
    text, bigint[], jsonb, double precision[], text, integer, integer, numeric, text, text, integer, numeric
) FROM PUBLIC;
