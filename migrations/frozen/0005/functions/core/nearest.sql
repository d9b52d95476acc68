-- nearest: what lies nearest to a vector, of what a call may see, by a method: exact or approximate.
--
-- Reads:      document_nodes or vector_chunks
-- Guarantees: in order; by either method as many as asked for, or all that can be seen and have a vector; chunks is
--             NULL for summaries
-- Errors:     none for checked arguments
-- Example:    SELECT * FROM docgraph.nearest('default', '{1}', '[3,4]', 'cosine', 'summaries', 'exact', 10);
DO $$ BEGIN PERFORM set_config('search_path', current_setting('docgraph.pgvector_path'), true); END $$;

CREATE OR REPLACE FUNCTION docgraph.nearest(
    tenant text, visible bigint[], query halfvec, metric text, search_in text, method text, places integer,
    OUT documents text[], OUT chunks integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    found record;
BEGIN
    IF method = 'approximate' THEN
        found := docgraph.nearest_approximately(tenant, visible, query, metric, search_in, places);
        documents := found.documents;
        chunks := found.chunks;
        IF cardinality(documents) = places THEN
            RETURN;
        END IF;
    END IF;
    found := docgraph.nearest_exactly(tenant, visible, query, metric, search_in, places);
    documents := found.documents;
    chunks := found.chunks;
END
$$;

COMMENT ON FUNCTION docgraph.nearest(text, bigint[], halfvec, text, text, text, integer) IS
    'Core. What lies nearest to a vector, of what a call may see, by a method.';
REVOKE ALL ON FUNCTION docgraph.nearest(text, bigint[], halfvec, text, text, text, integer) FROM PUBLIC;

SET LOCAL search_path = pg_catalog;
