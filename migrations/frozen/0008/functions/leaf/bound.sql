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
        WHEN 'fused_of_document' THEN 20  -- chunks of one document that are fused inside a plan; more if more are asked for
        WHEN 'widening' THEN 6            -- times as many candidates as places, where they are reranked
        WHEN 'scanned_entries' THEN 2000  -- lexical entries up to which all are scored, without asking the index
        WHEN 'first_entries' THEN 500     -- lexical entries of the rarest words, which are scored first
        WHEN 'combined_words' THEN 40     -- words of a question whose combinations are looked up
        WHEN 'title_words' THEN 12        -- in a title that is looked for in questions
        WHEN 'words_of_text' THEN 16000   -- different words of one text: what a sparsevec can hold
        WHEN 'word_numbers' THEN 1000000000  -- words of a tenant: the dimensions of a sparsevec
    END;

COMMENT ON FUNCTION docgraph.bound(text) IS
    'Leaf. A limit by name, for example bound(''id_bytes'').';
REVOKE ALL ON FUNCTION docgraph.bound(text) FROM PUBLIC;
