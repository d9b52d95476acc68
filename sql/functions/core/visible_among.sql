-- visible_among: those of some ids that a call may see, in the order in which they were first named.
--
-- An unknown id and a hidden one are left out alike.
-- Reads:      document_nodes
-- Guarantees: never NULL; each once
-- Errors:     none
-- Example:    SELECT docgraph.visible_among('default', '{1}', '{b.md,a.md}');
CREATE OR REPLACE FUNCTION docgraph.visible_among(tenant text, visible bigint[], ids text[]) RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN ARRAY(
        SELECT d.document_id
        FROM docgraph.document_nodes d
        WHERE d.tenant_id = tenant AND d.document_id = ANY (ids) AND d.access_class = ANY (visible)
        ORDER BY array_position(ids, d.document_id)
    );
END
$$;

COMMENT ON FUNCTION docgraph.visible_among(text, bigint[], text[]) IS
    'Core. Those of some ids that a call may see, in the order in which they were named.';
REVOKE ALL ON FUNCTION docgraph.visible_among(text, bigint[], text[]) FROM PUBLIC;
