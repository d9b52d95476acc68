-- waiting_references: what some documents refer to without a document in sight, as a JSON list.
--
-- A reference to a hidden document waits, as far as this caller is told, whether or not it connected.
-- Reads:      document_references, document_names, document_nodes
-- Guarantees: sorted; never NULL
-- Errors:     none
-- Example:    SELECT docgraph.waiting_references('default', '{a.md}', '{1}');
CREATE OR REPLACE FUNCTION docgraph.waiting_references(tenant text, origins text[], visible bigint[])
    RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN coalesce((
        SELECT jsonb_agg(
            jsonb_build_object('from', r.from_document, 'relation_type', r.relation_type, 'to', r.to_name)
            ORDER BY r.from_document, r.relation_type, r.to_name
        )
        FROM docgraph.document_references r
        WHERE r.tenant_id = tenant AND r.from_document = ANY (origins)
            AND NOT EXISTS (
                SELECT
                FROM docgraph.document_names n
                JOIN docgraph.document_nodes d ON d.tenant_id = tenant AND d.document_id = n.document_id
                WHERE n.tenant_id = tenant AND n.name = r.to_name AND d.access_class = ANY (visible)
            )
    ), '[]');
END
$$;

COMMENT ON FUNCTION docgraph.waiting_references(text, text[], bigint[]) IS
    'Core. References of documents that lead to no document in sight, as a JSON list.';
REVOKE ALL ON FUNCTION docgraph.waiting_references(text, text[], bigint[]) FROM PUBLIC;
