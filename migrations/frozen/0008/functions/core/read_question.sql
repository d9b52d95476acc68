-- read_question: what a question in words asks of the lexical index: its words, and what must hold beside them.
--
-- As websearch_to_tsquery reads it, with two differences: words are a list to rank by, not a condition; and a dash between
-- blanks is a dash, as in a sentence, and excludes nothing. "a phrase" must be
-- in the text, -word and -"a phrase" must not. Between alternatives stands or: one with a phrase or an exclusion is met by
-- them, one of words alone by any of its words; where all alternatives are words alone, or makes no difference. A quote
-- without a partner reaches to the end; signs and whatever else are no error.
-- words are those of phrases, too, but not excluded ones; times says how often each stands in the question. must is NULL
-- where there is no condition.
-- Reads:      embedding_space
-- Guarantees: words is empty where there is nothing to look for, for example in a question of stop words
-- Errors:     none for a checked question
-- Example:    SELECT docgraph.read_question('holiday "parental leave" -draft');
CREATE OR REPLACE FUNCTION docgraph.read_question(
    question text, OUT words text[], OUT times integer[], OUT must tsquery
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    text_search constant text := (SELECT s.text_search FROM docgraph.embedding_space s);
    configuration constant regconfig := docgraph.parser_name(text_search);
    plain text := '';
    conditions tsquery[] := ARRAY[NULL::tsquery];
    words_alone text[] := '{""}';
    has_phrase boolean[] := '{false}';
    n integer := 1;
    piece text[];
    phrase tsquery;
    alternative tsquery;
BEGIN
    -- A sign and a phrase in quotes, or a sign and a word.
    FOR piece IN
        SELECT m.found
        FROM regexp_matches(normalize(question) COLLATE "default", '(-?)"([^"]*)(?:"|$)|(-?)([^[:space:]"]+)', 'g') WITH ORDINALITY AS m (found, place)
        ORDER BY m.place
    LOOP
        IF lower(piece[4] COLLATE "C") = 'or' AND piece[3] = '' THEN
            n := n + 1;
            conditions[n] := NULL;
            words_alone[n] := '';
            has_phrase[n] := false;
            CONTINUE;
        END IF;
        IF piece[3] = '' THEN
            words_alone[n] := concat_ws(' ', words_alone[n], piece[4]);
            plain := concat_ws(' ', plain, piece[4]);
            CONTINUE;
        END IF;
        phrase := phraseto_tsquery(configuration,
            CASE text_search WHEN 'code' THEN docgraph.split_identifiers(coalesce(piece[2], piece[4]))
                ELSE docgraph.plain_signs(coalesce(piece[2], piece[4])) END);
        CONTINUE WHEN numnode(phrase) = 0;
        IF piece[1] = '' THEN
            has_phrase[n] := true;
            plain := concat_ws(' ', plain, piece[2]);
        ELSE
            phrase := !! phrase;
        END IF;
        conditions[n] := coalesce(conditions[n] && phrase, phrase);
    END LOOP;

    SELECT coalesce(array_agg(w.lexeme), '{}'), coalesce(array_agg(cardinality(w.positions)), '{}') INTO words, times
    FROM unnest(to_tsvector(configuration, docgraph.indexed_text(plain, text_search))) AS w;
    IF n = 1 THEN
        must := conditions[1];
    ELSIF array_remove(conditions, NULL) <> '{}' THEN
        FOR i IN 1 .. n LOOP
            alternative := conditions[i];
            IF NOT has_phrase[i] THEN
                phrase := docgraph.any_word(tsvector_to_array(
                    to_tsvector(configuration, docgraph.indexed_text(words_alone[i], text_search))));
                alternative := coalesce(alternative && phrase, alternative, phrase);
            END IF;
            must := coalesce(must || alternative, must, alternative);
        END LOOP;
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.read_question(text) IS
    'Core. What a question in words asks of the lexical index: its words, and what must hold beside them.';
REVOKE ALL ON FUNCTION docgraph.read_question(text) FROM PUBLIC;
