-- The schema, owned by docgraph_owner. It comes before everything that a revision installs, because
-- Alembic keeps its version table in it.
DO $$
BEGIN
    IF pg_catalog.to_regnamespace('docgraph') IS NULL THEN
        IF NOT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE') THEN
            RAISE EXCEPTION 'this login may not create a schema in database %', pg_catalog.current_database()
                USING ERRCODE = 'KG003',
                      HINT = 'Ask its owner to run GRANT CREATE ON DATABASE … TO the installing login.';
        END IF;
        CREATE SCHEMA docgraph AUTHORIZATION docgraph_owner;
    ELSIF EXISTS (
        SELECT FROM pg_catalog.pg_namespace n
        WHERE n.nspname = 'docgraph' AND n.nspowner <> 'docgraph_owner'::pg_catalog.regrole
    ) THEN
        RAISE EXCEPTION 'there is a schema docgraph already, and it does not belong to docgraph_owner'
            USING ERRCODE = 'KG003',
                  HINT = 'Rename it, use another database, or give it back: ALTER SCHEMA docgraph OWNER TO docgraph_owner;';
    END IF;
END
$$;
