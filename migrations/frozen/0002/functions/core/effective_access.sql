-- effective_access: what a call may see: its claim, intersected with the ceiling of the connecting login.
--
-- A claim is a JSON object with a closed set of keys. repositories, snapshots: absent = all that the ceiling
-- allows. tags, labels, clearance: absent = none. An unknown key is an error, because a misspelt
-- restriction that is dropped in silence widens access.
-- Identity is session_user, which neither SET ROLE nor any setting changes; a superuser has no exemption.
-- Reads:      access_grants
-- Guarantees: one row, never more than the ceiling; NULL in repositories or snapshots = all
-- Errors:     22023 for a malformed tenant or claim, 42501 without a ceiling in the tenant
-- Example:    SELECT * FROM docgraph.effective_access('default', '{"tags": ["hr"], "clearance": 2}');
CREATE OR REPLACE FUNCTION docgraph.effective_access(tenant text, access jsonb)
    RETURNS TABLE (repositories text[], snapshots text[], tags text[], labels text[], clearance integer)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    known constant text[] := ARRAY['repositories', 'snapshots', 'tags', 'labels', 'clearance'];
    level constant jsonb := access -> 'clearance';
    ceiling record;
BEGIN
    PERFORM docgraph.check_tenant(tenant);
    IF access IS NULL THEN
        RAISE EXCEPTION 'access must not be null'
            USING ERRCODE = '22023', HINT = 'Claim nothing with {}: public, unlabelled documents of level 0.';
    END IF;
    IF jsonb_typeof(access) <> 'object' THEN
        RAISE EXCEPTION 'access must be a JSON object'
            USING ERRCODE = '22023', HINT = 'For example {"tags": ["hr"], "clearance": 1}.';
    END IF;
    IF access - known <> '{}' THEN
        RAISE EXCEPTION 'access has an unknown key'
            USING ERRCODE = '22023', HINT = format('The keys are %s.', array_to_string(known, ', '));
    END IF;
    -- Compared as numeric: the cast of 1e999 to integer would be an error of another kind.
    IF NOT (
        CASE jsonb_typeof(level)
            WHEN 'number' THEN level::numeric BETWEEN 0 AND docgraph.bound('clearance')
                AND level::numeric = trunc(level::numeric)
            ELSE level IS NULL
        END
    ) THEN
        RAISE EXCEPTION 'access: "clearance" must be a whole number from 0 to %', docgraph.bound('clearance')
            USING ERRCODE = '22023', HINT = 'For example {"clearance": 1}.';
    END IF;
    repositories := docgraph.read_claim_list(access, 'repositories');
    snapshots := docgraph.read_claim_list(access, 'snapshots');
    tags := coalesce(docgraph.read_claim_list(access, 'tags'), '{}');
    labels := coalesce(docgraph.read_claim_list(access, 'labels'), '{}');
    clearance := coalesce(level::numeric::integer, 0);

    SELECT g.repositories, g.snapshots, g.tags, g.labels, g.clearance INTO ceiling
    FROM docgraph.access_grants g
    WHERE g.tenant_id = effective_access.tenant AND g.login = session_user;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this login has no access to this tenant'
            USING ERRCODE = '42501',
                  HINT = 'An administrator gives a login its ceiling in a tenant with docgraph.grant_access.';
    END IF;

    repositories := docgraph.within_ceiling(repositories, ceiling.repositories);
    snapshots := docgraph.within_ceiling(snapshots, ceiling.snapshots);
    tags := docgraph.within_ceiling(tags, ceiling.tags);
    labels := docgraph.within_ceiling(labels, ceiling.labels);
    clearance := least(clearance, ceiling.clearance);
    RETURN NEXT;
END
$$;

COMMENT ON FUNCTION docgraph.effective_access(text, jsonb) IS
    'Core. A claim intersected with the ceiling of the connecting login; 42501 without a ceiling.';
REVOKE ALL ON FUNCTION docgraph.effective_access(text, jsonb) FROM PUBLIC;
