-- best_by_words: what fits a question best by its words, of all that a call may see: documents by title and summary, or
-- chunks, with their BM25 scores.
--
-- Exact, without looking at all of it (MaxScore, WAND): a word adds less than its worth to a score. Entries that have one of
-- the rarest words are scored first. Then the last place has a score, and whatever can still come in must have words that are
-- worth more than it together: those entries are scored (core function promising). For questions of very many words, more of the
-- rarer ones are added step by step instead, until all the others together are not worth the last place.
-- Reads:      embedding_space, lexical_terms, lexical_counts, lexical_index, document_nodes
-- Guarantees: in order of score (six digits), document, ordinal; only what has one of the words; whatever is hidden from the
--             call changes nothing; chunks is NULL for summaries
-- Errors:     none for a checked question
-- Example:    SELECT * FROM docgraph.best_by_words('default', '{1}', 'parental leave', 'chunks', 10, '{}');
CREATE OR REPLACE FUNCTION docgraph.best_by_words(
    tenant text, visible bigint[], question text, search_in text, places integer, excluded text[], OUT documents text[],
    OUT chunks integer[], OUT scores double precision[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_chunks constant boolean := search_in = 'chunks';
    asked record;
    weighed record;
    last integer;
    -- By how many words, for each number of them: how many entries have one of them at most, and what the others are worth.
    covered bigint[];
    rest double precision[];
    tried integer;
    promising tsquery;
    candidates tsquery;
    found record;
BEGIN
    documents := '{}';
    scores := '{}';
    chunks := CASE WHEN in_chunks THEN '{}'::integer[] END;
    asked := docgraph.read_question(question);
    weighed := docgraph.weigh_words(tenant, visible, in_chunks, asked.words, asked.times);
    last := cardinality(weighed.known);
    IF last = 0 OR places = 0 THEN
        RETURN;
    END IF;
    SELECT array_agg(s.covered ORDER BY s.place), array_agg(s.rest ORDER BY s.place) INTO covered, rest
    FROM (
        SELECT w.place, sum(w.frequency) OVER upwards AS covered, sum(w.worth) OVER downwards - w.worth AS rest
        FROM ROWS FROM (unnest(weighed.frequencies), unnest(weighed.worths)) WITH ORDINALITY AS w (frequency, worth, place)
        WINDOW upwards AS (ORDER BY w.place), downwards AS (ORDER BY w.place DESC)
    ) AS s;
    tried := CASE
        WHEN weighed.entries <= docgraph.bound('scanned_entries') THEN last
        ELSE coalesce((
            SELECT max(n) FROM generate_series(1, last) AS n
            WHERE covered[n] <= greatest(docgraph.bound('first_entries'), places)
        ), 1)
    END;
    LOOP
        candidates := CASE
            WHEN weighed.entries > docgraph.bound('scanned_entries')
            THEN coalesce(promising, docgraph.any_word(weighed.known[:tried]))
        END;
        found := docgraph.score_entries(
            tenant, visible, in_chunks, docgraph.sparse(docgraph.weights_text(weighed.numbers, weighed.worths)),
            coalesce(candidates && asked.must, candidates), asked.must, places, docgraph.sum_rounding(last), excluded);
        EXIT WHEN tried = last OR found.lowest > rest[tried];
        IF last <= docgraph.bound('combined_words') AND found.lowest IS NOT NULL THEN
            promising := docgraph.promising(
                weighed.known, weighed.worths, rest, weighed.frequencies, weighed.entries, found.lowest);
        END IF;
        tried := CASE WHEN promising IS NOT NULL THEN last ELSE (
            SELECT min(n) FROM generate_series(tried + 1, last) AS n
            WHERE n = last OR covered[n] >= 3 * covered[tried] OR found.lowest > rest[n]
        ) END;
    END LOOP;
    found := docgraph.exact_scores(
        tenant, visible, found.documents, found.ordinals, weighed.numbers, weighed.worths, places);
    documents := found.documents;
    chunks := CASE WHEN in_chunks THEN found.ordinals END;
    scores := found.scores;
END
$$;

COMMENT ON FUNCTION docgraph.best_by_words(text, bigint[], text, text, integer, text[]) IS
    'Core. What fits a question best by its words, of all that a call may see, with BM25 scores.';
REVOKE ALL ON FUNCTION docgraph.best_by_words(text, bigint[], text, text, integer, text[]) FROM PUBLIC;
