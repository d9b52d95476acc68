-- check_text_search: refuses what is no text-search configuration of this database within reach, nor code, which is ours.
--
-- Reads:      nothing but the catalogue
-- Errors:     22023
-- Example:    SELECT docgraph.check_text_search('english');
CREATE OR REPLACE FUNCTION docgraph.check_text_search(text_search text) RETURNS void
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET quote_all_identifiers = off
AS $$
BEGIN
    IF text_search = 'code' THEN
        RETURN;
    END IF;
    IF NOT EXISTS (
        SELECT
        FROM pg_ts_config c
        JOIN pg_namespace n ON n.oid = c.cfgnamespace
        WHERE text_search IN (
                CASE n.nspname WHEN 'pg_catalog' THEN c.cfgname END,
                quote_ident(n.nspname) || '.' || quote_ident(c.cfgname)
            )
            AND NOT pg_is_other_temp_schema(n.oid) AND n.oid <> pg_my_temp_schema()
            AND has_schema_privilege(n.oid, 'USAGE')
    ) THEN
        RAISE EXCEPTION 'text_search must be a text-search configuration of this database'
            USING ERRCODE = '22023',
                  HINT = 'For example english, simple or code; \dF in psql lists others. Outside pg_catalog: schema.name, '
                         'and GRANT USAGE ON SCHEMA ... TO docgraph_owner.';
    END IF;
END
$$;

COMMENT ON FUNCTION docgraph.check_text_search(text) IS
    'Core. Refuses what is no text-search configuration of this database (22023).';
REVOKE ALL ON FUNCTION docgraph.check_text_search(text) FROM PUBLIC;
