-- promising: a text-search query for the entries that may score above a bound, for words in order of their worth.
--
-- A word adds less to a score than its worth. Whatever scores above the bound has one of the words first in that order, say
-- the one in place n; where that one and all behind place p are worth no more than the bound together, it has one of those
-- from n + 1 to p, too. That is asked for where it saves much: to look at the entries of a word that few have costs less, and
-- so does not to look at the lists of words that most have. rest says for each place what the words behind it are worth
-- together; frequencies of how many of the entries have each word.
-- Reads:      nothing
-- Guarantees: misses no entry that scores above the bound
-- Errors:     none
-- Example:    SELECT docgraph.promising('{leave,pay,day}', '{5,2,1}', '{3,1,0}', '{9,5000,8000}', 90000, 2.5);
CREATE OR REPLACE FUNCTION docgraph.promising(
    words text[], worths double precision[], rest double precision[], frequencies bigint[], entries bigint,
    bound double precision
) RETURNS tsquery
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    last constant integer := cardinality(words);
    found tsquery;
    one tsquery;
    others bigint;
BEGIN
    FOR n IN 1 .. last LOOP
        EXIT WHEN worths[n] + rest[n] <= bound;
        one := docgraph.any_word(words[n:n]);
        IF worths[n] <= bound AND frequencies[n] > docgraph.bound('scanned_entries') THEN
            others := 0;
            FOR p IN n + 1 .. last LOOP
                others := others + frequencies[p];
                EXIT WHEN 2 * others > entries;
                IF worths[n] + rest[p] <= bound THEN
                    one := one && docgraph.any_word(words[n + 1:p]);
                    EXIT;
                END IF;
            END LOOP;
        END IF;
        found := coalesce(found || one, one);
    END LOOP;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.promising(
    text[], double precision[], double precision[], bigint[], bigint, double precision
) IS 'Core. A text-search query for the entries that may score above a bound.';
REVOKE ALL ON FUNCTION docgraph.promising(
    text[], double precision[], double precision[], bigint[], bigint, double precision
) FROM PUBLIC;
