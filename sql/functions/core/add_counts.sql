-- add_counts: adds to the counts of words, or takes away from them.
--
-- Each place of the lists is one count, which stands in them once. Only in the tenant's turn.
-- Writes:     lexical_counts
-- Guarantees: what comes down to nothing is deleted
-- Errors:     none where what is taken away has been counted
-- Example:    SELECT docgraph.add_counts('default', '{7}', '{true}', '{1}', '{2}');
CREATE OR REPLACE FUNCTION docgraph.add_counts(
    tenant text, numbers integer[], chunks boolean[], classes bigint[], changes integer[]
) RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
    SET jit = off
AS $$
BEGIN
    UPDATE docgraph.lexical_counts c SET entries = c.entries + g.change
    FROM ROWS FROM (unnest(numbers), unnest(chunks), unnest(classes), unnest(changes))
        AS g (term_number, in_chunks, access_class, change)
    WHERE g.change < 0 AND c.tenant_id = tenant AND c.term_number = g.term_number
        AND c.in_chunks = g.in_chunks AND c.access_class = g.access_class;
    DELETE FROM docgraph.lexical_counts c
    USING ROWS FROM (unnest(numbers), unnest(chunks), unnest(classes), unnest(changes))
        AS g (term_number, in_chunks, access_class, change)
    WHERE g.change < 0 AND c.tenant_id = tenant AND c.term_number = g.term_number
        AND c.in_chunks = g.in_chunks AND c.access_class = g.access_class AND c.entries = 0;
    INSERT INTO docgraph.lexical_counts AS c (tenant_id, term_number, in_chunks, access_class, entries)
    SELECT tenant, g.term_number, g.in_chunks, g.access_class, g.change
    FROM ROWS FROM (unnest(numbers), unnest(chunks), unnest(classes), unnest(changes))
        AS g (term_number, in_chunks, access_class, change)
    WHERE g.change > 0
    ON CONFLICT ON CONSTRAINT lexical_counts_pkey DO UPDATE SET entries = c.entries + excluded.entries;
END
$$;

COMMENT ON FUNCTION docgraph.add_counts(text, integer[], boolean[], bigint[], integer[]) IS
    'Core. Adds to the counts of words, or takes away from them.';
REVOKE ALL ON FUNCTION docgraph.add_counts(text, integer[], boolean[], bigint[], integer[]) FROM PUBLIC;
