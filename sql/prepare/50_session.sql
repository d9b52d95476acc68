-- How the rest is run: as the owner, with pgvector's types in reach and nothing else, without waiting
-- long for a lock, and with row security that refuses instead of hiding rows from a migration.
DO $$
DECLARE
    home text;
BEGIN
    SELECT n.nspname INTO STRICT home
    FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector';

    IF home = 'docgraph' THEN
        RAISE EXCEPTION 'pgvector is in the schema docgraph, which holds docgraph''s own objects only'
            USING ERRCODE = 'KG003', HINT = 'Move it: ALTER EXTENSION vector SET SCHEMA public;';
    END IF;

    -- Dynamic because the schema of the extension differs from server to server.
    IF NOT pg_catalog.has_schema_privilege('docgraph_owner', home, 'USAGE') THEN
        BEGIN
            EXECUTE pg_catalog.format('GRANT USAGE ON SCHEMA %I TO docgraph_owner', home);
        EXCEPTION
            WHEN insufficient_privilege THEN NULL;
        END;
        -- Without the grant option GRANT is no error, it only warns.
        IF NOT pg_catalog.has_schema_privilege('docgraph_owner', home, 'USAGE') THEN
            RAISE EXCEPTION 'docgraph_owner may not use the schema %, where pgvector is', home
                USING ERRCODE = 'KG003',
                      HINT = pg_catalog.format(
                          'Ask the owner of the schema to run GRANT USAGE ON SCHEMA %I TO docgraph_owner;', home);
        END IF;
    END IF;
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, ' || pg_catalog.quote_ident(home), false);
END
$$;

SET lock_timeout = '5s';
SET row_security = off;
SET ROLE docgraph_owner;
