-- whole_identifiers: the identifiers of source code that have parts, each as one word: without points and underscores.
--
-- Beside split_identifiers, so that the whole name counts, too, however it is written: get_user and getUser are both one
-- word of the same letters. Names with points between them are one word together, and each by itself: os.get_user is
-- osgetuser and getuser.
-- Reads:      nothing
-- Guarantees: in the order of the text, names with points before their parts; NULL if there are none
-- Errors:     none
-- Example:    SELECT docgraph.whole_identifiers('getUserName(os.path)');
CREATE OR REPLACE FUNCTION docgraph.whole_identifiers(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (
        SELECT string_agg(translate(w.name, '._', ''), ' ' ORDER BY i.place, w.nth)
        FROM regexp_matches(value, '\m[[:alpha:]_][[:alnum:]_]*(?:[.][[:alpha:]_][[:alnum:]_]*)*', 'g')
            WITH ORDINALITY AS i (found, place)
        CROSS JOIN LATERAL (
            SELECT i.found[1] AS name, 0 AS nth WHERE i.found[1] ~ '[.]'
            UNION ALL
            SELECT p.name, p.nth
            FROM string_to_table(i.found[1], '.') WITH ORDINALITY AS p (name, nth)
            WHERE p.name ~ '[[:alnum:]]_+[[:alnum:]]|[[:lower:][:digit:]][[:upper:]]|[[:upper:]]{2}[[:lower:]]'
        ) AS w
    );

COMMENT ON FUNCTION docgraph.whole_identifiers(text) IS
    'Leaf. The identifiers that have parts, each as one word without points and underscores.';
REVOKE ALL ON FUNCTION docgraph.whole_identifiers(text) FROM PUBLIC;
