-- check_entries: refuses a JSON list whose entries are not objects of a shape.
--
-- The shape is an object from key to kind (leaf fits); a key whose kind ends in "!" must be there, one that ends in
-- "?" as well, but may be null. An unknown key is an error, because a misspelt one would be dropped in silence. place
-- says where the list stands; list_kind is the bound of its length, or NULL where a place holds no list but one object.
-- Reads:      nothing
-- Guarantees: the first bad field in order of entry and key is named, its value is not
-- Errors:     22023
-- Example:    SELECT docgraph.check_entries('links', '[{"to": "b"}]', 'references', '{"to": "id!"}');
CREATE OR REPLACE FUNCTION docgraph.check_entries(place text, entries jsonb, list_kind text, shape jsonb)
    RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
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
    IF docgraph.have_shapes(ARRAY[entries], ARRAY[shape]) THEN
        RETURN;
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
    SELECT e.i, s.key, e.entry ? s.key AS is_there, e.entry -> s.key = 'null' AS is_null,
        s.kind LIKE '%?' AS may_be_null, rtrim(s.kind, '!?') AS kind
    INTO bad
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS e (entry, i)
    CROSS JOIN jsonb_each_text(shape) AS s (key, kind)
    WHERE NOT docgraph.field_fits(e.entry, s.key, s.kind)
    ORDER BY e.i, s.key COLLATE "C"
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '%.% must be %', format(places, bad.i - 1), bad.key,
            docgraph.kind_in_words(bad.kind) || CASE WHEN bad.may_be_null THEN ', or null' ELSE '' END
            USING ERRCODE = '22023', HINT = CASE
                WHEN NOT bad.is_there AND bad.may_be_null THEN 'The key must be there, also if it has no value.'
                WHEN NOT bad.is_there THEN 'The key must be there.'
                WHEN bad.is_null THEN 'Leave out a key that has no value; null is none.'
                ELSE 'In JSON a text stands in quotes, a number does not, and a list stands in brackets. '
                    'If this one does, it is out of bounds.'
            END;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_entries(text, jsonb, text, jsonb) IS
    'Core. Refuses a JSON list whose entries are not objects of a shape (22023).';
REVOKE ALL ON FUNCTION docgraph.check_entries(text, jsonb, text, jsonb) FROM PUBLIC;
