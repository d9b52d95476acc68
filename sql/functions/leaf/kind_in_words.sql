-- kind_in_words: what a field of a kind must be, for error messages.
--
-- Reads:      nothing
-- Guarantees: NULL for an unknown kind only
-- Errors:     none
-- Example:    SELECT docgraph.kind_in_words('id');
CREATE OR REPLACE FUNCTION docgraph.kind_in_words(kind text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE kind
        WHEN 'id' THEN 'a text of 1 to ' || docgraph.bound('id_bytes') || ' bytes'
        WHEN 'name' THEN 'a text of at most ' || docgraph.bound('id_bytes') || ' bytes'
        WHEN 'line' THEN 'a text of at most ' || docgraph.bound('line_bytes') || ' bytes'
        WHEN 'text' THEN 'a text of at most ' || docgraph.bound('text_bytes') || ' bytes'
        WHEN 'piece' THEN 'a text of 1 to ' || docgraph.bound('text_bytes') || ' bytes'
        WHEN 'hash' THEN 'a SHA-256 in 64 lower-case hexadecimal digits'
        WHEN 'count' THEN 'a whole number from 0 to 2147483647'
        WHEN 'clearance' THEN 'a whole number from 0 to ' || docgraph.bound('clearance')
        WHEN 'names' THEN 'a list of at most ' || docgraph.bound('list_items') || ' texts of at most '
            || docgraph.bound('id_bytes') || ' bytes'
        WHEN 'ids' THEN 'a list of at most ' || docgraph.bound('names') || ' texts of 1 to '
            || docgraph.bound('id_bytes') || ' bytes'
        WHEN 'lines' THEN 'a list of at most ' || docgraph.bound('list_items') || ' texts of at most '
            || docgraph.bound('line_bytes') || ' bytes'
        WHEN 'object' THEN 'an object of at most ' || docgraph.bound('text_bytes') || ' bytes'
        WHEN 'whole' THEN 'a whole number from 0 to 2147483647, without a point'
        WHEN 'flag' THEN 'true or false'
        WHEN 'edited' THEN 'true, or left out'
        WHEN 'origin' THEN '"given" or "search"'
        WHEN 'part' THEN 'an object'
        WHEN 'list' THEN 'a list'
        WHEN 'entries' THEN 'a list of at most ' || docgraph.bound('entries') || ' entries'
        WHEN 'chunks' THEN 'a list of at most ' || docgraph.bound('chunks') || ' chunks'
        WHEN 'references' THEN 'a list of at most ' || docgraph.bound('references') || ' relationships'
        WHEN 'embedding' THEN 'a list of numbers from -60000 to 60000, the same as a text, or "keep"'
    END;

COMMENT ON FUNCTION docgraph.kind_in_words(text) IS 'Leaf. What a field of a kind must be, in words.';
REVOKE ALL ON FUNCTION docgraph.kind_in_words(text) FROM PUBLIC;
