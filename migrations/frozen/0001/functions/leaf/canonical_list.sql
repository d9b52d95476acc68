-- canonical_list: the distinct entries of a list in byte order, so that equal sets are equal arrays.
--
-- Reads:      nothing
-- Guarantees: NULL gives NULL, NULL entries are left out, the order depends on no locale
-- Errors:     none
-- Example:    SELECT docgraph.canonical_list(ARRAY['b', 'a', 'b']);
CREATE OR REPLACE FUNCTION docgraph.canonical_list(entries text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN entries IS NULL THEN NULL
        ELSE ARRAY(
            SELECT DISTINCT e.entry COLLATE "C"
            FROM unnest(entries) AS e (entry)
            WHERE e.entry IS NOT NULL
            ORDER BY e.entry COLLATE "C"
        )
    END;

COMMENT ON FUNCTION docgraph.canonical_list(text[]) IS
    'Leaf. The distinct entries of a list, sorted by their bytes.';
REVOKE ALL ON FUNCTION docgraph.canonical_list(text[]) FROM PUBLIC;
