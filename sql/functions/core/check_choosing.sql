-- check_choosing: refuses what can be no way of choosing chunks.
--
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_choosing(10, 3, 0.4, 'similarity');
CREATE OR REPLACE FUNCTION docgraph.check_choosing(
    max_chunks integer, per_document integer, reserve numeric, selection text
) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM docgraph.check_limit('max_chunks', max_chunks, 'evidence');
    PERFORM docgraph.check_limit('per_document', per_document, 'per_document');
    PERFORM docgraph.check_share('reserve', reserve);
    PERFORM docgraph.check_choice('selection', selection, ARRAY['similarity', 'bridge']);
END
$$;

COMMENT ON FUNCTION docgraph.check_choosing(integer, integer, numeric, text) IS
    'Core. Refuses what can be no way of choosing chunks (22023).';
REVOKE ALL ON FUNCTION docgraph.check_choosing(integer, integer, numeric, text) FROM PUBLIC;
