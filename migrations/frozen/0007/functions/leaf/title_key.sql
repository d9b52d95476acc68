-- title_key: the words of a title as they are looked for in questions: those in parentheses at its end, which need not be
-- asked for, stand apart.
--
-- Nobody asks for "Mercury (planet)": the parentheses only set it apart from others of its name.
-- Reads:      nothing
-- Guarantees: as leaf function title_words, but for one ' (...)' at the end, without which the rest is the name; a title of
--             whose words less than four characters would be left is all name. NULL for a name of more than
--             bound('title_words') words; what is too long for a key of bound('id_bytes') loses what stands apart, or is NULL.
--             In the order of bytes the keys of one name are one range: from the name to the name and ' )', no other between
-- Errors:     none
-- Example:    SELECT docgraph.title_key('Mercury (planet)');
CREATE OR REPLACE FUNCTION docgraph.title_key(title text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (
        SELECT CASE
            WHEN cardinality(string_to_array(n.name, ' ')) > docgraph.bound('title_words')
                OR octet_length(n.name) > docgraph.bound('id_bytes') THEN NULL
            WHEN octet_length(n.name || n.apart) <= docgraph.bound('id_bytes') THEN n.name || n.apart
            ELSE n.name
        END
        FROM (
            SELECT CASE WHEN length(p.name) >= 4 THEN p.name ELSE docgraph.title_words(title) END AS name,
                CASE WHEN length(p.name) >= 4 THEN ' (' || docgraph.title_words(p.apart) || ')' END AS apart
            FROM (
                SELECT docgraph.title_words(regexp_replace(title, '\s+\([^()]*\)\s*$', '')) AS name,
                    substring(title FROM '\s+\(([^()]*)\)\s*$') AS apart
            ) AS p
        ) AS n
    );

COMMENT ON FUNCTION docgraph.title_key(text) IS
    'Leaf. The words of a title, those in parentheses at its end set apart.';
REVOKE ALL ON FUNCTION docgraph.title_key(text) FROM PUBLIC;
