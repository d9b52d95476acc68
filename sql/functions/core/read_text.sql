-- read_text: the text of a document: its chunks put together again, or its summary where it has none.
--
-- What a chunk repeats of the one before is there once (leaf repeated_start); chunks that do not touch have an empty line
-- between them.
-- The settings, and an order that only one index gives, leave the planner no other way than the primary keys.
-- Reads:      document_nodes, vector_chunks
-- Guarantees: NULL for a document that is not there, or not to be seen; else as long as core function measure_texts says
-- Errors:     none for checked arguments
-- Example:    SELECT docgraph.read_text('default', '{1}', 'a.md');
CREATE OR REPLACE FUNCTION docgraph.read_text(tenant text, visible bigint[], document text) RETURNS text
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
    found text;
BEGIN
    SELECT string_agg(
        docgraph.text_between(o.has_before, o.end_before, o.start_offset, o.repeated)
            || CASE o.repeated WHEN 0 THEN o.text ELSE substr(o.text, o.repeated + 1) END, '' ORDER BY o.ordinal)
    INTO found
    FROM (
        SELECT w.*,
            docgraph.repeated_start(w.text_before, w.start_before, w.end_before, w.text, w.start_offset) AS repeated
        FROM (
            SELECT e.ordinal, e.text, e.start_offset, lag(true, 1, false) OVER k AS has_before,
                lag(e.text) OVER k AS text_before, lag(e.start_offset) OVER k AS start_before,
                lag(e.end_offset) OVER k AS end_before
            FROM docgraph.vector_chunks e
            WHERE e.tenant_id = tenant AND e.document_id BETWEEN document AND document
                AND e.access_class = ANY (visible)
            WINDOW k AS (ORDER BY e.document_id, e.ordinal)
        ) AS w
    ) AS o;
    IF found IS NULL THEN
        SELECT d.summary INTO found
        FROM docgraph.document_nodes d
        WHERE d.tenant_id = tenant AND d.document_id = document AND d.access_class = ANY (visible);
    END IF;
    RETURN found;
END
$$;

COMMENT ON FUNCTION docgraph.read_text(text, bigint[], text) IS
    'Core. The text of a document: its chunks put together again, or its summary.';
REVOKE ALL ON FUNCTION docgraph.read_text(text, bigint[], text) FROM PUBLIC;
