-- whole_identifiers: the identifiers of source code that have parts, each as one word: without points and underscores.
--
-- Beside split_identifiers, so that the whole name counts, too, however it is written: os.path.join is ospathjoin,
-- get_user and getUser are both one word of the same letters.
-- Reads:      nothing
-- Guarantees: in the order of the text; NULL if there are none
-- Errors:     none
-- Example:    SELECT docgraph.whole_identifiers('getUserName(os.path)');
CREATE OR REPLACE FUNCTION docgraph.whole_identifiers(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (
        SELECT string_agg(translate(i.found[1], '._', ''), ' ' ORDER BY i.place)
        FROM regexp_matches(value, '\m[[:alpha:]_][[:alnum:]_]*(?:[.][[:alpha:]_][[:alnum:]_]*)*', 'g')
            WITH ORDINALITY AS i (found, place)
        WHERE i.found[1] ~ '[.]|[[:alnum:]]_+[[:alnum:]]|[[:lower:][:digit:]][[:upper:]]|[[:upper:]]{2}[[:lower:]]'
    );

COMMENT ON FUNCTION docgraph.whole_identifiers(text) IS
    'Leaf. The identifiers that have parts, each as one word without points and underscores.';
REVOKE ALL ON FUNCTION docgraph.whole_identifiers(text) FROM PUBLIC;
