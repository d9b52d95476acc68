-- within_ceiling: what remains of a claimed list under a ceiling.
--
-- Reads:      nothing
-- Guarantees: NULL claimed = all that the ceiling allows; NULL allowed = all; NULL for both = all;
--             of a canonical list a canonical list remains
-- Errors:     none
-- Example:    SELECT docgraph.within_ceiling('{hr,it}', '{it}');
CREATE OR REPLACE FUNCTION docgraph.within_ceiling(claimed text[], allowed text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN claimed IS NULL THEN allowed
        WHEN allowed IS NULL THEN claimed
        ELSE docgraph.canonical_list(
            ARRAY(SELECT c.entry FROM unnest(claimed) AS c (entry) WHERE c.entry = ANY (allowed))
        )
    END;

COMMENT ON FUNCTION docgraph.within_ceiling(text[], text[]) IS
    'Leaf. The entries of a claimed list that a ceiling allows; NULL = all.';
REVOKE ALL ON FUNCTION docgraph.within_ceiling(text[], text[]) FROM PUBLIC;
