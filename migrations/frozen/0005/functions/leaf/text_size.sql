-- text_size: how much of a budget a text takes of which nobody has counted the tokens; NULL for no text.
--
-- Reads:      nothing
-- Guarantees: in characters, or in estimated tokens (leaf estimated_tokens)
-- Errors:     none
-- Example:    SELECT docgraph.text_size('Annual leave is 30 days.', true);
CREATE OR REPLACE FUNCTION docgraph.text_size(value text, count_tokens boolean) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN value = '' THEN NULL WHEN count_tokens THEN docgraph.estimated_tokens(value) ELSE char_length(value) END;

COMMENT ON FUNCTION docgraph.text_size(text, boolean) IS
    'Leaf. How much of a budget a text takes, in characters or estimated tokens.';
REVOKE ALL ON FUNCTION docgraph.text_size(text, boolean) FROM PUBLIC;
