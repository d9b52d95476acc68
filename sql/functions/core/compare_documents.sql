-- compare_documents: what putting checked documents would find: is each new, changed, or the same?
--
-- content is new, changed or same; the fingerprints tell whether its access attributes are the stored ones. The digest
-- is the document's content_hash, or else that of all it says but who may see it. Declared relationships that are
-- given must be the stored ones to be the same: other calls may have changed them since.
-- Reads:      document_nodes, access_classes, document_references
-- Guarantees: in the order given; what may not be written is refused in the same words as a hidden document
-- Errors:     42501
-- Example:    SELECT * FROM docgraph.compare_documents('default', '{}', '[{"id": "handbook/leave.md"}]');
CREATE OR REPLACE FUNCTION docgraph.compare_documents(tenant text, access jsonb, documents jsonb)
    RETURNS TABLE (
        entry jsonb, document_id text, digest bytea, content text, stored_class bigint,
        repository text, snapshot text, tags text[], labels text[], clearance integer, fingerprint bytea,
        stored_fingerprint bytea, stored_ingestion text
    )
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    held record;
    writable constant bigint[] := docgraph.writable_classes(tenant, access);
    outside bigint;
BEGIN
    SELECT * INTO held FROM docgraph.effective_access(tenant, access);
    SELECT d.i INTO outside
    FROM jsonb_array_elements(documents) WITH ORDINALITY AS d (entry, i)
    LEFT JOIN docgraph.document_nodes n ON n.tenant_id = tenant AND n.document_id = d.entry ->> 'id'
    WHERE n.document_id IS NOT NULL AND n.access_class <> ALL (writable)
        OR NOT docgraph.may_write(
            coalesce(d.entry ->> 'repository', ''), coalesce(d.entry ->> 'snapshot', ''),
            docgraph.read_names(d.entry -> 'tags'), docgraph.read_names(d.entry -> 'labels'),
            coalesce((d.entry ->> 'clearance')::numeric::integer, 0),
            held.repositories, held.snapshots, held.tags, held.labels, held.clearance
        )
    ORDER BY d.i
    LIMIT 1;
    IF FOUND THEN
        PERFORM docgraph.refuse_outside(format('documents[%s]', outside - 1));
    END IF;

    RETURN QUERY
    SELECT g.entry, g.id, g.digest,
        CASE
            WHEN n.document_id IS NULL THEN 'new'
            WHEN n.content_hash <> g.digest OR g.entry ? 'relationships' AND (
                SELECT coalesce(array_agg(DISTINCT ARRAY[(l.r ->> 'relation_type') COLLATE "C", (l.r ->> 'to') COLLATE "C"]), '{}')
                FROM jsonb_array_elements(g.entry -> 'relationships') AS l (r)
            ) IS DISTINCT FROM (
                SELECT coalesce(array_agg(DISTINCT ARRAY[r.relation_type, r.to_name]::text[]), '{}')
                FROM docgraph.document_references r
                WHERE r.tenant_id = tenant AND r.from_document = g.id AND r.declared
            ) THEN 'changed'
            ELSE 'same'
        END,
        n.access_class, g.repository, g.snapshot, g.tags, g.labels, g.clearance,
        docgraph.access_fingerprint(g.repository, g.snapshot, g.tags, g.labels, g.clearance), c.fingerprint,
        n.ingestion_id
    FROM (
        SELECT d.i, d.entry, d.entry ->> 'id' AS id,
            CASE
                WHEN d.entry ? 'content_hash' THEN decode(d.entry ->> 'content_hash', 'hex')
                ELSE sha256(convert_to(
                    (d.entry - ARRAY['repository', 'snapshot', 'tags', 'labels', 'clearance'])::text, 'UTF8'))
            END AS digest,
            coalesce(d.entry ->> 'repository', '') AS repository, coalesce(d.entry ->> 'snapshot', '') AS snapshot,
            docgraph.read_names(d.entry -> 'tags') AS tags, docgraph.read_names(d.entry -> 'labels') AS labels,
            coalesce((d.entry ->> 'clearance')::numeric::integer, 0) AS clearance
        FROM jsonb_array_elements(documents) WITH ORDINALITY AS d (entry, i)
    ) AS g
    LEFT JOIN docgraph.document_nodes n ON n.tenant_id = tenant AND n.document_id = g.id
    LEFT JOIN docgraph.access_classes c ON c.tenant_id = tenant AND c.access_class = n.access_class
    ORDER BY g.i;
END
$$;

COMMENT ON FUNCTION docgraph.compare_documents(text, jsonb, jsonb) IS
    'Core. Is each of some documents new, changed or the same? 42501 for what a call may not write.';
REVOKE ALL ON FUNCTION docgraph.compare_documents(text, jsonb, jsonb) FROM PUBLIC;
