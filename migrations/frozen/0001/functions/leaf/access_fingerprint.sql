-- access_fingerprint: one value for one combination of access attributes.
--
-- The unique key of access_classes: the lists themselves can be longer than an index entry may be.
-- Reads:      nothing
-- Guarantees: the same for lists that differ only in order or repetition
-- Errors:     none
-- Example:    SELECT docgraph.access_fingerprint('handbook', 'main', '{hr}', '{}', 0);
CREATE OR REPLACE FUNCTION docgraph.access_fingerprint(
    repository text, snapshot text, tags text[], labels text[], clearance integer
) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sha256(convert_to(
        jsonb_build_array(
            repository, snapshot,
            to_jsonb(docgraph.canonical_list(tags)), to_jsonb(docgraph.canonical_list(labels)),
            clearance
        )::text,
        'UTF8'
    ));

COMMENT ON FUNCTION docgraph.access_fingerprint(text, text, text[], text[], integer) IS
    'Leaf. SHA-256 over one combination of access attributes, the unique key of access_classes.';
REVOKE ALL ON FUNCTION docgraph.access_fingerprint(text, text, text[], text[], integer) FROM PUBLIC;
