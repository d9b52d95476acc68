-- measure_texts: how much of a budget the text of each node takes.
--
-- The text of a document is that of its chunks, in their order; what a chunk repeats of the one before counts once (leaf
-- repeated_start). One without chunks has its summary. tokens is what was counted when the chunks were stored: of a
-- repetition a part of that, as long as it is; of a summary an estimate.
-- A text is read for its length only where that counts: never in tokens, but for chunks whose offsets overlap; in characters
-- not of nodes that are too long by their bytes alone. What is longer than bound('node_bytes') has room nowhere.
-- The settings, and orders that only one index gives, leave the planner no other way than the primary keys.
-- Reads:      document_nodes, vector_chunks
-- Guarantees: the lists are as long as ids, in its order; NULL for a node without text; sizes in characters or tokens
-- Errors:     none for checked arguments: documents that the call may see, each once
-- Example:    SELECT * FROM docgraph.measure_texts('default', '{1}', '{a.md}', true, 2000);
CREATE OR REPLACE FUNCTION docgraph.measure_texts(
    tenant text, visible bigint[], ids text[], count_tokens boolean, room integer, OUT sizes integer[], OUT tokens integer[]
)
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET max_parallel_workers_per_gather = 0
    SET jit = off
AS $$
DECLARE
    too_long constant integer := 2147483647;
BEGIN
    SELECT array_agg(CASE
            WHEN c.bytes IS NULL THEN docgraph.text_size(s.summary, count_tokens)
            WHEN c.bytes > docgraph.bound('node_bytes') THEN too_long
            ELSE least(CASE WHEN count_tokens THEN c.tokens ELSE c.characters END, too_long)::integer
        END ORDER BY n.place),
        array_agg(CASE
            WHEN c.bytes IS NULL THEN docgraph.text_size(s.summary, true)
            ELSE least(c.tokens, too_long)::integer
        END ORDER BY n.place)
    INTO sizes, tokens
    FROM unnest(ids) WITH ORDINALITY AS n (id, place)
    CROSS JOIN LATERAL (
        SELECT sum(m.tokens) AS tokens, sum(m.characters) AS characters, sum(m.bytes) AS bytes
        FROM (
            SELECT p.bytes,
                p.token_count - CASE WHEN p.repeated > 0
                    THEN p.token_count::bigint * p.repeated / char_length(p.text) ELSE 0 END AS tokens,
                CASE WHEN count_tokens THEN NULL WHEN p.at_least > room THEN too_long
                    ELSE char_length(p.text) - p.repeated + char_length(p.between) END AS characters
            FROM (
                SELECT o.*, docgraph.text_between(o.has_before, o.end_before, o.start_offset, o.repeated) AS between
                FROM (
                    SELECT w.*, sum(greatest(0, (w.bytes + 3) / 4 - greatest(0, w.end_before - w.start_offset))) OVER ()
                            AS at_least,
                        docgraph.repeated_start(w.text_before, w.start_before, w.end_before, w.text, w.start_offset)
                            AS repeated
                    FROM (
                        SELECT e.text, e.token_count, e.start_offset, octet_length(e.text) AS bytes,
                            lag(true, 1, false) OVER k AS has_before, lag(e.text) OVER k AS text_before,
                            lag(e.start_offset) OVER k AS start_before, lag(e.end_offset) OVER k AS end_before
                        FROM docgraph.vector_chunks e
                        WHERE e.tenant_id = tenant AND e.document_id BETWEEN n.id AND n.id
                            AND e.access_class = ANY (visible)
                        WINDOW k AS (ORDER BY e.document_id, e.ordinal)
                    ) AS w
                ) AS o
            ) AS p
        ) AS m
    ) AS c
    LEFT JOIN LATERAL (
        SELECT d.summary
        FROM docgraph.document_nodes d
        WHERE d.tenant_id = tenant AND d.document_id BETWEEN n.id AND n.id AND d.access_class = ANY (visible)
        ORDER BY d.document_id
    ) AS s ON true;
    sizes := coalesce(sizes, '{}');
    tokens := coalesce(tokens, '{}');
END
$$;

COMMENT ON FUNCTION docgraph.measure_texts(text, bigint[], text[], boolean, integer) IS
    'Core. How much of a budget the text of each node takes.';
REVOKE ALL ON FUNCTION docgraph.measure_texts(text, bigint[], text[], boolean, integer) FROM PUBLIC;
