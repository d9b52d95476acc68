-- Back to 0006, from 0007: Bridges by words
-- All at once, in the order in which those who write take them: a writer is waited for, or waits, and nobody is in the way
-- of the other.
LOCK TABLE docgraph.document_nodes, docgraph.lexical_index IN ACCESS EXCLUSIVE MODE;
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
DROP FUNCTION docgraph.bare_title;
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
