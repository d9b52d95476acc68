-- is_id: may this text be an id, of a tenant, a document, an ingestion or a kind of relationship?
--
-- Ids are taken as they are: never trimmed, folded or normalised, so two that look alike may differ.
-- Reads:      nothing
-- Guarantees: NULL gives NULL
-- Errors:     none
-- Example:    SELECT docgraph.is_id('handbook/leave.md');
CREATE OR REPLACE FUNCTION docgraph.is_id(value text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN octet_length(value) BETWEEN 1 AND docgraph.bound('id_bytes');

COMMENT ON FUNCTION docgraph.is_id(text) IS
    'Leaf. True for a text of 1 to bound(''id_bytes'') bytes.';
REVOKE ALL ON FUNCTION docgraph.is_id(text) FROM PUBLIC;
