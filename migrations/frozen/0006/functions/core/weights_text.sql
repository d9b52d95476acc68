-- weights_text: numbers of words with a weight each, as leaf function sparse reads them.
--
-- Reads:      nothing
-- Guarantees: with all digits, whatever the session says; NULL where there are no numbers
-- Errors:     none
-- Example:    SELECT docgraph.weights_text('{7,12}', '{0.5,0.25}');
CREATE OR REPLACE FUNCTION docgraph.weights_text(numbers integer[], weights double precision[]) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET extra_float_digits = 1
AS $$
BEGIN
    RETURN (
        SELECT string_agg(w.number || ':' || w.weight, ',')
        FROM ROWS FROM (unnest(numbers), unnest(weights)) AS w (number, weight)
    );
END
$$;

COMMENT ON FUNCTION docgraph.weights_text(integer[], double precision[]) IS
    'Core. Numbers of words with a weight each, as a text.';
REVOKE ALL ON FUNCTION docgraph.weights_text(integer[], double precision[]) FROM PUBLIC;
