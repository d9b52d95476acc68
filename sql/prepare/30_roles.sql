-- Roles belong to the whole cluster: created if absent, never dropped (another database may use them).
--
--   docgraph_owner    owns every object; may do nothing else, and is a member of no role
--   docgraph_reader   may call the reading functions
--   docgraph_writer   a reader that may also call the writing functions
--   docgraph_admin    a reader that may also grant access and configure the embedding space
--
-- What a login sees is not decided by these roles but by its ceiling, see tables/access_grants.sql.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['docgraph_owner', 'docgraph_reader', 'docgraph_writer', 'docgraph_admin'] LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE r.rolname = wanted) THEN
            BEGIN
                -- Dynamic only in the name, which is one of the four above.
                EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', wanted);
            EXCEPTION
                -- Another database of this cluster is being installed at the same moment.
                WHEN duplicate_object OR unique_violation THEN NULL;
                WHEN insufficient_privilege THEN
                    RAISE EXCEPTION 'this login may not create the role %', wanted
                        USING ERRCODE = 'KG002',
                              HINT = 'Install as a login with CREATEROLE, or ask for one: ALTER ROLE ... CREATEROLE;';
            END;
        END IF;
    END LOOP;

    IF EXISTS (
        SELECT FROM pg_catalog.pg_roles r
        WHERE r.rolname = 'docgraph_owner'
            AND (r.rolcanlogin OR r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication
                OR EXISTS (SELECT FROM pg_catalog.pg_auth_members m WHERE m.member = r.oid))
    ) THEN
        RAISE EXCEPTION 'the role docgraph_owner is there already, and may do more than own docgraph'
            USING ERRCODE = 'KG002',
                  HINT = 'Find out who made it; then ALTER ROLE docgraph_owner NOLOGIN NOSUPERUSER NOBYPASSRLS '
                         'NOCREATEROLE NOCREATEDB NOREPLICATION; and REVOKE the roles that it is in.';
    END IF;

    BEGIN
        IF NOT pg_catalog.pg_has_role('docgraph_writer', 'docgraph_reader', 'USAGE') THEN
            GRANT docgraph_reader TO docgraph_writer;
        END IF;
        IF NOT pg_catalog.pg_has_role('docgraph_admin', 'docgraph_reader', 'USAGE') THEN
            GRANT docgraph_reader TO docgraph_admin;
        END IF;

        -- The installer acts as the owner while it installs, and is the first administrator and writer.
        -- A superuser needs no membership. Dynamic because WITH SET is a syntax error before PostgreSQL 16.
        IF pg_catalog.current_setting('server_version_num')::integer < 160000 THEN
            IF NOT pg_catalog.pg_has_role(current_user, 'docgraph_owner', 'MEMBER') THEN
                GRANT docgraph_owner TO CURRENT_USER;
            END IF;
        ELSIF NOT pg_catalog.pg_has_role(current_user, 'docgraph_owner', 'SET') THEN
            EXECUTE 'GRANT docgraph_owner TO CURRENT_USER WITH SET TRUE, INHERIT FALSE';
        END IF;
        IF NOT pg_catalog.pg_has_role(current_user, 'docgraph_admin', 'USAGE') THEN
            GRANT docgraph_admin TO CURRENT_USER;
        END IF;
        IF NOT pg_catalog.pg_has_role(current_user, 'docgraph_writer', 'USAGE') THEN
            GRANT docgraph_writer TO CURRENT_USER;
        END IF;
    EXCEPTION
        WHEN insufficient_privilege THEN
            RAISE EXCEPTION 'the roles of docgraph are there already, and the login % may not act as them', current_user
                USING ERRCODE = 'KG002',
                      HINT = 'They were made by another login. Ask a superuser to run GRANT docgraph_owner, '
                             'docgraph_reader, docgraph_writer, docgraph_admin TO the installing login WITH ADMIN OPTION;';
    END;
END
$$;
