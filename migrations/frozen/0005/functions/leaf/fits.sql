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
        WHEN 'origin' THEN value IN ('"given"', '"search"')
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
