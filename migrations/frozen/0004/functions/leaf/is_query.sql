-- is_query: can vectors be compared with this one?
--
-- The elements are looked at before pgvector is asked: it would refuse some with an error of its own. NaN is above
-- every number. For cosine only the length as it comes counts, for it is made 1; else also that in half precision.
-- Reads:      nothing
-- Guarantees: never NULL
-- Errors:     none
-- Example:    SELECT docgraph.is_query('{3,4}', 2, 'cosine');
CREATE OR REPLACE FUNCTION docgraph.is_query(embedding double precision[], dimensions integer, metric text)
    RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN (array_ndims(embedding) = 1 AND cardinality(embedding) = dimensions) IS NOT TRUE THEN false
        WHEN array_position(embedding, NULL) IS NOT NULL THEN false
        WHEN 60000 < ANY (embedding) OR -60000 > ANY (embedding) THEN false
        WHEN docgraph.array_norm(embedding) NOT BETWEEN 0.001 AND 60000 THEN false
        WHEN metric = 'cosine' THEN true
        ELSE docgraph.vector_norm(docgraph.query_vector(embedding, metric)) BETWEEN 0.001 AND 60000
    END;

COMMENT ON FUNCTION docgraph.is_query(double precision[], integer, text) IS
    'Leaf. Can vectors be compared with this one?';
REVOKE ALL ON FUNCTION docgraph.is_query(double precision[], integer, text) FROM PUBLIC;
