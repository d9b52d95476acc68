-- vector_text: a vector in JSON as the text that pgvector reads: of a list of numbers, or of a text with such a list.
--
-- The text is for whoever sends many vectors: a list is a JSON number for each element, which takes the server more
-- than twice as long to read.
-- Reads:      nothing
-- Guarantees: NULL for "keep", for NULL and for everything else that is no vector at all
-- Errors:     none
-- Example:    SELECT docgraph.vector_text('[3, 4]'), docgraph.vector_text('"[3,4]"');
CREATE OR REPLACE FUNCTION docgraph.vector_text(value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE jsonb_typeof(value)
        WHEN 'array' THEN value::text
        WHEN 'string' THEN nullif(value #>> '{}', 'keep')
    END;

COMMENT ON FUNCTION docgraph.vector_text(jsonb) IS
    'Leaf. A vector in JSON, a list or a text with a list, as the text that pgvector reads.';
REVOKE ALL ON FUNCTION docgraph.vector_text(jsonb) FROM PUBLIC;
