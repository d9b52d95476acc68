-- stored_bytes: the size of a text as it is stored, in NFC.
--
-- NFC makes some texts longer, three times at most: the bounds must hold for what is stored.
-- Reads:      nothing
-- Guarantees: NULL gives NULL
-- Errors:     none
-- Example:    SELECT docgraph.stored_bytes('Annual leave');
CREATE OR REPLACE FUNCTION docgraph.stored_bytes(value text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN value IS NFC NORMALIZED THEN octet_length(value) ELSE octet_length(normalize(value)) END;

COMMENT ON FUNCTION docgraph.stored_bytes(text) IS 'Leaf. The size of a text as it is stored, in NFC.';
REVOKE ALL ON FUNCTION docgraph.stored_bytes(text) FROM PUBLIC;
