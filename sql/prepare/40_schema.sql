-- The schema, owned by docgraph_owner. It comes before everything that a revision installs, because
-- Alembic keeps its version table in it.
DO $$
BEGIN
    IF pg_catalog.to_regnamespace('docgraph') IS NULL THEN
        IF NOT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE') THEN
            RAISE EXCEPTION 'this login may not create a schema in database %', pg_catalog.current_database()
                USING ERRCODE = 'KG002',
                      HINT = 'Ask its owner to run GRANT CREATE ON DATABASE ... TO the installing login.';
        END IF;
        CREATE SCHEMA docgraph AUTHORIZATION docgraph_owner;
    ELSIF EXISTS (
        SELECT FROM pg_catalog.pg_namespace n
        WHERE n.nspname = 'docgraph' AND (
            n.nspowner <> 'docgraph_owner'::pg_catalog.regrole::pg_catalog.oid
            OR EXISTS (
                SELECT FROM pg_catalog.pg_class c
                WHERE c.relnamespace = n.oid AND c.relowner <> n.nspowner
            )
            OR EXISTS (
                SELECT FROM pg_catalog.pg_proc p
                WHERE p.pronamespace = n.oid AND p.proowner <> n.nspowner
            )
        )
    ) THEN
        RAISE EXCEPTION 'there is a schema docgraph already, and not all of it belongs to docgraph_owner'
            USING ERRCODE = 'KG002',
                  HINT = 'Find out who made the schema docgraph; rename or drop it, or use another database.';
    END IF;
END
$$;
