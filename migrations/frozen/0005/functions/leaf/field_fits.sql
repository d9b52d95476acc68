-- field_fits: does an object have this field as its shape wants it?
--
-- kind is a kind of leaf fits; with "!" behind it the field must be there, with "?" as well, but it may be null.
-- Without a subquery, so that it inlines: it is asked for every field.
-- Reads:      nothing
-- Guarantees: never NULL for an object
-- Errors:     none
-- Example:    SELECT docgraph.field_fits('{"to": "b"}', 'to', 'id!');
CREATE OR REPLACE FUNCTION docgraph.field_fits(entry jsonb, key text, kind text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN kind LIKE '%?' AND entry -> key = 'null' THEN true
        WHEN entry ? key THEN docgraph.fits(entry -> key, rtrim(kind, '!?')) IS TRUE
        ELSE kind NOT LIKE '%!' AND kind NOT LIKE '%?'
    END;

COMMENT ON FUNCTION docgraph.field_fits(jsonb, text, text) IS 'Leaf. Does an object have a field as its shape wants it?';
REVOKE ALL ON FUNCTION docgraph.field_fits(jsonb, text, text) FROM PUBLIC;
