-- check_reasons: refuses a plan in which a document has no reason, one reason twice, or one that is no seed's.
--
-- A part of core function check_plan, which has looked at everything around the reasons.
-- Reads:      nothing
-- Errors:     22023
-- Example:    SELECT docgraph.check_reasons('{"seed_documents": [], "expanded_documents": []}');
CREATE OR REPLACE FUNCTION docgraph.check_reasons(plan jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    seeds constant text[] := ARRAY(
        SELECT s.entry ->> 'document_id' FROM jsonb_array_elements(plan -> 'seed_documents') AS s (entry));
    one record;
BEGIN
    FOR one IN
        SELECT format('plan.expanded_documents[%s].via', e.i - 1) AS place, e.entry -> 'via' AS via
        FROM jsonb_array_elements(plan -> 'expanded_documents') WITH ORDINALITY AS e (entry, i)
    LOOP
        PERFORM docgraph.check_entries(one.place, one.via, 'page', '{"from": "id!", "relation_type": "id!"}');
        IF one.via = '[]' THEN
            RAISE EXCEPTION '% must not be empty', one.place
                USING ERRCODE = '22023', HINT = 'It says why the document is in the plan.';
        END IF;
        IF EXISTS (
            SELECT FROM jsonb_array_elements(one.via) AS v (reason) WHERE v.reason ->> 'from' <> ALL (seeds)
        ) THEN
            RAISE EXCEPTION '% must come from seeds of the plan', one.place
                USING ERRCODE = '22023', HINT = 'A plan goes one step: from a seed, never from what a seed brought in.';
        END IF;
        IF jsonb_array_length(one.via) <> (
            SELECT count(DISTINCT v.reason) FROM jsonb_array_elements(one.via) AS v (reason)
        ) THEN
            RAISE EXCEPTION '% has the same reason twice', one.place
                USING ERRCODE = '22023', HINT = 'Each pair of seed and relation type stands there once.';
        END IF;
    END LOOP;
END
$$;

COMMENT ON FUNCTION docgraph.check_reasons(jsonb) IS
    'Core. Refuses a plan whose documents do not come from its seeds (22023).';
REVOKE ALL ON FUNCTION docgraph.check_reasons(jsonb) FROM PUBLIC;
