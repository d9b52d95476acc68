-- write_references: makes names and references of documents what the documents say.
--
-- Inferred references are replaced. Declared ones are replaced where a document gives relationships, else kept. What is
-- declared has the words of its declaration alone: those of a link are its text's, and go with it.
-- Reads:      document_names, document_references
-- Writes:     document_names, document_references, document_relationships
-- Guarantees: relationships from and to the documents are up to date afterwards
-- Errors:     none for checked documents that are there
-- Example:    SELECT docgraph.write_references('default', '[{"id": "a.md", "links": []}]');
CREATE OR REPLACE FUNCTION docgraph.write_references(tenant text, documents jsonb) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    ids constant text[] := ARRAY(SELECT d.entry ->> 'id' FROM jsonb_array_elements(documents) AS d (entry));
    renamed text[];
BEGIN
    WITH given AS MATERIALIZED (
        SELECT d.entry ->> 'id' AS document_id, d.entry ->> 'id' AS name
        FROM jsonb_array_elements(documents) AS d (entry)
        UNION
        SELECT d.entry ->> 'id', n.name
        FROM jsonb_array_elements(documents) AS d (entry)
        CROSS JOIN unnest(docgraph.read_names(d.entry -> 'names')) AS n (name)
    ), gone AS (
        DELETE FROM docgraph.document_names n
        WHERE n.tenant_id = tenant AND n.document_id = ANY (ids)
            AND NOT EXISTS (SELECT FROM given g WHERE g.document_id = n.document_id AND g.name = n.name)
        RETURNING n.document_id
    ), new AS (
        INSERT INTO docgraph.document_names AS n (tenant_id, document_id, name)
        SELECT tenant, g.document_id, g.name FROM given g
        ON CONFLICT ON CONSTRAINT document_names_pkey DO NOTHING
        RETURNING n.document_id
    )
    SELECT ARRAY(SELECT g.document_id FROM gone g UNION SELECT n.document_id FROM new n) INTO renamed;

    DELETE FROM docgraph.document_references r
    USING jsonb_array_elements(documents) AS d (entry)
    WHERE r.tenant_id = tenant AND r.from_document = d.entry ->> 'id'
        AND (d.entry ? 'relationships' OR NOT r.declared);
    UPDATE docgraph.document_references r SET inferred = false
    WHERE r.tenant_id = tenant AND r.from_document = ANY (ids) AND r.inferred;
    INSERT INTO docgraph.document_references
        (tenant_id, from_document, relation_type, to_name, declared, inferred, evidence)
    SELECT tenant, d.entry ->> 'id', g.reference ->> 'relation_type', g.reference ->> 'to',
        bool_or(g.declared), bool_or(NOT g.declared),
        CASE WHEN bool_or(g.declared)
            THEN min(normalize(g.reference ->> 'evidence') COLLATE "C") FILTER (WHERE g.declared)
            ELSE min(normalize(g.reference ->> 'evidence') COLLATE "C")
        END
    FROM jsonb_array_elements(documents) AS d (entry)
    CROSS JOIN LATERAL (
        SELECT l.reference, false AS declared
        FROM jsonb_array_elements(d.entry -> 'links') AS l (reference)
        UNION ALL
        SELECT l.reference, true
        FROM jsonb_array_elements(d.entry -> 'relationships') AS l (reference)
    ) AS g
    GROUP BY 2, 3, 4
    -- What has stayed is declared, and keeps its words.
    ON CONFLICT ON CONSTRAINT document_references_pkey DO UPDATE SET inferred = true;

    PERFORM docgraph.connect_documents(tenant, ids, renamed);
END
$$;

COMMENT ON FUNCTION docgraph.write_references(text, jsonb) IS
    'Core. Makes names and references of documents what the documents say.';
REVOKE ALL ON FUNCTION docgraph.write_references(text, jsonb) FROM PUBLIC;
