-- may_write: may a caller with this access write a document of that class? Everything that the class asks for
-- must be held, every tag included: nobody may give, or take away, what he does not hold himself.
--
-- Parameters as in may_see. Who may write a document may see it, too.
-- Reads:      nothing
-- Guarantees: true or false, never NULL, as long as only held_repositories and held_snapshots are NULL
-- Errors:     none
-- Example:    SELECT docgraph.may_write('handbook', 'main', '{hr}', '{}', 0, NULL, NULL, '{hr,it}', '{}', 0);
CREATE OR REPLACE FUNCTION docgraph.may_write(
    repository text, snapshot text, tags text[], labels text[], clearance integer,
    held_repositories text[], held_snapshots text[], held_tags text[], held_labels text[],
    held_clearance integer
) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (held_repositories IS NULL OR repository = ANY (held_repositories))
        AND (held_snapshots IS NULL OR snapshot = ANY (held_snapshots))
        AND tags <@ held_tags
        AND labels <@ held_labels
        AND clearance <= held_clearance;

COMMENT ON FUNCTION docgraph.may_write(
    text, text, text[], text[], integer, text[], text[], text[], text[], integer
) IS 'Leaf. May a caller write a document: all of its access attributes are held.';
REVOKE ALL ON FUNCTION docgraph.may_write(
    text, text, text[], text[], integer, text[], text[], text[], text[], integer
) FROM PUBLIC;
