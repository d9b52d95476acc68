-- check_fetching: refuses what can be no way of fetching texts; gives the unit of the budget and how much it is.
--
-- Reads:      nothing
-- Guarantees: as core function check_budget
-- Errors:     22023
-- Example:    SELECT * FROM docgraph.check_fetching(NULL, 2000, 'balanced', NULL);
CREATE OR REPLACE FUNCTION docgraph.check_fetching(
    max_chars integer, budget_tokens integer, prioritization text, usual integer, OUT unit text, OUT room integer
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    budget constant record := docgraph.check_budget(max_chars, budget_tokens, 0, usual);
BEGIN
    PERFORM docgraph.check_choice('prioritization', prioritization, ARRAY['seed_first', 'graph_first', 'balanced']);
    unit := budget.unit;
    room := budget.room;
END
$$;

COMMENT ON FUNCTION docgraph.check_fetching(integer, integer, text, integer) IS
    'Core. Refuses what can be no way of fetching texts (22023); the unit of the budget, and how much it is.';
REVOKE ALL ON FUNCTION docgraph.check_fetching(integer, integer, text, integer) FROM PUBLIC;
