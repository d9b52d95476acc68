-- put_documents: brings documents in, with their chunks, vectors, links and access attributes.
--
-- A document is an object: id, and whatever of these there is to say: title, doc_type, source, summary,
-- summary_embedding, section_titles, metadata, names, chunks [{text, embedding, token_count, section_path, start, end}],
-- links and relationships [{relation_type, to, evidence}] (inferred from the text, and declared), content_hash, and who
-- may see it: repository, snapshot, tags, labels, clearance. Of a document that is there everything is replaced;
-- declared relationships are kept where none are given. An embedding is a list of numbers, the same list as a text
-- (quicker), or "keep" for the stored one of the same text.
-- Same content, same access: nothing is written but the turn, and in a run the run that it belongs to. model says of which
-- model the vectors are; where it is not said, only their dimensions are checked.
-- Reads:      access_grants, embedding_space, ingestion_requests, and what it writes
-- Writes:     access_classes, document_nodes, vector_chunks, document_names, document_references,
--             document_relationships, lexical_index, lexical_terms, lexical_counts, write_turns; statistics of tables that
--             have begun to fill
-- Guarantees: all or nothing; references to documents that are not there wait, whatever the order of arrival; gives
--             {"added", "changed", "unchanged": [id], "waiting": [{"from", "relation_type", "to"}]}
-- Errors:     22023, 40001, 42501 (outside the ceiling, or a hidden document has that id), KG001 (of another model), KG003
-- Example:    SELECT docgraph.put_documents('default', '{}', '[{"id": "a.md", "title": "A", "chunks": [{"text": "A."}]}]');
CREATE OR REPLACE FUNCTION docgraph.put_documents(
    tenant text, access jsonb, documents jsonb, ingestion text DEFAULT NULL, model text DEFAULT NULL
) RETURNS jsonb
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    space record;
    one record;
    visible bigint[];
    written jsonb[] := '{}';
    ids text[] := '{}';
    added text[] := '{}';
    changed text[] := '{}';
    rewritten text[] := '{}';
    unchanged text[] := '{}';
    left_classes bigint[] := '{}';
    class bigint;
    changes jsonb;
    missing text;
    filed text;
BEGIN
    PERFORM docgraph.effective_access(tenant, access);
    SELECT * INTO space FROM docgraph.take_turn(tenant);
    IF model <> space.model THEN
        RAISE EXCEPTION 'the vectors are of model "%", this database holds those of model "%"', model, space.model
            USING ERRCODE = 'KG001',
                  HINT = 'Use the recorded model, or move the database: docgraph reembed --embedding-model ...';
    END IF;
    PERFORM docgraph.check_documents(documents, space.dimensions, space.metric);
    PERFORM docgraph.check_ingestion(tenant, ingestion);
    -- A run whose source has no name leaves a document to the source that it came from before.
    filed := (
        SELECT i.ingestion_id FROM docgraph.ingestion_requests i
        WHERE i.tenant_id = tenant AND i.ingestion_id = ingestion AND i.source <> ''
    );

    FOR one IN SELECT * FROM docgraph.compare_documents(tenant, access, documents) LOOP
        ids := ids || one.document_id;
        class := CASE
            WHEN one.stored_fingerprint = one.fingerprint THEN one.stored_class
            ELSE docgraph.ensure_class(tenant, one.repository, one.snapshot, one.tags, one.labels, one.clearance)
        END;
        IF one.stored_class <> class THEN
            PERFORM docgraph.move_counts(tenant, ARRAY[one.document_id], class);
            left_classes := left_classes || one.stored_class;
        END IF;
        IF one.content = 'same' THEN
            -- The foreign keys carry a new class to chunks and relationships.
            UPDATE docgraph.document_nodes n
            SET access_class = class, ingestion_id = coalesce(filed, n.ingestion_id, ingestion)
            WHERE n.tenant_id = tenant AND n.document_id = one.document_id
                AND (n.access_class <> class OR docgraph.is_from_elsewhere(tenant, n.ingestion_id, ingestion));
            IF one.stored_class = class THEN
                unchanged := unchanged || one.document_id;
            ELSE
                changed := changed || one.document_id;
            END IF;
            CONTINUE;
        END IF;
        IF one.content = 'new' THEN
            added := added || one.document_id;
        ELSE
            changed := changed || one.document_id;
        END IF;
        missing := docgraph.missing_vector(tenant, one.entry);
        IF missing IS NOT NULL THEN
            RAISE EXCEPTION 'documents[%].% is "keep", but no vector of that text is stored',
                cardinality(ids) - 1, missing
                USING ERRCODE = '22023', HINT = 'The document has changed meanwhile: give the vector.';
        END IF;
        INSERT INTO docgraph.document_nodes AS n
            (tenant_id, document_id, access_class, ingestion_id, doc_type, title, source, summary, section_titles,
             metadata, content_hash, summary_embedding)
        VALUES (
            tenant, one.document_id, class, ingestion, coalesce(one.entry ->> 'doc_type', ''),
            normalize(coalesce(one.entry ->> 'title', '')), coalesce(one.entry ->> 'source', ''),
            normalize(coalesce(one.entry ->> 'summary', '')),
            docgraph.read_lines(one.entry -> 'section_titles'),
            coalesce(one.entry -> 'metadata', '{}'), one.digest,
            CASE
                WHEN one.entry -> 'summary_embedding' = '"keep"' THEN (
                    SELECT s.summary_embedding FROM docgraph.document_nodes s
                    WHERE s.tenant_id = tenant AND s.document_id = one.document_id)
                ELSE docgraph.stored_vector(docgraph.vector_text(one.entry -> 'summary_embedding'), space.metric)
            END
        )
        ON CONFLICT ON CONSTRAINT document_nodes_pkey DO UPDATE SET
            access_class = excluded.access_class, ingestion_id = coalesce(filed, n.ingestion_id, ingestion),
            doc_type = excluded.doc_type, title = excluded.title, source = excluded.source, summary = excluded.summary,
            section_titles = excluded.section_titles, metadata = excluded.metadata,
            content_hash = excluded.content_hash, summary_embedding = excluded.summary_embedding;
        written := written || one.entry;
        rewritten := rewritten || one.document_id;
    END LOOP;

    changes := to_jsonb(written);
    PERFORM docgraph.write_chunks(tenant, changes, space.metric);
    PERFORM docgraph.index_words(tenant, rewritten, ids, true);
    PERFORM docgraph.write_references(tenant, changes);
    PERFORM docgraph.forget_classes(tenant, left_classes);
    PERFORM docgraph.learn_sizes();
    visible := docgraph.visible_classes(tenant, access);
    RETURN jsonb_build_object(
        'added', to_jsonb(added), 'changed', to_jsonb(changed), 'unchanged', to_jsonb(unchanged),
        'waiting', docgraph.waiting_references(tenant, ids, visible)
    );
END
$$;

COMMENT ON FUNCTION docgraph.put_documents(text, jsonb, jsonb, text, text) IS
    'API, writer. Brings documents in, all or none of a call; gives what it did. '
    'SELECT docgraph.put_documents(''default'', ''{}'', ''[{"id": "a.md", "title": "A", "chunks": [{"text": "A."}]}]'');';
REVOKE ALL ON FUNCTION docgraph.put_documents(text, jsonb, jsonb, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.put_documents(text, jsonb, jsonb, text, text) TO docgraph_writer;
