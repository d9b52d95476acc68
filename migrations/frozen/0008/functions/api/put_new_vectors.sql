-- put_new_vectors: stores vectors of the next embedding space, beside the old ones.
--
-- A vector is an object: tenant, document, ordinal (absent for the summary) and digest as texts_to_reembed gives them,
-- and embedding.
-- Writes:     next_vectors; locks write_turns
-- Guarantees: all or nothing; of a document that is gone meanwhile nothing is stored; gives the number stored
-- Errors:     22023, 40001, KG001 (another model than begin_reembedding was told), 42501 (a tenant in which this login
--             may not see everything)
-- Example:    SELECT docgraph.put_new_vectors('other-model', '[]');
CREATE OR REPLACE FUNCTION docgraph.put_new_vectors(model text, vectors jsonb) RETURNS integer
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
DECLARE
    next_space record;
    tenants constant text[] := docgraph.unlimited_tenants();
    bad bigint;
    stored integer;
BEGIN
    PERFORM docgraph.check_id('model', model);
    PERFORM docgraph.next_dimensions();
    -- The target must stay what these vectors are checked for. The table before the row, as in the switch.
    LOCK TABLE docgraph.document_nodes IN ROW SHARE MODE;
    SELECT n.model, n.dimensions, n.metric INTO next_space FROM docgraph.next_embedding_space n FOR SHARE;
    IF next_space.model IS DISTINCT FROM model THEN
        RAISE EXCEPTION 'the vectors are of model "%", the database is being moved to another one', model
            USING ERRCODE = 'KG001', HINT = 'Somebody else has begun another move: call docgraph.begin_reembedding again.';
    END IF;
    PERFORM docgraph.check_entries('vectors', vectors, 'page',
        '{"tenant": "id!", "document": "id!", "ordinal": "count", "digest": "hash!", "embedding": "embedding!"}');
    SELECT v.i INTO bad
    FROM jsonb_array_elements(vectors) WITH ORDINALITY AS v (entry, i)
    WHERE docgraph.is_storable(
        docgraph.vector_text(v.entry -> 'embedding'), next_space.dimensions, next_space.metric
    ) IS NOT TRUE
    ORDER BY v.i
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'vectors[%].embedding must have % elements, and a length from 0.001 to 60000', bad - 1,
            next_space.dimensions
            USING ERRCODE = '22023', HINT = 'Is it a vector of the model that begin_reembedding was told?';
    END IF;
    IF EXISTS (
        SELECT FROM jsonb_array_elements(vectors) AS v (entry) WHERE v.entry ->> 'tenant' <> ALL (tenants)
    ) THEN
        PERFORM docgraph.refuse_outside('vectors');
    END IF;

    -- Writers wait until this transaction ends, and it for them; others who do the same need not. Locks on documents,
    -- taken in the order of a join, would deadlock with writers.
    PERFORM FROM docgraph.write_turns w
    WHERE w.tenant_id IN (SELECT v.entry ->> 'tenant' FROM jsonb_array_elements(vectors) AS v (entry))
    ORDER BY w.tenant_id
    FOR SHARE;

    INSERT INTO docgraph.next_vectors AS n (tenant_id, document_id, ordinal, digest, embedding)
    SELECT d.tenant_id, d.document_id, g.ordinal, decode(g.digest, 'hex'),
        docgraph.stored_vector(g.embedding, next_space.metric)
    FROM (
        SELECT DISTINCT ON (1, 2, 3)
            v.entry ->> 'tenant' AS tenant, v.entry ->> 'document' AS document,
            coalesce((v.entry ->> 'ordinal')::numeric::integer, -1) AS ordinal,
            v.entry ->> 'digest' AS digest, docgraph.vector_text(v.entry -> 'embedding') AS embedding
        FROM jsonb_array_elements(vectors) WITH ORDINALITY AS v (entry, i)
        ORDER BY 1, 2, 3, v.i DESC
    ) AS g
    JOIN docgraph.document_nodes d ON d.tenant_id = g.tenant AND d.document_id = g.document
    ORDER BY d.tenant_id, d.document_id, g.ordinal
    ON CONFLICT ON CONSTRAINT next_vectors_pkey DO UPDATE SET
        digest = excluded.digest, embedding = excluded.embedding;
    GET DIAGNOSTICS stored = ROW_COUNT;
    RETURN stored;
END
$$;

COMMENT ON FUNCTION docgraph.put_new_vectors(text, jsonb) IS
    'API, admin. Stores vectors of the next embedding space, beside the old ones. '
    'SELECT docgraph.put_new_vectors(''other-model'', ''[]'');';
REVOKE ALL ON FUNCTION docgraph.put_new_vectors(text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.put_new_vectors(text, jsonb) TO docgraph_admin;
