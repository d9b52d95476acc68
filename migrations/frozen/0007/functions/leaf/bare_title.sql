-- bare_title: the words by which a title is looked for in questions: without what stands in parentheses at its end.
--
-- Nobody asks for "Mercury (planet)": the parentheses only set it apart from others of its name.
-- Reads:      nothing
-- Guarantees: as leaf function title_words; a title of whose words less than four characters would be left keeps its
--             parentheses
-- Errors:     none
-- Example:    SELECT docgraph.bare_title('Mercury (planet)');
CREATE OR REPLACE FUNCTION docgraph.bare_title(title text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (
        SELECT CASE WHEN length(w.words) >= 4 THEN w.words ELSE docgraph.title_words(title) END
        FROM (SELECT docgraph.title_words(regexp_replace(title, '\s+\([^()]*\)\s*$', '')) AS words) AS w
    );

COMMENT ON FUNCTION docgraph.bare_title(text) IS
    'Leaf. The words by which a title is looked for in questions: without parentheses at its end.';
REVOKE ALL ON FUNCTION docgraph.bare_title(text) FROM PUBLIC;
