-- title_key: the words of a title as they are looked for in questions: those in parentheses at its end, which need not be
-- asked for, stand apart.
--
-- Nobody asks for "Mercury (planet)": the parentheses only set it apart from others of its name.
-- Reads:      nothing
-- Guarantees: as leaf function title_words, but for one ' (...)' at the end; a title of whose words less than four characters
--             would stand before it has none. In the order of bytes the keys of one name are one range: from the name to
--             the name and ' )', with no other between them
-- Errors:     none
-- Example:    SELECT docgraph.title_key('Mercury (planet)');
CREATE OR REPLACE FUNCTION docgraph.title_key(title text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (
        SELECT CASE
            WHEN length(p.name) >= 4 THEN p.name || coalesce(' (' || docgraph.title_words(p.apart) || ')', '')
            ELSE docgraph.title_words(title)
        END
        FROM (
            SELECT docgraph.title_words(regexp_replace(title, '\s+\([^()]*\)\s*$', '')) AS name,
                substring(title FROM '\s+\(([^()]*)\)\s*$') AS apart
        ) AS p
    );

COMMENT ON FUNCTION docgraph.title_key(text) IS
    'Leaf. The words of a title, those in parentheses at its end set apart.';
REVOKE ALL ON FUNCTION docgraph.title_key(text) FROM PUBLIC;
