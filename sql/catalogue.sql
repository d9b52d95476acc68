-- What is there: everything of docgraph in the catalogue of this database, one row per object.
--
-- `docgraph db verify` runs this and compares the rows with what the release should be. It reads catalogues
-- only, needs no right beyond CONNECT, and runs on a standby. Run it with an empty search path, so that every
-- name that is not PostgreSQL's own is printed with its schema:
--
--     SET search_path = pg_catalog;
--     \i sql/catalogue.sql
--
-- Left out, because they differ between major versions for the same DDL: not-null constraints as objects
-- (PostgreSQL 18 lists them; the columns say it) and the privilege MAINTAIN (from PostgreSQL 17).
-- The schema of pgvector differs between servers and is left out of names.
WITH
vector AS (
    -- A regular expression for the schema of pgvector, before names of pgvector's own only: anything else from
    -- that schema has no business in docgraph, and is printed with it.
    SELECT format(
        '%s%s[.](?=(%s)([^[:alnum:]_]|$)|(%s)[)])',
        CASE WHEN quote_ident(n.nspname) LIKE '"%' THEN '' ELSE '\m' END,
        regexp_replace(quote_ident(n.nspname), '([^[:alnum:]_])', '\\\1', 'g'),
        (
            SELECT string_agg(DISTINCT coalesce(t.typname, p.proname, o.opcname), '|')
            FROM pg_depend d
            LEFT JOIN pg_type t ON d.classid = 'pg_type'::regclass AND t.oid = d.objid AND t.typname !~ '^_'
            LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
            LEFT JOIN pg_opclass o ON d.classid = 'pg_opclass'::regclass AND o.oid = d.objid
            WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
        ),
        (
            SELECT string_agg(DISTINCT regexp_replace(o.oprname, '(.)', '\\\1', 'g'), '|')
            FROM pg_depend d
            JOIN pg_operator o ON o.oid = d.objid
            WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
                AND d.classid = 'pg_operator'::regclass
        )
    ) AS prefix
    FROM pg_extension e
    JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector'
),
home AS (
    SELECT n.oid, n.nspowner, n.nspacl
    FROM pg_namespace n
    WHERE n.nspname = 'docgraph'
),
privileges AS (
    SELECT
        p.class, p.object, p.part,
        string_agg(
            format('%s: %s', CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END, a.granted),
            '; ' ORDER BY a.grantee = 0 DESC, a.grantee::regrole::text
        ) AS text
    FROM (
        SELECT 'pg_class'::regclass AS class, c.oid AS object, 0 AS part,
            coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner)) AS acl
        FROM pg_class c, home h WHERE c.relnamespace = h.oid
        UNION ALL
        SELECT 'pg_class'::regclass, a.attrelid, a.attnum, a.attacl
        FROM pg_attribute a, pg_class c, home h
        WHERE a.attrelid = c.oid AND c.relnamespace = h.oid AND a.attacl IS NOT NULL
        UNION ALL
        SELECT 'pg_proc'::regclass, f.oid, 0, coalesce(f.proacl, acldefault('f', f.proowner))
        FROM pg_proc f, home h WHERE f.pronamespace = h.oid
        UNION ALL
        SELECT 'pg_namespace'::regclass, h.oid, 0, coalesce(h.nspacl, acldefault('n', h.nspowner))
        FROM home h
        UNION ALL
        SELECT 'pg_default_acl'::regclass, d.oid, 0, d.defaclacl
        FROM pg_default_acl d
    ) AS p
    CROSS JOIN LATERAL (
        SELECT x.grantee, string_agg(
            x.privilege_type || CASE WHEN x.is_grantable THEN '*' ELSE '' END, ', ' ORDER BY x.privilege_type
        ) AS granted
        FROM aclexplode(p.acl) AS x
        WHERE x.privilege_type <> 'MAINTAIN'
        GROUP BY x.grantee
    ) AS a
    GROUP BY p.class, p.object, p.part
),
objects AS (
    SELECT
        format('role %s', r.rolname) AS object,
        concat_ws(
            E'\n',
            CASE WHEN r.rolsuper THEN 'superuser' END,
            CASE WHEN r.rolbypassrls THEN 'bypasses row security' END,
            CASE WHEN r.rolcanlogin THEN 'may log in' END,
            CASE WHEN r.rolcreaterole THEN 'may create roles' END,
            CASE WHEN r.rolcreatedb THEN 'may create databases' END,
            CASE WHEN r.rolreplication THEN 'may replicate' END,
            CASE WHEN NOT r.rolinherit THEN 'does not inherit' END,
            (
                SELECT string_agg(g.line, E'\n' ORDER BY g.line)
                FROM (
                    -- Distinct, because several grantors may have given the same.
                    SELECT DISTINCT concat_ws(
                        ' ',
                        'member of', m.roleid::regrole,
                        CASE WHEN m.admin_option THEN 'with admin option' END,
                        -- As JSON, because PostgreSQL 15 does not have these two.
                        CASE WHEN to_jsonb(m) ->> 'inherit_option' = 'false' THEN 'without inheriting' END,
                        CASE WHEN to_jsonb(m) ->> 'set_option' = 'false' THEN 'without set role' END
                    ) AS line
                    FROM pg_auth_members m
                    WHERE m.member = r.oid
                ) AS g
            ),
            (
                SELECT string_agg(format('setting %s', s.setting), E'\n' ORDER BY s.setting)
                FROM pg_db_role_setting d
                CROSS JOIN LATERAL unnest(d.setconfig) AS s (setting)
                WHERE d.setrole = r.oid
                    AND d.setdatabase IN (0, (SELECT b.oid FROM pg_database b WHERE b.datname = current_database()))
            )
        ) AS body
    FROM pg_roles r
    WHERE r.rolname IN ('docgraph_owner', 'docgraph_reader', 'docgraph_writer', 'docgraph_admin')

    UNION ALL
    SELECT
        'schema docgraph',
        concat_ws(
            E'\n',
            format('owner %s', h.nspowner::regrole),
            format('privileges %s', (
                SELECT p.text FROM privileges p WHERE p.class = 'pg_namespace'::regclass AND p.object = h.oid
            )),
            format('comment %s', obj_description(h.oid, 'pg_namespace'))
        )
    FROM home h

    UNION ALL
    SELECT
        format(
            'default privileges of %s on %s%s', d.defaclrole::regrole,
            CASE d.defaclobjtype WHEN 'f' THEN 'functions' WHEN 'r' THEN 'tables' ELSE d.defaclobjtype::text END,
            ' in schema ' || nullif(d.defaclnamespace, 0)::regnamespace::text
        ),
        (SELECT p.text FROM privileges p WHERE p.class = 'pg_default_acl'::regclass AND p.object = d.oid)
    FROM pg_default_acl d
    WHERE d.defaclrole = (SELECT r.oid FROM pg_roles r WHERE r.rolname = 'docgraph_owner')
        OR d.defaclnamespace = (SELECT h.oid FROM home h)

    UNION ALL
    SELECT
        format(
            'function %s(%s)', f.oid::regproc,
            regexp_replace(pg_get_function_identity_arguments(f.oid), (SELECT v.prefix FROM vector v), '', 'g')
        ),
        concat_ws(
            E'\n',
            format('owner %s', f.proowner::regrole),
            format('privileges %s', (
                SELECT p.text FROM privileges p WHERE p.class = 'pg_proc'::regclass AND p.object = f.oid
            )),
            format('comment %s', obj_description(f.oid, 'pg_proc')),
            CASE
                WHEN f.prokind NOT IN ('f', 'p') THEN 'an aggregate or window function'
                ELSE regexp_replace(pg_get_functiondef(f.oid), (SELECT v.prefix FROM vector v), '', 'g')
            END
        )
    FROM pg_proc f, home h
    WHERE f.pronamespace = h.oid

    UNION ALL
    SELECT
        format(
            '%s %s',
            CASE c.relkind
                WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' WHEN 'v' THEN 'view'
                WHEN 'm' THEN 'materialised view' WHEN 'f' THEN 'foreign table' WHEN 'c' THEN 'composite type'
            END,
            c.oid::regclass
        ),
        concat_ws(
            E'\n',
            format('owner %s', c.relowner::regrole),
            format('privileges %s', (
                SELECT p.text FROM privileges p
                WHERE p.class = 'pg_class'::regclass AND p.object = c.oid AND p.part = 0
            )),
            format('comment %s', obj_description(c.oid, 'pg_class')),
            CASE WHEN c.relrowsecurity THEN 'row security' ELSE 'no row security' END
                || CASE WHEN c.relforcerowsecurity THEN ', forced' ELSE '' END,
            CASE WHEN c.relpersistence <> 'p' THEN 'not permanent' END,
            -- How often a table is vacuumed is the administrator's affair.
            (
                SELECT 'options ' || string_agg(o.setting, ', ' ORDER BY o.setting)
                FROM unnest(c.reloptions) AS o (setting)
                WHERE o.setting !~ '^(toast[.])?autovacuum_'
            ),
            CASE WHEN c.relreplident <> 'd' AND c.relkind = 'r' THEN format('replica identity %s', c.relreplident) END,
            'as ' || CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END,
            (
                SELECT string_agg(
                    CASE WHEN i.inhrelid = c.oid THEN format('inherits %s', i.inhparent::regclass)
                        ELSE format('inherited by %s', i.inhrelid::regclass) END,
                    E'\n' ORDER BY i.inhrelid = c.oid, i.inhrelid::regclass::text, i.inhparent::regclass::text
                )
                FROM pg_inherits i
                WHERE c.oid IN (i.inhrelid, i.inhparent)
            ),
            (
                SELECT string_agg(
                    concat_ws(
                        ' ',
                        'column', quote_ident(a.attname),
                        regexp_replace(format_type(a.atttypid, a.atttypmod), (SELECT v.prefix FROM vector v), ''),
                        CASE WHEN a.attcollation <> t.typcollation
                            THEN 'collate ' || a.attcollation::regcollation::text END,
                        CASE WHEN a.attnotnull THEN 'not null' END,
                        'default ' || pg_get_expr(d.adbin, d.adrelid),
                        CASE a.attidentity WHEN 'a' THEN 'identity always' WHEN 'd' THEN 'identity by default' END,
                        CASE WHEN a.attgenerated <> '' THEN 'generated' END,
                        CASE WHEN a.attstorage <> t.typstorage THEN 'storage ' || a.attstorage::text END,
                        (
                            SELECT 'privileges ' || p.text FROM privileges p
                            WHERE p.class = 'pg_class'::regclass AND p.object = c.oid AND p.part = a.attnum
                        ),
                        '-- ' || col_description(c.oid, a.attnum)
                    ),
                    -- By name: a column that was added later stands last in the table.
                    E'\n' ORDER BY a.attname COLLATE "C"
                )
                FROM pg_attribute a
                JOIN pg_type t ON t.oid = a.atttypid
                LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            ),
            (
                SELECT string_agg(
                    concat_ws(
                        ' ',
                        'constraint', quote_ident(k.conname), pg_get_constraintdef(k.oid),
                        CASE WHEN NOT k.convalidated THEN '(not validated)' END,
                        '-- ' || obj_description(k.oid, 'pg_constraint')
                    ),
                    E'\n' ORDER BY k.conname COLLATE "C"
                )
                FROM pg_constraint k
                WHERE k.conrelid = c.oid AND k.contype <> 'n'
            ),
            (
                SELECT string_agg(
                    concat_ws(
                        ' ',
                        'policy', quote_ident(p.polname),
                        CASE WHEN p.polpermissive THEN 'permissive' ELSE 'restrictive' END,
                        'for', CASE p.polcmd WHEN '*' THEN 'all' ELSE p.polcmd::text END,
                        'to', (
                            SELECT string_agg(
                                CASE r.oid WHEN 0 THEN 'PUBLIC' ELSE r.oid::regrole::text END, ', ' ORDER BY r.oid
                            )
                            FROM unnest(p.polroles) AS r (oid)
                        ),
                        'using ' || pg_get_expr(p.polqual, p.polrelid),
                        'with check ' || pg_get_expr(p.polwithcheck, p.polrelid),
                        '-- ' || obj_description(p.oid, 'pg_policy')
                    ),
                    E'\n' ORDER BY p.polname COLLATE "C"
                )
                FROM pg_policy p
                WHERE p.polrelid = c.oid
            ),
            (
                SELECT string_agg(
                    concat_ws(' ', 'trigger', pg_get_triggerdef(g.oid), CASE g.tgenabled WHEN 'O' THEN '' ELSE 'disabled' END),
                    E'\n' ORDER BY g.tgname COLLATE "C"
                )
                FROM pg_trigger g
                WHERE g.tgrelid = c.oid AND NOT g.tgisinternal
            ),
            (
                SELECT string_agg(format('published by %I', b.pubname), E'\n' ORDER BY b.pubname)
                FROM pg_publication b
                WHERE b.puballtables
                    OR EXISTS (SELECT FROM pg_publication_rel l WHERE l.prpubid = b.oid AND l.prrelid = c.oid)
            ),
            (
                SELECT string_agg('rule ' || pg_get_ruledef(w.oid), E'\n' ORDER BY w.rulename COLLATE "C")
                FROM pg_rewrite w
                WHERE w.ev_class = c.oid AND w.rulename <> '_RETURN'
            ),
            (
                SELECT 'internal triggers disabled'
                FROM pg_trigger g
                WHERE g.tgrelid = c.oid AND g.tgisinternal AND g.tgenabled <> 'O'
                LIMIT 1
            )
        )
    FROM pg_class c, home h
    WHERE c.relnamespace = h.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c')

    UNION ALL
    SELECT
        format('index %s', c.oid::regclass),
        concat_ws(
            E'\n',
            format('owner %s', c.relowner::regrole),
            'comment ' || obj_description(c.oid, 'pg_class'),
            CASE WHEN NOT (i.indisvalid AND i.indisready AND i.indislive) THEN 'INVALID' END,
            regexp_replace(pg_get_indexdef(c.oid), (SELECT v.prefix FROM vector v), '', 'g')
        )
    FROM pg_class c
    JOIN pg_index i ON i.indexrelid = c.oid
    JOIN home h ON c.relnamespace = h.oid

    UNION ALL
    SELECT
        format('sequence %s', c.oid::regclass),
        concat_ws(
            E'\n',
            format('owner %s', c.relowner::regrole),
            format('privileges %s', (
                SELECT p.text FROM privileges p
                WHERE p.class = 'pg_class'::regclass AND p.object = c.oid AND p.part = 0
            )),
            'comment ' || obj_description(c.oid, 'pg_class'),
            format(
                'type %s start %s step %s from %s to %s cache %s',
                s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache
            )
                || CASE WHEN s.seqcycle THEN ' cycles' ELSE '' END
        )
    FROM pg_class c
    JOIN pg_sequence s ON s.seqrelid = c.oid
    JOIN home h ON c.relnamespace = h.oid

    UNION ALL
    -- Nothing else belongs here: collations, text-search objects, operator classes, statistics and so on.
    SELECT pg_describe_object(d.classid, d.objid, 0), 'of another kind'
    FROM pg_depend d, home h
    WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = h.oid
        AND d.classid NOT IN (
            'pg_class'::regclass, 'pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass,
            'pg_constraint'::regclass, 'pg_default_acl'::regclass
        )

    UNION ALL
    SELECT
        format('type %s', t.oid::regtype), format('of kind %s', t.typtype)
    FROM pg_type t, home h
    WHERE t.typnamespace = h.oid AND t.typtype IN ('d', 'e', 'r', 'm', 'p')

    UNION ALL
    SELECT
        format('operator %s', o.oid::regoperator), format('calls %s', o.oprcode)
    FROM pg_operator o, home h
    WHERE o.oprnamespace = h.oid
)
SELECT o.object, rtrim(o.body, E'\n') AS body
FROM objects o
ORDER BY o.object COLLATE "C";
