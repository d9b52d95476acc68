-- split_identifiers: source code with its identifiers taken apart, for the text-search configuration code.
--
-- getUserName reads as "get User Name", HTTPServer as "HTTP Server", os.path.join as "os path join", snake_case as
-- "snake case". Numbers with a point in them stay whole. Signs between them become blanks: PostgreSQL would take a/b for a
-- path, a<b and c>d for a tag, and neither has words.
-- Reads:      nothing
-- Guarantees: NULL gives NULL; words that are no such identifiers stay as they are
-- Errors:     none
-- Example:    SELECT docgraph.split_identifiers('getUserName(os.path)');
CREATE OR REPLACE FUNCTION docgraph.split_identifiers(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN replace(
        regexp_replace(
            regexp_replace(
                regexp_replace(
                    translate(docgraph.plain_signs(value), '!"#$%&()*+,/:;<=>?@[\]^`{|}~', repeat(' ', 32)),
                    '([[:alpha:]_][[:alnum:]_]*)[.](?=[[:alpha:]_])', '\1 ', 'g'),
                '([[:lower:][:digit:]])([[:upper:]])', '\1 \2', 'g'),
            '([[:upper:]])([[:upper:]][[:lower:]])', '\1 \2', 'g'),
        '_', ' ');

COMMENT ON FUNCTION docgraph.split_identifiers(text) IS
    'Leaf. Source code with its identifiers taken apart: getUserName reads as get User Name.';
REVOKE ALL ON FUNCTION docgraph.split_identifiers(text) FROM PUBLIC;
