-- list_fits: is this list of tags, labels, repositories or snapshots within the bounds?
--
-- Reads:      nothing
-- Guarantees: NULL gives NULL; NULL entries are not looked at
-- Errors:     none
-- Example:    SELECT docgraph.list_fits(ARRAY['a', 'b']);
CREATE OR REPLACE FUNCTION docgraph.list_fits(entries text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN cardinality(entries) <= docgraph.bound('list_items')
        AND NOT EXISTS (
            SELECT FROM unnest(entries) AS e (entry)
            WHERE octet_length(e.entry) > docgraph.bound('id_bytes')
        );

COMMENT ON FUNCTION docgraph.list_fits(text[]) IS
    'Leaf. True for a list of at most bound(''list_items'') entries of at most bound(''id_bytes'') bytes.';
REVOKE ALL ON FUNCTION docgraph.list_fits(text[]) FROM PUBLIC;
