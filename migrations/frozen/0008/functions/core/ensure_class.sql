-- ensure_class: the access class of one combination of access attributes; made if there is none yet.
--
-- Only for attributes that the caller holds, and in the tenant's turn: nobody else makes classes meanwhile, so that the
-- next number is the one after the last (number_words says why no sequence gives it).
-- Writes:     access_classes
-- Guarantees: one number for one combination
-- Errors:     none
-- Example:    SELECT docgraph.ensure_class('default', 'handbook', 'main', '{hr}', '{}', 0);
CREATE OR REPLACE FUNCTION docgraph.ensure_class(
    tenant text, repository text, snapshot text, tags text[], labels text[], clearance integer
) RETURNS bigint
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    print constant bytea := docgraph.access_fingerprint(repository, snapshot, tags, labels, clearance);
    found_class bigint;
BEGIN
    SELECT c.access_class INTO found_class
    FROM docgraph.access_classes c
    WHERE c.tenant_id = tenant AND c.fingerprint = print;
    IF NOT FOUND THEN
        INSERT INTO docgraph.access_classes
            (tenant_id, access_class, repository, snapshot, tags, labels, clearance, fingerprint)
        VALUES (
            tenant,
            (SELECT coalesce(max(c.access_class), 0) + 1 FROM docgraph.access_classes c WHERE c.tenant_id = tenant),
            repository, snapshot,
            docgraph.canonical_list(tags), docgraph.canonical_list(labels), clearance, print
        )
        RETURNING access_class INTO found_class;
    END IF;
    RETURN found_class;
END
$$;

COMMENT ON FUNCTION docgraph.ensure_class(text, text, text, text[], text[], integer) IS
    'Core. The access class of one combination of access attributes; made if there is none yet.';
REVOKE ALL ON FUNCTION docgraph.ensure_class(text, text, text, text[], text[], integer) FROM PUBLIC;
