-- keys_in_words: the keys of an object in byte order, for hints.
--
-- Reads:      nothing
-- Guarantees: one order
-- Errors:     none
-- Example:    SELECT docgraph.keys_in_words('{"to": "id!"}');
CREATE OR REPLACE FUNCTION docgraph.keys_in_words(shape jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (
        SELECT string_agg(k.key, ', ' ORDER BY k.key COLLATE "C") FROM jsonb_object_keys(shape) AS k (key)
    );

COMMENT ON FUNCTION docgraph.keys_in_words(jsonb) IS 'Leaf. The keys of an object, for hints.';
REVOKE ALL ON FUNCTION docgraph.keys_in_words(jsonb) FROM PUBLIC;
