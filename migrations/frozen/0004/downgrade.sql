-- Back to 0003, from 0004: Planning
DROP FUNCTION docgraph.verify_plan;
DROP FUNCTION docgraph.seal_plan;
DROP FUNCTION docgraph.explain_plan;
DROP FUNCTION docgraph.plan_documents;
DROP FUNCTION docgraph.plan_retrieval;
DROP FUNCTION docgraph.search_nodes;
-- api_version: the version of this set of functions, 'major.minor'.
--
-- A client works with the same major and a minor at least its own: a new function raises the minor, a change
-- that an old client would not survive raises the major.
-- Reads:      nothing
-- Errors:     none
-- Example:    SELECT docgraph.api_version();
CREATE OR REPLACE FUNCTION docgraph.api_version() RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '1.1';

COMMENT ON FUNCTION docgraph.api_version() IS
    'API, reader. Version of the functions: same major, at least the client''s minor. '
    'SELECT docgraph.api_version();';
REVOKE ALL ON FUNCTION docgraph.api_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.api_version() TO docgraph_reader;
DROP FUNCTION docgraph.check_sealed;
DROP FUNCTION docgraph.check_plan;
DROP FUNCTION docgraph.check_reasons;
DROP FUNCTION docgraph.plan_origin;
DROP FUNCTION docgraph.expand_once;
DROP FUNCTION docgraph.visible_among;
DROP FUNCTION docgraph.dominant_scope;
DROP FUNCTION docgraph.nearest_documents;
DROP FUNCTION docgraph.nearest;
DROP FUNCTION docgraph.nearest_approximately;
DROP FUNCTION docgraph.nearest_exactly;
DROP FUNCTION docgraph.choose_method;
DROP FUNCTION docgraph.check_search;
DROP FUNCTION docgraph.check_query;
DROP FUNCTION docgraph.check_limit;
DROP FUNCTION docgraph.check_choice;
-- check_entries: refuses a JSON list whose entries are not objects of a shape.
--
-- The shape is an object from key to kind (leaf fits); a kind that ends in "!" must be there. An unknown key is an
-- error, because a misspelt one would be dropped in silence. place says where the list stands; list_kind is the bound
-- of its length, or NULL where a place holds no list but one object.
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
    SELECT e.i, s.key, rtrim(s.kind, '!') AS kind INTO bad
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS e (entry, i)
    CROSS JOIN jsonb_each_text(shape) AS s (key, kind)
    WHERE CASE
        WHEN e.entry ? s.key THEN docgraph.fits(e.entry -> s.key, rtrim(s.kind, '!')) IS NOT TRUE
        ELSE s.kind LIKE '%!'
    END
    ORDER BY e.i, s.key COLLATE "C"
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '%.% must be %',
            format(places, bad.i - 1), bad.key, docgraph.kind_in_words(bad.kind)
            USING ERRCODE = '22023', HINT = 'Leave out a key that has no value; null is none.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_entries(text, jsonb, text, jsonb) IS
    'Core. Refuses a JSON list whose entries are not objects of a shape (22023).';
REVOKE ALL ON FUNCTION docgraph.check_entries(text, jsonb, text, jsonb) FROM PUBLIC;
-- visible_classes: the access classes of a tenant that a call may see.
--
-- Every function that touches documents begins with it, and filters by access_class = ANY (the result):
-- the predicate is evaluated once per class, not once per row.
-- Reads:      access_grants, access_classes
-- Guarantees: sorted, never NULL
-- Errors:     as effective_access
-- Example:    SELECT docgraph.visible_classes('default', '{}');
CREATE OR REPLACE FUNCTION docgraph.visible_classes(tenant text, access jsonb) RETURNS bigint[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    held record;
BEGIN
    SELECT * INTO held FROM docgraph.effective_access(tenant, access);
    RETURN ARRAY(
        SELECT c.access_class
        FROM docgraph.access_classes c
        WHERE c.tenant_id = tenant
            AND docgraph.may_see(
                c.repository, c.snapshot, c.tags, c.labels, c.clearance,
                held.repositories, held.snapshots, held.tags, held.labels, held.clearance
            )
        ORDER BY c.access_class
    );
END
$$;

COMMENT ON FUNCTION docgraph.visible_classes(text, jsonb) IS
    'Core. The access classes that a call may see; the filter of every function that touches documents.';
REVOKE ALL ON FUNCTION docgraph.visible_classes(text, jsonb) FROM PUBLIC;
DROP FUNCTION docgraph.classes_within;
ALTER TABLE docgraph.document_relationships
    -- squawk-ignore ban-drop-constraint
    DROP CONSTRAINT document_relationships_pkey,
    ADD CONSTRAINT document_relationships_pkey PRIMARY KEY (tenant_id, from_document, relation_type, to_document);
DROP FUNCTION docgraph.index_distance;
DROP FUNCTION docgraph.distance;
DROP FUNCTION docgraph.is_query;
DROP FUNCTION docgraph.query_vector;
DROP FUNCTION docgraph.array_norm;
DROP FUNCTION docgraph.plan_hash;
DROP FUNCTION docgraph.printable;
DROP FUNCTION docgraph.choices_in_words;
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
        WHEN 'chunks' THEN 'a list of at most ' || docgraph.bound('chunks') || ' chunks'
        WHEN 'references' THEN 'a list of at most ' || docgraph.bound('references') || ' relationships'
        WHEN 'embedding' THEN 'a list of numbers from -60000 to 60000, the same as a text, or "keep"'
    END;

COMMENT ON FUNCTION docgraph.kind_in_words(text) IS 'Leaf. What a field of a kind must be, in words.';
REVOKE ALL ON FUNCTION docgraph.kind_in_words(text) FROM PUBLIC;
-- fits: is this JSON value of that kind? The kinds are those of the fields that writing functions take.
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
        WHEN 'chunks' THEN jsonb_typeof(value) = 'array' AND jsonb_array_length(value) <= docgraph.bound('chunks')
        WHEN 'references' THEN jsonb_typeof(value) = 'array'
            AND jsonb_array_length(value) <= docgraph.bound('references')
        -- Five digits before the point and no positive exponent: pgvector can read whatever passes.
        WHEN 'embedding' THEN value = '"keep"'::jsonb OR coalesce(
            docgraph.vector_text(value)
                ~ '^\[ ?-?[0-9]{1,5}(\.[0-9]+)?([eE]-[0-9]{1,5})?(, ?-?[0-9]{1,5}(\.[0-9]+)?([eE]-[0-9]{1,5})?)* ?\]$', false)
    END;

COMMENT ON FUNCTION docgraph.fits(jsonb, text) IS
    'Leaf. Is a JSON value of a kind of field that writing functions take?';
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
    END;

COMMENT ON FUNCTION docgraph.bound(text) IS
    'Leaf. A limit by name, for example bound(''id_bytes'').';
REVOKE ALL ON FUNCTION docgraph.bound(text) FROM PUBLIC;
