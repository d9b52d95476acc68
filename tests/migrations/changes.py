"""Changes by hand that verification must find."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """A change, the object that differs afterwards, and a line of the diff."""

    name: str
    statement: str
    object: str
    line: str
    kind: str = "changed"

    def __str__(self) -> str:
        return self.name


CHECK_TENANT = "function docgraph.check_tenant(tenant text)"
CHUNKS = "table docgraph.vector_chunks"
DOCUMENTS = "table docgraph.document_nodes"
CLASS_INDEX = "index docgraph.vector_chunks_class_idx"
VECTOR_INDEX = "index docgraph.vector_chunks_embedding_idx"

FUNCTIONS = [
    Case(
        "body",
        # As one does it in an emergency: the function as it is, with a line more.
        "DO $do$ BEGIN EXECUTE replace(pg_get_functiondef('docgraph.check_tenant(text)'::regprocedure),"
        " E'\nBEGIN\n', E'\nBEGIN\n    RETURN; -- hot patch\n'); END $do$",
        CHECK_TENANT,
        "+    RETURN; -- hot patch",
    ),
    Case("volatility", "ALTER FUNCTION docgraph.check_tenant(text) VOLATILE", CHECK_TENANT, "- IMMUTABLE"),
    Case(
        "parallel", "ALTER FUNCTION docgraph.check_tenant(text) PARALLEL SAFE", CHECK_TENANT, "PARALLEL SAFE"
    ),
    Case("strict", "ALTER FUNCTION docgraph.check_tenant(text) STRICT", CHECK_TENANT, "STRICT"),
    Case("leakproof", "ALTER FUNCTION docgraph.check_tenant(text) LEAKPROOF", CHECK_TENANT, "LEAKPROOF"),
    Case(
        "invoker",
        "ALTER FUNCTION docgraph.allowed_tenants() SECURITY INVOKER",
        "function docgraph.allowed_tenants()",
        "- STABLE SECURITY DEFINER",
    ),
    Case(
        "search path changed",
        "ALTER FUNCTION docgraph.check_tenant(text) SET search_path = public",
        CHECK_TENANT,
        "+ SET search_path TO 'public'",
    ),
    Case(
        "search path lost",
        "ALTER FUNCTION docgraph.check_tenant(text) RESET search_path",
        CHECK_TENANT,
        "- SET search_path TO 'pg_catalog', 'pg_temp'",
    ),
    Case(
        "another setting",
        "ALTER FUNCTION docgraph.check_tenant(text) SET row_security = off",
        CHECK_TENANT,
        "+ SET row_security TO 'off'",
    ),
    Case(
        "execute to public",
        "GRANT EXECUTE ON FUNCTION docgraph.list_access(text) TO PUBLIC",
        "function docgraph.list_access(tenant text)",
        "+privileges PUBLIC: EXECUTE; ",
    ),
    Case(
        "execute to another role",
        "GRANT EXECUTE ON FUNCTION docgraph.list_access(text) TO docgraph_reader",
        "function docgraph.list_access(tenant text)",
        "docgraph_reader: EXECUTE",
    ),
    Case(
        "grant revoked",
        "REVOKE EXECUTE ON FUNCTION docgraph.list_access(text) FROM docgraph_admin",
        "function docgraph.list_access(tenant text)",
        "+privileges docgraph_owner: EXECUTE",
    ),
    Case(
        "right to grant",
        "GRANT EXECUTE ON FUNCTION docgraph.list_access(text) TO docgraph_admin WITH GRANT OPTION",
        "function docgraph.list_access(tenant text)",
        "docgraph_admin: EXECUTE*",
    ),
    Case(
        "owner",
        "ALTER FUNCTION docgraph.check_tenant(text) OWNER TO CURRENT_USER",
        CHECK_TENANT,
        "-owner docgraph_owner",
    ),
    Case(
        "comment",
        "COMMENT ON FUNCTION docgraph.check_tenant(text) IS 'Checks nothing.'",
        CHECK_TENANT,
        "+comment Checks nothing.",
    ),
    Case(
        "dropped",
        "DROP FUNCTION docgraph.revoke_access(text, text)",
        "function docgraph.revoke_access(tenant text, login text)",
        "-owner docgraph_owner",
        "missing",
    ),
    Case(
        "overload",
        "CREATE FUNCTION docgraph.check_tenant(tenant integer) RETURNS void LANGUAGE sql RETURN NULL",
        "function docgraph.check_tenant(tenant integer)",
        "+CREATE OR REPLACE FUNCTION docgraph.check_tenant(tenant integer)",
        "unexpected",
    ),
    Case(
        "procedure",
        "CREATE PROCEDURE docgraph.tidy() LANGUAGE sql AS 'SELECT 1'",
        "function docgraph.tidy()",
        "+CREATE OR REPLACE PROCEDURE docgraph.tidy()",
        "unexpected",
    ),
    Case(
        "aggregate",
        "CREATE AGGREGATE docgraph.total(integer) (sfunc = int4pl, stype = integer)",
        "function docgraph.total(integer)",
        "+an aggregate or window function",
        "unexpected",
    ),
]

WALL = [
    Case("no force", f"ALTER {DOCUMENTS} NO FORCE ROW LEVEL SECURITY", DOCUMENTS, "-row security, forced"),
    Case(
        "no row security",
        f"ALTER {DOCUMENTS} DISABLE ROW LEVEL SECURITY",
        DOCUMENTS,
        "+no row security, forced",
    ),
    Case(
        "policy dropped",
        "DROP POLICY tenant_wall ON docgraph.document_nodes",
        DOCUMENTS,
        "-policy tenant_wall",
    ),
    Case(
        "policy widened",
        "ALTER POLICY tenant_wall ON docgraph.document_nodes USING (true)",
        DOCUMENTS,
        "+policy tenant_wall permissive for all to PUBLIC using true",
    ),
    Case(
        "policy with a check",
        "ALTER POLICY tenant_wall ON docgraph.document_nodes WITH CHECK (true)",
        DOCUMENTS,
        "with check true",
    ),
    Case(
        "policy for one role",
        "ALTER POLICY tenant_wall ON docgraph.document_nodes TO docgraph_reader",
        DOCUMENTS,
        "for all to docgraph_reader",
    ),
    Case(
        "policy added",
        "CREATE POLICY also ON docgraph.document_nodes FOR SELECT USING (true)",
        DOCUMENTS,
        "+policy also permissive for r to PUBLIC using true",
    ),
    Case("table owner", f"ALTER {CHUNKS} OWNER TO CURRENT_USER", CHUNKS, "-owner docgraph_owner"),
    Case("table right", f"GRANT SELECT ON {CHUNKS} TO docgraph_reader", CHUNKS, "docgraph_reader: SELECT"),
    Case(
        "column right",
        f"GRANT SELECT (text) ON {CHUNKS} TO docgraph_reader",
        CHUNKS,
        "privileges docgraph_reader: SELECT",
    ),
    Case("schema right", "GRANT CREATE ON SCHEMA docgraph TO PUBLIC", "schema docgraph", "PUBLIC: CREATE"),
    Case(
        "schema owner",
        "ALTER SCHEMA docgraph OWNER TO CURRENT_USER",
        "schema docgraph",
        "-owner docgraph_owner",
    ),
    Case(
        "default rights taken back",
        "ALTER DEFAULT PRIVILEGES FOR ROLE docgraph_owner GRANT EXECUTE ON FUNCTIONS TO PUBLIC",
        "default privileges of docgraph_owner on functions",
        "-docgraph_owner: EXECUTE",
        "missing",
    ),
    Case(
        "default rights on tables",
        "ALTER DEFAULT PRIVILEGES FOR ROLE docgraph_owner IN SCHEMA docgraph"
        " GRANT SELECT ON TABLES TO docgraph_reader",
        "default privileges of docgraph_owner on tables in schema docgraph",
        "+docgraph_reader: SELECT",
        "unexpected",
    ),
]

TABLES = [
    Case(
        "table added",
        "CREATE TABLE docgraph.extra (a integer)",
        "table docgraph.extra",
        "+column a integer",
        "unexpected",
    ),
    Case(
        "view added",
        "CREATE VIEW docgraph.peek AS SELECT text FROM docgraph.vector_chunks",
        "view docgraph.peek",
        "+as  SELECT text",
        "unexpected",
    ),
    Case("column added", f"ALTER {CHUNKS} ADD COLUMN extra text", CHUNKS, "+column extra text"),
    Case(
        "column nullable",
        f"ALTER {CHUNKS} ALTER COLUMN token_count DROP NOT NULL",
        CHUNKS,
        "+column token_count integer -- Length in tokens.",
    ),
    Case(
        "default",
        f"ALTER {DOCUMENTS} ALTER COLUMN title SET DEFAULT 'none'",
        DOCUMENTS,
        "default 'none'::text",
    ),
    Case(
        "default lost",
        f"ALTER {DOCUMENTS} ALTER COLUMN title DROP DEFAULT",
        DOCUMENTS,
        "+column title text not null --",
    ),
    Case(
        "collation",
        f'ALTER {DOCUMENTS} ALTER COLUMN title TYPE text COLLATE "C"',
        DOCUMENTS,
        '+column title text collate "C"',
    ),
    Case("storage", f"ALTER {CHUNKS} ALTER COLUMN text SET STORAGE EXTERNAL", CHUNKS, "storage e"),
    Case("fill factor", f"ALTER {CHUNKS} SET (fillfactor = 50)", CHUNKS, "+options fillfactor=50"),
    Case(
        "unlogged",
        "ALTER TABLE docgraph.lexical_terms SET UNLOGGED",
        "table docgraph.lexical_terms",
        "+not permanent",
    ),
    Case(
        "constraint dropped",
        f"ALTER {CHUNKS} DROP CONSTRAINT vector_chunks_ordinal_check",
        CHUNKS,
        "-constraint vector_chunks_ordinal_check",
    ),
    Case(
        "foreign key dropped",
        f"ALTER {CHUNKS} DROP CONSTRAINT vector_chunks_document_fkey",
        CHUNKS,
        "-constraint vector_chunks_document_fkey",
    ),
    Case(
        "constraint not valid",
        f"ALTER {CHUNKS} DROP CONSTRAINT vector_chunks_ordinal_check,"
        " ADD CONSTRAINT vector_chunks_ordinal_check CHECK (ordinal >= 0) NOT VALID",
        CHUNKS,
        "(not validated)",
    ),
    Case("triggers disabled", f"ALTER {CHUNKS} DISABLE TRIGGER ALL", CHUNKS, "+internal triggers disabled"),
    Case(
        "trigger added",
        f"CREATE TRIGGER quiet BEFORE UPDATE ON {CHUNKS.removeprefix('table ')}"
        " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        CHUNKS,
        "+trigger CREATE TRIGGER quiet",
    ),
    Case(
        "rule added",
        "CREATE RULE keep AS ON DELETE TO docgraph.vector_chunks DO INSTEAD NOTHING",
        CHUNKS,
        "+rule CREATE RULE keep AS",
    ),
    Case("comment edited", f"COMMENT ON {CHUNKS} IS 'Other words.'", CHUNKS, "+comment Other words."),
    Case(
        "column comment lost",
        "COMMENT ON COLUMN docgraph.vector_chunks.text IS NULL",
        CHUNKS,
        "-column text text not null -- The text.",
    ),
    Case(
        "embedding type",
        f"DROP {VECTOR_INDEX}; ALTER {CHUNKS} ALTER COLUMN embedding TYPE halfvec(5)",
        CHUNKS,
        "+column embedding halfvec(5)",
    ),
    Case(
        "table dropped",
        "DROP TABLE docgraph.document_references",
        "table docgraph.document_references",
        "-owner docgraph_owner",
        "missing",
    ),
    Case(
        "enum added",
        "CREATE TYPE docgraph.mood AS ENUM ('ok')",
        "type docgraph.mood",
        "+of kind e",
        "unexpected",
    ),
    Case(
        "operator added",
        "CREATE OPERATOR docgraph.= (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq)",
        "operator docgraph.=(text,text)",
        "+calls texteq",
        "unexpected",
    ),
    Case(
        "child",
        # Its rows would be read with those of its parent, from wherever it is.
        "CREATE TABLE public.child () INHERITS (docgraph.document_nodes)",
        DOCUMENTS,
        "+inherited by public.child",
    ),
    Case(
        "statistics added",
        "CREATE STATISTICS docgraph.pairs ON tenant_id, access_class FROM docgraph.vector_chunks",
        "statistics object docgraph.pairs",
        "+of another kind",
        "unexpected",
    ),
    Case(
        "collation added",
        'CREATE COLLATION docgraph.here FROM "C"',
        "collation docgraph.here",
        "+of another kind",
        "unexpected",
    ),
    Case(
        "text search added",
        "CREATE TEXT SEARCH CONFIGURATION docgraph.here (COPY = simple)",
        "text search configuration docgraph.here",
        "+of another kind",
        "unexpected",
    ),
    Case("domain added", "CREATE DOMAIN docgraph.id AS text", "type docgraph.id", "+of kind d", "unexpected"),
    Case(
        "sequence added",
        "CREATE SEQUENCE docgraph.here",
        "sequence docgraph.here",
        "+type bigint start 1",
        "unexpected",
    ),
    Case(
        "identity",
        "ALTER TABLE docgraph.access_classes ALTER COLUMN access_class ADD GENERATED BY DEFAULT AS IDENTITY",
        "table docgraph.access_classes",
        "identity by default",
    ),
]

INDEXES = [
    Case("dropped", f"DROP {CLASS_INDEX}", CLASS_INDEX, "-CREATE INDEX vector_chunks_class_idx", "missing"),
    Case(
        "added",
        "CREATE INDEX extra ON docgraph.vector_chunks (token_count)",
        "index docgraph.extra",
        "+CREATE INDEX extra ON docgraph.vector_chunks USING btree (token_count)",
        "unexpected",
    ),
    Case(
        "another operator class",
        f"DROP {VECTOR_INDEX}; CREATE INDEX vector_chunks_embedding_idx ON docgraph.vector_chunks"
        " USING hnsw (embedding halfvec_l2_ops); COMMENT ON INDEX docgraph.vector_chunks_embedding_idx"
        " IS 'Approximate search by chunk.'",
        VECTOR_INDEX,
        "docgraph.vector_chunks USING hnsw (embedding halfvec_l2_ops)",
    ),
    Case(
        "invalid",
        # What a CREATE INDEX CONCURRENTLY that failed leaves behind.
        "UPDATE pg_index SET indisvalid = false"
        " WHERE indexrelid = 'docgraph.vector_chunks_class_idx'::regclass",
        CLASS_INDEX,
        "+INVALID",
    ),
]

ROLES = [
    Case("bypass", "ALTER ROLE docgraph_owner BYPASSRLS", "role docgraph_owner", "+bypasses row security"),
    Case("superuser", "ALTER ROLE docgraph_owner SUPERUSER", "role docgraph_owner", "+superuser"),
    Case("login", "ALTER ROLE docgraph_owner LOGIN", "role docgraph_owner", "+may log in"),
    Case("roles", "ALTER ROLE docgraph_admin CREATEROLE", "role docgraph_admin", "+may create roles"),
    Case("databases", "ALTER ROLE docgraph_admin CREATEDB", "role docgraph_admin", "+may create databases"),
    Case("replication", "ALTER ROLE docgraph_reader REPLICATION", "role docgraph_reader", "+may replicate"),
    Case("inherit", "ALTER ROLE docgraph_writer NOINHERIT", "role docgraph_writer", "+does not inherit"),
    Case(
        "setting",
        "ALTER ROLE docgraph_owner SET row_security = off",
        "role docgraph_owner",
        "+setting row_security=off",
    ),
    Case(
        "member of the owner",
        "GRANT docgraph_owner TO docgraph_reader",
        "role docgraph_reader",
        "+member of docgraph_owner",
    ),
    Case(
        "member of another",
        "GRANT pg_read_all_data TO docgraph_reader",
        "role docgraph_reader",
        "+member of pg_read_all_data",
    ),
    Case(
        "right to pass on",
        "GRANT docgraph_reader TO docgraph_writer WITH ADMIN OPTION",
        "role docgraph_writer",
        "+member of docgraph_reader with admin option",
    ),
    Case(
        "no longer a member",
        "REVOKE docgraph_reader FROM docgraph_writer",
        "role docgraph_writer",
        "-member of docgraph_reader",
    ),
]

BROKEN_SPACE = [
    Case(
        "missing",
        "DROP FUNCTION docgraph.embedding_space()",
        "function docgraph.embedding_space()",
        "-owner docgraph_owner",
        "missing",
    ),
    Case(
        "without its table",
        "DROP TABLE docgraph.embedding_space",
        "table docgraph.embedding_space",
        "-owner docgraph_owner",
        "missing",
    ),
    Case(
        "out of reach",
        "ALTER SCHEMA docgraph OWNER TO CURRENT_USER",
        "schema docgraph",
        "-owner docgraph_owner",
    ),
]
