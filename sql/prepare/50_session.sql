-- How the rest of this transaction is run: as the owner, without waiting long for a lock, with row security that
-- refuses instead of hiding rows from a migration, and with backslashes that are backslashes.
--
-- The few files that name types or functions of pgvector put its schema on the path, for themselves only:
-- docgraph.pgvector_path says how. In them stands no expression that something else in that schema could capture.
DO $$
DECLARE
    home text;
BEGIN
    SELECT n.nspname INTO STRICT home
    FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector';

    -- Its owner could put types of the same names in its place while this runs. On a search path "$user" would
    -- mean another schema.
    IF home = '$user' OR NOT EXISTS (
        SELECT
        FROM pg_catalog.pg_extension e
        JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
        JOIN pg_catalog.pg_roles r ON r.oid = n.nspowner
        WHERE e.extname = 'vector'
            AND (r.rolsuper OR r.oid = e.extowner OR r.rolname IN (current_user, 'pg_database_owner'))
    ) THEN
        RAISE EXCEPTION 'the schema %, where pgvector is, belongs to somebody who has no say in docgraph', home
            USING ERRCODE = 'KG002',
                  HINT = 'Move pgvector to a schema of an administrator: ALTER EXTENSION vector SET SCHEMA public;';
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
                USING ERRCODE = 'KG002',
                      HINT = pg_catalog.format(
                          'Ask the owner of the schema to run GRANT USAGE ON SCHEMA %I TO docgraph_owner;', home);
        END IF;
    END IF;
    PERFORM pg_catalog.set_config('docgraph.pgvector_path', 'pg_catalog, ' || pg_catalog.quote_ident(home), true);
END
$$;

SET LOCAL lock_timeout = '5s';
SET LOCAL row_security = off;
SET LOCAL standard_conforming_strings = on;
SET LOCAL ROLE docgraph_owner;
