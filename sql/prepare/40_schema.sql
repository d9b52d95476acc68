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
    END IF;
END
$$;
