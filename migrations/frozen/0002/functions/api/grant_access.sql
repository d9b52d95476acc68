-- grant_access: gives a login its ceiling in a tenant, in place of the one it had.
--
-- Every kind must be said, because each default would widen or narrow in silence: NULL = all of that kind,
-- an empty list = none. The login also needs to be a member of docgraph_reader or docgraph_writer.
-- Writes:     access_grants
-- Guarantees: the next call of that login has the new ceiling, unless it is in a transaction with an older snapshot
-- Errors:     22023
-- Example:    SELECT docgraph.grant_access('default', 'alice', repositories => NULL, snapshots => NULL,
--                                          tags => '{hr}', labels => '{}', clearance => 1);
CREATE OR REPLACE FUNCTION docgraph.grant_access(
    tenant text, login text,
    repositories text[], snapshots text[], tags text[], labels text[], clearance integer
) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
BEGIN
    PERFORM docgraph.check_tenant(tenant);
    PERFORM docgraph.check_login(login);
    PERFORM docgraph.check_ceiling_list('repositories', repositories);
    PERFORM docgraph.check_ceiling_list('snapshots', snapshots);
    PERFORM docgraph.check_ceiling_list('tags', tags);
    PERFORM docgraph.check_ceiling_list('labels', labels);
    IF NOT clearance BETWEEN 0 AND docgraph.bound('clearance') THEN
        RAISE EXCEPTION 'clearance must be from 0 to %', docgraph.bound('clearance')
            USING ERRCODE = '22023', HINT = 'NULL means any.';
    END IF;
    INSERT INTO docgraph.access_grants AS g
        (tenant_id, login, repositories, snapshots, tags, labels, clearance)
    VALUES (
        tenant, login::name,
        docgraph.canonical_list(repositories), docgraph.canonical_list(snapshots),
        docgraph.canonical_list(tags), docgraph.canonical_list(labels), clearance
    )
    ON CONFLICT ON CONSTRAINT access_grants_pkey DO UPDATE SET
        repositories = excluded.repositories, snapshots = excluded.snapshots,
        tags = excluded.tags, labels = excluded.labels, clearance = excluded.clearance;
END
$$;

COMMENT ON FUNCTION docgraph.grant_access(text, text, text[], text[], text[], text[], integer) IS
    'API, admin. Sets the ceiling of a login in a tenant; NULL = all of that kind, ''{}'' = none. '
    'SELECT docgraph.grant_access(''default'', ''alice'', NULL, NULL, ''{hr}'', ''{}'', 1);';
REVOKE ALL ON FUNCTION docgraph.grant_access(text, text, text[], text[], text[], text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.grant_access(text, text, text[], text[], text[], text[], integer)
    TO docgraph_admin;
