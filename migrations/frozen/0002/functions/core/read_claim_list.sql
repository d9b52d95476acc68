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
    IF jsonb_array_length(claimed) > docgraph.bound('list_items') THEN
        RAISE EXCEPTION 'access: "%" may have % entries at most', key, docgraph.bound('list_items')
            USING ERRCODE = '22023', HINT = 'Claim only what this call needs.';
    END IF;
    IF EXISTS (
        SELECT FROM jsonb_array_elements_text(claimed) AS e (entry)
        WHERE octet_length(e.entry) > docgraph.bound('id_bytes')
    ) THEN
        RAISE EXCEPTION 'access: "%" has an entry of more than % bytes', key, docgraph.bound('id_bytes')
            USING ERRCODE = '22023', HINT = 'No document can carry such an attribute.';
    END IF;
    RETURN docgraph.canonical_list(ARRAY(SELECT e.entry FROM jsonb_array_elements_text(claimed) AS e (entry)));
END
$$;

COMMENT ON FUNCTION docgraph.read_claim_list(jsonb, text) IS
    'Core. One list of a claim, checked; NULL if the claim does not have it.';
REVOKE ALL ON FUNCTION docgraph.read_claim_list(jsonb, text) FROM PUBLIC;
