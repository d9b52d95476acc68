-- connect_documents: brings the relationships of some documents up to date with their references and names.
--
-- origins are the documents whose references may have changed, targets those whose names may have (new ones too).
-- Reads:      document_references, document_names, document_nodes
-- Writes:     document_relationships
-- Guarantees: afterwards there is a relationship for each reference to a name that another document bears, no other;
--             a relationship that several references make is one, and says all their origins
-- Errors:     none
-- Example:    SELECT docgraph.connect_documents('default', '{a.md}', '{a.md}');
CREATE OR REPLACE FUNCTION docgraph.connect_documents(tenant text, origins text[], targets text[]) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH pairs AS (
        SELECT r.from_document, r.relation_type, n.document_id AS to_document, r.declared, r.inferred, r.evidence
        FROM docgraph.document_references r
        JOIN docgraph.document_names n ON n.tenant_id = tenant AND n.name = r.to_name
        WHERE r.tenant_id = tenant AND r.from_document = ANY (origins)
        UNION ALL
        SELECT r.from_document, r.relation_type, n.document_id, r.declared, r.inferred, r.evidence
        FROM docgraph.document_names n
        JOIN docgraph.document_references r ON r.tenant_id = tenant AND r.to_name = n.name
        WHERE n.tenant_id = tenant AND n.document_id = ANY (targets)
    ), wanted AS MATERIALIZED (
        SELECT p.from_document, p.relation_type, p.to_document,
            bool_or(p.declared) AS declared, bool_or(p.inferred) AS inferred,
            min(p.evidence COLLATE "C") AS evidence
        FROM pairs p
        WHERE p.from_document <> p.to_document
        GROUP BY p.from_document, p.relation_type, p.to_document
    ), gone AS (
        DELETE FROM docgraph.document_relationships e
        WHERE e.tenant_id = tenant
            AND (e.from_document = ANY (origins) OR e.to_document = ANY (targets))
            AND NOT EXISTS (
                SELECT FROM wanted w
                WHERE w.from_document = e.from_document AND w.relation_type = e.relation_type
                    AND w.to_document = e.to_document
            )
    )
    INSERT INTO docgraph.document_relationships AS e
        (tenant_id, from_document, relation_type, to_document, from_access_class, to_access_class,
         declared, inferred, evidence)
    SELECT tenant, w.from_document, w.relation_type, w.to_document, f.access_class, t.access_class,
        w.declared, w.inferred, w.evidence
    FROM wanted w
    JOIN docgraph.document_nodes f ON f.tenant_id = tenant AND f.document_id = w.from_document
    JOIN docgraph.document_nodes t ON t.tenant_id = tenant AND t.document_id = w.to_document
    ON CONFLICT ON CONSTRAINT document_relationships_pkey DO UPDATE SET
        declared = excluded.declared, inferred = excluded.inferred, evidence = excluded.evidence
    WHERE (e.declared, e.inferred, e.evidence)
        IS DISTINCT FROM (excluded.declared, excluded.inferred, excluded.evidence);
END
$$;

COMMENT ON FUNCTION docgraph.connect_documents(text, text[], text[]) IS
    'Core. Brings the relationships of documents up to date with their references and names.';
REVOKE ALL ON FUNCTION docgraph.connect_documents(text, text[], text[]) FROM PUBLIC;
