-- planned_links: which seed of a plan leads to which of its documents, other seeds included, as positions in documents.
--
-- documents and seeds as core function planned_documents gives them.
-- Reads:      nothing
-- Guarantees: from_seeds and to_documents are of one length; each pair once
-- Errors:     none for a checked plan
-- Example:    SELECT * FROM docgraph.planned_links(docgraph.plan_retrieval('default', '{}', seeds => '{a.md}'),
--                 '{a.md,b.md}', 1);
CREATE OR REPLACE FUNCTION docgraph.planned_links(
    plan jsonb, documents text[], seeds integer, OUT from_seeds integer[], OUT to_documents integer[]
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH places AS MATERIALIZED (
        SELECT d.document_id, d.place::integer AS place
        FROM unnest(documents) WITH ORDINALITY AS d (document_id, place)
    )
    SELECT array_agg(l.seed), array_agg(l.document) INTO from_seeds, to_documents
    FROM (
        SELECT DISTINCT s.place AS seed, d.place AS document
        FROM jsonb_array_elements((plan -> 'seed_documents') || (plan -> 'expanded_documents')) AS e (entry)
        CROSS JOIN jsonb_array_elements(e.entry -> 'via') AS v (reason)
        JOIN places s ON s.document_id = v.reason ->> 'from' AND s.place <= seeds
        JOIN places d ON d.document_id = e.entry ->> 'document_id'
    ) AS l;
END
$$;

COMMENT ON FUNCTION docgraph.planned_links(jsonb, text[], integer) IS
    'Core. Which seed of a plan leads to which of its documents.';
REVOKE ALL ON FUNCTION docgraph.planned_links(jsonb, text[], integer) FROM PUBLIC;
