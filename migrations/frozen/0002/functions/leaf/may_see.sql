-- may_see: the one visibility predicate. May a caller with this access see a document of that class?
--
-- The first five parameters are the document's access attributes, the last five what the caller holds
-- after its claim was intersected with its ceiling (core function effective_access).
--   repository, snapshot   among those held; held NULL = any
--   tags                   none on the document = public; else one in common opens
--   labels                 every label of the document must be held
--   clearance              the document's level is at most the caller's
-- Reads:      nothing
-- Guarantees: true or false, never NULL, as long as only held_repositories and held_snapshots are NULL
-- Errors:     none
-- Example:    SELECT docgraph.may_see('handbook', 'main', '{hr}', '{}', 0, NULL, NULL, '{hr,it}', '{}', 0);
CREATE OR REPLACE FUNCTION docgraph.may_see(
    repository text, snapshot text, tags text[], labels text[], clearance integer,
    held_repositories text[], held_snapshots text[], held_tags text[], held_labels text[],
    held_clearance integer
) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (held_repositories IS NULL OR repository = ANY (held_repositories))
        AND (held_snapshots IS NULL OR snapshot = ANY (held_snapshots))
        AND (tags = '{}'::text[] OR tags && held_tags)
        AND labels <@ held_labels
        AND clearance <= held_clearance;

COMMENT ON FUNCTION docgraph.may_see(
    text, text, text[], text[], integer, text[], text[], text[], text[], integer
) IS 'Leaf. The one visibility predicate: a document''s access attributes against what the caller holds.';
REVOKE ALL ON FUNCTION docgraph.may_see(
    text, text, text[], text[], integer, text[], text[], text[], text[], integer
) FROM PUBLIC;
