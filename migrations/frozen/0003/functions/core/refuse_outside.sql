-- refuse_outside: the one error for what a login may not write: attributes it does not hold, a document that it may
-- see but not write, and a hidden document under that id. The words are the same, so nothing tells them apart.
--
-- Reads:      nothing
-- Guarantees: always raises
-- Errors:     42501
-- Example:    SELECT docgraph.refuse_outside('documents[0]');
CREATE OR REPLACE FUNCTION docgraph.refuse_outside(place text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION '% is outside what this call may write', place
        USING ERRCODE = '42501',
              HINT = 'Claim in access all tags, labels and the clearance that the document has, before and after, and '
                     'its repository and snapshot if you claim any; '
                     'or choose another id. What a login may claim, docgraph.grant_access says.';
END
$$;

COMMENT ON FUNCTION docgraph.refuse_outside(text) IS
    'Core. Raises the one error for what a call may not write (42501).';
REVOKE ALL ON FUNCTION docgraph.refuse_outside(text) FROM PUBLIC;
