-- is_storable: has a vector the right number of elements, and a length that can be stored?
--
-- Takes a text that fits (leaf fits). The length counts as it came and as it is stored: half precision rounds.
-- Reads:      nothing
-- Guarantees: NULL gives NULL; pgvector is asked only where the number of elements is right
-- Errors:     none for a text that fits
-- Example:    SELECT docgraph.is_storable('[3,4]', 2, 'cosine');
CREATE OR REPLACE FUNCTION docgraph.is_storable(value text, dimensions integer, metric text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN value IS NULL THEN NULL
        WHEN length(value) - length(replace(value, ',', '')) + 1 <> dimensions THEN false
        WHEN docgraph.given_vector_norm(value) NOT BETWEEN 0.001 AND 60000 THEN false
        WHEN metric = 'cosine' THEN true
        ELSE docgraph.vector_norm(docgraph.stored_vector(value, metric)) BETWEEN 0.001 AND 60000
    END;

COMMENT ON FUNCTION docgraph.is_storable(text, integer, text) IS
    'Leaf. Has a vector the right number of elements, and a length that can be stored?';
REVOKE ALL ON FUNCTION docgraph.is_storable(text, integer, text) FROM PUBLIC;
