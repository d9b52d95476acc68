-- pgvector: created where the installer may, used where it already is, in whatever schema that be.
-- It is not a trusted extension: on most managed services only their administrator role may create it.
DO $$
DECLARE
    present text;
BEGIN
    SELECT e.extversion INTO present FROM pg_catalog.pg_extension e WHERE e.extname = 'vector';
    IF present IS NULL THEN
        BEGIN
            -- In a schema that is named: the search path of the login may be empty.
            CREATE EXTENSION vector SCHEMA public;
        EXCEPTION
            WHEN duplicate_object OR duplicate_function OR duplicate_table THEN
                RAISE EXCEPTION 'the schema public has an object of the name of one of pgvector''s'
                    USING ERRCODE = 'KG002',
                          HINT = 'Find out who made it, and drop it; or create pgvector in another schema.';
            WHEN invalid_schema_name THEN
                RAISE EXCEPTION 'there is no schema public to create the extension vector in'
                    USING ERRCODE = 'KG002',
                          HINT = 'Create it in a schema of your choice, CREATE EXTENSION vector SCHEMA ...; '
                                 'then run this again.';
            WHEN insufficient_privilege THEN
                RAISE EXCEPTION 'this login may not create the extension vector in database %',
                    pg_catalog.current_database()
                    USING ERRCODE = 'KG002',
                          HINT = 'Ask a superuser (on a managed service: its administrator role) to run '
                                 'CREATE EXTENSION vector; in this database, then run this again.';
            WHEN undefined_file OR feature_not_supported THEN
                RAISE EXCEPTION 'pgvector is not installed on this server'
                    USING ERRCODE = 'KG002',
                          HINT = 'Install the pgvector package for this PostgreSQL version (0.8.4 or later), '
                                 'then run this again.';
        END;
        SELECT e.extversion INTO present FROM pg_catalog.pg_extension e WHERE e.extname = 'vector';
    END IF;
    -- The leading numbers only: a version may end in -dev or the like.
    IF pg_catalog.string_to_array(pg_catalog.substring(present, '^[0-9]+(?:[.][0-9]+)*'), '.')::integer[]
        < ARRAY[0, 8, 4]
    THEN
        RAISE EXCEPTION 'docgraph needs pgvector 0.8.4 or later, this database has %', present
            USING ERRCODE = 'KG002',
                  DETAIL = 'Older versions can corrupt HNSW indexes on vacuum; up to 0.8.1 they have CVE-2026-3172.',
                  HINT = 'Upgrade the pgvector package, then ALTER EXTENSION vector UPDATE; and REINDEX its indexes.';
    END IF;
    IF EXISTS (
        SELECT
        FROM pg_catalog.pg_extension e
        JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
        WHERE e.extname = 'vector' AND n.nspname = 'docgraph'
    ) THEN
        RAISE EXCEPTION 'pgvector is in the schema docgraph, which holds docgraph''s own objects only'
            USING ERRCODE = 'KG002', HINT = 'Move it: ALTER EXTENSION vector SET SCHEMA public;';
    END IF;
END
$$;
