-- words_digest: one value for the words that a vector is made of: titles, and the text under them.
--
-- Reads:      nothing
-- Guarantees: NULL only if value is NULL
-- Errors:     none
-- Example:    SELECT docgraph.words_digest('Leave', '{}', 'Thirty days.');
CREATE OR REPLACE FUNCTION docgraph.words_digest(title text, section_path text[], value text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN value IS NULL THEN NULL
        ELSE sha256(convert_to(jsonb_build_array(title, to_jsonb(section_path), value)::text, 'UTF8'))
    END;

COMMENT ON FUNCTION docgraph.words_digest(text, text[], text) IS
    'Leaf. SHA-256 of the words that a vector is made of.';
REVOKE ALL ON FUNCTION docgraph.words_digest(text, text[], text) FROM PUBLIC;
