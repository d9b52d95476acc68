-- choose_chunks: which chunks of planned documents become evidence, in the order in which they are chosen.
--
-- Candidates are the per_document best chunks of each document: by meaning, by words or by both, as chunk_mode says. selection
-- says in which order they are chosen, up to max_chunks: core functions order_by_similarity, order_by_bridge.
-- Reads:      vector_chunks; for words what core functions worded_chunks and words_of_chunks read
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
            documents, seeds, found.positions, found.distances, found.places, links.from_seeds, links.to_documents,
            docgraph.words_of_chunks(tenant, visible, documents, found.positions, found.chunks,
                CASE WHEN chunk_mode <> 'semantic' THEN question END), max_chunks);
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
