-- check_budget: refuses what can be no budget of a context; gives its unit and how much it is.
--
-- Reads:      nothing
-- Guarantees: unit tokens or characters. Where neither is given: usual, in tokens; NULL refuses that
-- Errors:     22023
-- Example:    SELECT * FROM docgraph.check_budget(NULL, 2000, 0.25, NULL);
CREATE OR REPLACE FUNCTION docgraph.check_budget(
    max_chars integer, budget_tokens integer, conceptual_share numeric, usual integer, OUT unit text, OUT room integer
)
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF max_chars IS NOT NULL AND budget_tokens IS NOT NULL THEN
        RAISE EXCEPTION 'max_chars and budget_tokens must not both be given'
            USING ERRCODE = '22023', HINT = 'A budget is counted in characters or in tokens: give one of the two.';
    END IF;
    IF coalesce(max_chars, budget_tokens, usual) IS NULL THEN
        RAISE EXCEPTION 'max_chars or budget_tokens must be given'
            USING ERRCODE = '22023', HINT = 'For example budget_tokens => 2000.';
    END IF;
    unit := CASE WHEN max_chars IS NULL THEN 'tokens' ELSE 'characters' END;
    room := coalesce(max_chars, budget_tokens, usual);
    IF room NOT BETWEEN 1 AND docgraph.bound('budget') THEN
        RAISE EXCEPTION '% must be from 1 to %',
            CASE unit WHEN 'tokens' THEN 'budget_tokens' ELSE 'max_chars' END, docgraph.bound('budget')
            USING ERRCODE = '22023',
                  HINT = format('How much text there may be in all: for example %s.',
                      CASE unit WHEN 'tokens' THEN 'budget_tokens => 2000' ELSE 'max_chars => 8000' END);
    END IF;
    PERFORM docgraph.check_share('conceptual_share', conceptual_share);
END
$$;

COMMENT ON FUNCTION docgraph.check_budget(integer, integer, numeric, integer) IS
    'Core. Refuses what can be no budget of a context (22023); its unit, and how much it is.';
REVOKE ALL ON FUNCTION docgraph.check_budget(integer, integer, numeric, integer) FROM PUBLIC;
