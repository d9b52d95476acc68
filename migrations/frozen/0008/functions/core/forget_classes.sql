-- forget_classes: takes away access classes in which no document is left.
--
-- Every call looks at all classes of its tenant: without this, attributes that nobody has any more would slow it down for ever.
-- Only in the tenant's turn: nobody else puts a document into one meanwhile.
-- Reads:      document_nodes
-- Writes:     access_classes
-- Guarantees: a class that a document has stays
-- Errors:     none
-- Example:    SELECT docgraph.forget_classes('default', '{1}');
CREATE OR REPLACE FUNCTION docgraph.forget_classes(tenant text, classes bigint[]) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    DELETE FROM docgraph.access_classes c
    WHERE c.tenant_id = tenant AND c.access_class = ANY (classes)
        AND NOT EXISTS (
            SELECT FROM docgraph.document_nodes d
            WHERE d.tenant_id = tenant AND d.access_class = c.access_class
        );
END
$$;

COMMENT ON FUNCTION docgraph.forget_classes(text, bigint[]) IS 'Core. Takes away access classes in which no document is left.';
REVOKE ALL ON FUNCTION docgraph.forget_classes(text, bigint[]) FROM PUBLIC;
