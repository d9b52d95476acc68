-- plan_hash: what a plan's "plan_hash" must be: SHA-256 over the text of all the rest.
--
-- A plan has no number but whole ones, so its text is the same on every server.
-- Reads:      nothing
-- Guarantees: 64 hexadecimal digits; NULL for what is no object
-- Errors:     none
-- Example:    SELECT docgraph.plan_hash('{"format": 1}');
CREATE OR REPLACE FUNCTION docgraph.plan_hash(plan jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN jsonb_typeof(plan) = 'object'
            THEN encode(sha256(convert_to((plan - 'plan_hash')::text, 'UTF8')), 'hex')
    END;

COMMENT ON FUNCTION docgraph.plan_hash(jsonb) IS 'Leaf. SHA-256 over a plan without its hash.';
REVOKE ALL ON FUNCTION docgraph.plan_hash(jsonb) FROM PUBLIC;
