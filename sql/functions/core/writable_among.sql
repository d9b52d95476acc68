-- writable_among: those of some ids that are visible documents; refused if one of them may not be written.
--
-- What is hidden is left out like what is not there.
-- Reads:      access_grants, access_classes, document_nodes
-- Guarantees: sorted, never NULL
-- Errors:     42501 names the parameter
-- Example:    SELECT docgraph.writable_among('default', '{}', 'documents', '{a.md}');
CREATE OR REPLACE FUNCTION docgraph.writable_among(tenant text, access jsonb, parameter text, ids text[])
    RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
    writable constant bigint[] := docgraph.writable_classes(tenant, access);
BEGIN
    IF EXISTS (
        SELECT FROM docgraph.document_nodes d
        WHERE d.tenant_id = tenant AND d.document_id = ANY (ids)
            AND d.access_class = ANY (visible) AND d.access_class <> ALL (writable)
    ) THEN
        PERFORM docgraph.refuse_outside(parameter);
    END IF;
    RETURN ARRAY(
        SELECT d.document_id
        FROM docgraph.document_nodes d
        WHERE d.tenant_id = tenant AND d.document_id = ANY (ids) AND d.access_class = ANY (visible)
        ORDER BY d.document_id
    );
END
$$;

COMMENT ON FUNCTION docgraph.writable_among(text, jsonb, text, text[]) IS
    'Core. Those of some ids that are visible documents; 42501 if one of them may not be written.';
REVOKE ALL ON FUNCTION docgraph.writable_among(text, jsonb, text, text[]) FROM PUBLIC;
