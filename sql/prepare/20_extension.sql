-- pgvector: created where the installer may, used where it already is, in whatever schema that be.
-- It is not a trusted extension: on most managed services only their administrator role may create it.
DO $$
DECLARE
    present text;
BEGIN
    SELECT e.extversion INTO present FROM pg_catalog.pg_extension e WHERE e.extname = 'vector';
    IF present IS NULL THEN
        BEGIN
            CREATE EXTENSION vector;
        EXCEPTION
            WHEN insufficient_privilege THEN
                RAISE EXCEPTION 'this login may not create the extension vector in database %',
                    pg_catalog.current_database()
                    USING ERRCODE = 'KG003',
                          HINT = 'Ask a superuser (on a managed service: its administrator role) to run '
                                 'CREATE EXTENSION vector; in this database, then run this again.';
            WHEN undefined_file OR feature_not_supported THEN
                RAISE EXCEPTION 'pgvector is not installed on this server'
                    USING ERRCODE = 'KG003',
                          HINT = 'Install the pgvector package for this PostgreSQL version (0.8.4 or later), '
                                 'then run this again.';
        END;
        SELECT e.extversion INTO present FROM pg_catalog.pg_extension e WHERE e.extname = 'vector';
    END IF;
    IF pg_catalog.string_to_array(present, '.')::integer[] < ARRAY[0, 8, 4] THEN
        RAISE EXCEPTION 'docgraph needs pgvector 0.8.4 or later, this database has %', present
            USING ERRCODE = 'KG003',
                  DETAIL = 'Older versions can corrupt an HNSW index on vacuum and have CVE-2026-3172.',
                  HINT = 'Upgrade the pgvector package, then: ALTER EXTENSION vector UPDATE;';
    END IF;
END
$$;
