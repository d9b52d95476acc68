-- read_claim_list: one list of a claim, checked and in canonical order.
--
-- Reads:      nothing
-- Guarantees: an absent key gives NULL, everything else a list or an error: nothing malformed widens access
-- Errors:     22023
-- Example:    SELECT docgraph.read_claim_list('{"tags": ["hr"]}', 'tags');
CREATE OR REPLACE FUNCTION docgraph.read_claim_list(access jsonb, key text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    claimed constant jsonb := access -> key;
    entries text[];
BEGIN
    IF claimed IS NULL THEN
        RETURN NULL;
    END IF;
    IF jsonb_typeof(claimed) <> 'array'
        OR EXISTS (SELECT FROM jsonb_array_elements(claimed) AS e (entry) WHERE jsonb_typeof(e.entry) <> 'string')
    THEN
        RAISE EXCEPTION 'access: "%" must be a list of strings', key
            USING ERRCODE = '22023', HINT = format('For example {"%s": ["a", "b"]}.', key);
    END IF;
    entries := ARRAY(SELECT e.entry FROM jsonb_array_elements_text(claimed) AS e (entry));
    IF NOT docgraph.list_fits(entries) THEN
        RAISE EXCEPTION 'access: "%" may have % entries of % bytes at most',
            key, docgraph.bound('list_items'), docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'Claim only what this call needs.';
    END IF;
    RETURN docgraph.canonical_list(entries);
END
$$;

COMMENT ON FUNCTION docgraph.read_claim_list(jsonb, text) IS
    'Core. One list of a claim, checked; NULL if the claim does not have it.';
REVOKE ALL ON FUNCTION docgraph.read_claim_list(jsonb, text) FROM PUBLIC;
