-- The server must be able to hold docgraph: checked first, so that nothing is half installed.
DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::integer < 150000 THEN
        RAISE EXCEPTION 'docgraph needs PostgreSQL 15 or later, this server is %',
            pg_catalog.current_setting('server_version')
            USING ERRCODE = 'KG002', HINT = 'Upgrade the server, or name another one.';
    END IF;
    IF pg_catalog.current_setting('server_encoding') <> 'UTF8' THEN
        RAISE EXCEPTION 'docgraph needs a database in UTF8, this one is in %',
            pg_catalog.current_setting('server_encoding')
            USING ERRCODE = 'KG002',
                  HINT = 'Create one: CREATE DATABASE docgraph TEMPLATE template0 ENCODING ''UTF8'';';
    END IF;
END
$$;
