"""The wall: what a login that is only a reader may not do, and may not do by detours either."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql

from docgraph import calls
from docgraph.calls import Call
from tests.conftest import Installed
from tests.documents import put_document
from tests.servers import Server
from tests.sql.asking import VALID, Connection, ask, contents, refusal, refused, tables
from tests.sql.layers import install_probes, visible_documents
from tests.sql.scratch import scratch_database

READER, WIDE = "wall_reader", "wall_wide"
CLAIM = json.dumps({"tags": ["hr", "law"], "labels": ["secret"], "clearance": 9})
SEEN = ["of hr", "public"]
NOT_OF_A_TENANT = {
    "alembic_version": "version_num",
    "embedding_space": "model",
    "next_embedding_space": "model",
}
"""Tables without a tenant, and a column of each."""


@pytest.fixture(scope="module")
def walled(server: Server, worker: str, template: str) -> Iterator[Installed]:
    """Documents of two tenants, a reader with a narrow ceiling in one, and a login that sees all."""
    with scratch_database(server, worker, template) as found, found.connect() as superuser:
        install_probes(superuser)
        for tenant in ("default", "other"):
            put_document(superuser, "public", tenant)
            put_document(superuser, "of hr", tenant, tags=("hr",))
            put_document(superuser, "of law", tenant, tags=("law",))
            put_document(superuser, "secret", tenant, labels=("secret",))
            put_document(superuser, "high", tenant, clearance=9)
        found.reader(READER, tags=["hr"], labels=[], clearance=1)
        for tenant in ("default", "other"):
            found.grant(WIDE, tenant)
        found.cluster.login(WIDE, member_of="docgraph_reader")
        superuser.execute(sql.SQL("CREATE SCHEMA lair AUTHORIZATION {}").format(sql.Identifier(READER)))
        superuser.execute(
            f"CREATE SCHEMA wide; GRANT CREATE, USAGE ON SCHEMA wide TO {WIDE}, {READER}".encode()
        )
        superuser.execute("ANALYZE")
        yield found


@pytest.fixture
def reader(walled: Installed) -> Iterator[Connection]:
    with walled.connect(READER) as connection:
        yield connection


@pytest.fixture(scope="module")
def names(walled: Installed) -> list[str]:
    with walled.connect() as superuser:
        return tables(superuser)


def holds(connection: Connection) -> None:
    """The reader has what it has, no more and no less."""
    found = ask(connection, calls.WHOAMI, access=CLAIM)
    assert (found.login, found.tags, found.labels, found.clearance) == (READER, ("hr",), (), 1)
    assert visible_documents(connection, "default", CLAIM) == SEEN
    assert refusal(connection, calls.WHOAMI, tenant="other").diag.sqlstate == "42501"
    assert refused(connection, "SELECT probe.documents('other', '{}')").diag.sqlstate == "42501"


def test_it_sees_what_its_ceiling_allows(reader: Connection) -> None:
    holds(reader)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT FROM docgraph.{}",
        "SELECT count(*) FROM docgraph.{}",
        "SELECT ctid FROM docgraph.{}",
        "EXPLAIN SELECT FROM docgraph.{}",
        "INSERT INTO docgraph.{} DEFAULT VALUES",
        "UPDATE docgraph.{} SET ctid = ctid",
        "DELETE FROM docgraph.{}",
        "TRUNCATE docgraph.{}",
        "COPY docgraph.{} TO STDOUT",
        "LOCK TABLE docgraph.{} IN ACCESS SHARE MODE",
        "ALTER TABLE docgraph.{} DISABLE ROW LEVEL SECURITY",
        "DROP TABLE docgraph.{}",
        "CREATE TABLE lair.child () INHERITS (docgraph.{})",
        "CREATE TABLE lair.child (LIKE docgraph.{})",
        "CREATE INDEX ON docgraph.{} ((1))",
        "CREATE POLICY mine ON docgraph.{} USING (true)",
        "CREATE RULE mine AS ON INSERT TO docgraph.{} DO NOTHING",
        "CREATE STATISTICS lair.mine ON (1) FROM docgraph.{}",
        "CREATE VIEW lair.mine AS SELECT FROM docgraph.{}; SELECT FROM lair.mine",
        "GRANT SELECT ON docgraph.{} TO wall_wide",
        "COMMENT ON TABLE docgraph.{} IS 'mine'",
        "ANALYZE docgraph.{}; SELECT 1/0",
    ],
)
def test_no_table_can_be_touched(reader: Connection, names: list[str], statement: str) -> None:
    assert names
    for name in names:
        if statement.startswith("ANALYZE"):
            # PostgreSQL warns and leaves it out; the division shows that the rest was run.
            assert refused(reader, statement.format(name)).diag.sqlstate == "22012"
        elif statement.startswith("UPDATE"):
            # A system column cannot be assigned: name a real one.
            column = NOT_OF_A_TENANT.get(name, "tenant_id")
            assert refused(reader, f"UPDATE docgraph.{name} SET {column} = ''").diag.sqlstate == "42501"
        else:
            assert refused(reader, statement.format(name)).diag.sqlstate == "42501"


def test_a_foreign_key_cannot_probe_for_rows(reader: Connection) -> None:
    """It would tell by its error whether a hidden id is there."""
    statement = (
        "CREATE TABLE lair.mine (t text, d text, FOREIGN KEY (t, d) REFERENCES docgraph.document_nodes)"
    )
    assert refused(reader, statement).diag.sqlstate == "42501"


def test_there_is_no_sequence(walled: Installed) -> None:
    """Its state would tell of the tenants of others, and a crash in a copied database could set it back."""
    with walled.connect() as superuser:
        rows = superuser.execute(
            "SELECT FROM pg_class WHERE relkind = 'S' AND relnamespace = 'docgraph'::regnamespace"
        ).fetchall()
    assert rows == []


def test_statistics_show_no_values(reader: Connection) -> None:
    """The most common values of a column are for everybody who may read the column, and nobody may."""
    for view in ("pg_stats", "pg_stats_ext", "pg_stats_ext_exprs"):
        rows = reader.execute(f"SELECT FROM {view} WHERE schemaname = 'docgraph'".encode())
        assert rows.fetchall() == []
    assert refused(reader, "SELECT FROM pg_statistic").diag.sqlstate == "42501"


def test_explain_shows_nothing_of_the_inside(reader: Connection) -> None:
    rows = reader.execute("EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM docgraph.whoami('default', '{}')")
    plan = "\n".join(line for (line,) in rows)
    assert "Function Scan on docgraph.whoami" in plan
    assert "access_grants" not in plan


@pytest.mark.parametrize("role", ["docgraph_reader", "docgraph_writer", "docgraph_admin", None])
def test_core_and_leaf_functions_cannot_be_called(walled: Installed, role: str | None) -> None:
    login = walled.cluster.login(f"wall_inner_{role}", member_of=role)
    with walled.connect() as superuser:
        rows = superuser.execute(
            """
            SELECT oid::regproc::text, array(SELECT 'NULL::' || t::regtype FROM unnest(proargtypes) AS t)
            FROM pg_proc
            WHERE pronamespace = 'docgraph'::regnamespace AND obj_description(oid, 'pg_proc') !~ '^API'
            """
        ).fetchall()
    assert len(rows) > 10
    with walled.connect(login) as connection:
        for name, arguments in rows:
            assert refused(connection, f"SELECT {name}({', '.join(arguments)})").diag.sqlstate == "42501"


ADMINISTRATION: list[Call[Any]] = [
    calls.GRANT_ACCESS,
    calls.REVOKE_ACCESS,
    calls.LIST_ACCESS,
    calls.CONFIGURE_EMBEDDING_SPACE,
    calls.BEGIN_REEMBEDDING,
    calls.TEXTS_TO_REEMBED,
    calls.PUT_NEW_VECTORS,
    calls.SWITCH_EMBEDDING_SPACE,
    calls.REBUILD_LEXICAL,
]


@pytest.mark.parametrize("role", ["docgraph_reader", "docgraph_writer", None])
def test_administration_is_for_administrators(walled: Installed, role: str | None) -> None:
    login = walled.cluster.login(f"wall_outer_{role}", member_of=role)
    with walled.connect(login) as connection, walled.connect() as superuser:
        before = contents(superuser)
        for call in ADMINISTRATION:
            error = refusal(connection, call)
            assert error.diag.sqlstate == "42501"
            expected = "permission denied for " + (f"function {call.function}" if role else "schema docgraph")
            assert error.diag.message_primary == expected
        assert contents(superuser) == before


def test_a_login_without_a_role_cannot_even_ask(walled: Installed) -> None:
    walled.grant("wall_stranger")
    login = walled.cluster.login("wall_stranger")
    with walled.connect(login) as connection:
        for call in (calls.WHOAMI, calls.EMBEDDING_SPACE, calls.API_VERSION_OF_DATABASE):
            assert refusal(connection, call).diag.message_primary == "permission denied for schema docgraph"


@pytest.mark.parametrize(
    "claim",
    [
        {"repositories": ["*", "%", ""], "snapshots": [""]},
        {"tags": ["*", "%", "law", "hr,law", "{hr,law}", "hr' OR '1'='1"]},
        {"labels": ["secret", "*"], "clearance": 32767},
    ],
)
def test_no_claim_goes_beyond_the_ceiling(reader: Connection, claim: dict[str, object]) -> None:
    found = set(visible_documents(reader, "default", json.dumps(claim)))
    assert found <= set(SEEN)
    held = ask(reader, calls.WHOAMI, access=json.dumps(claim))
    assert set(held.tags) <= {"hr"}
    assert held.labels == ()
    assert held.clearance <= 1


def test_ask_with_every_valid_argument_of_another(reader: Connection) -> None:
    """Arguments by position, by name, and read from the caller's own tables."""
    reader.execute("CREATE TEMPORARY TABLE mine AS SELECT 'other' AS tenant, '{}'::jsonb AS access")
    for statement in (
        "SELECT docgraph.whoami(tenant, access) FROM mine",
        "SELECT docgraph.whoami(access => m.access, tenant => m.tenant) FROM mine m",
        "SELECT w.* FROM mine m, LATERAL docgraph.whoami(m.tenant, m.access) w",
        f"SELECT docgraph.whoami('{VALID['whoami']['tenant']}'::text || 'x', '{{}}')",
    ):
        assert refused(reader, statement).diag.sqlstate == "42501"


SETTINGS = [
    "row_security = off",
    "search_path = lair, public, docgraph",
    "search_path = pg_temp, lair, pg_catalog",
    "search_path = ''",
    "docgraph.tenant = 'other'",
    "docgraph.login = 'wall_wide'",
    "app.tenant = 'other'",
    "application_name = 'wall_wide'",
    "transform_null_equals = on",
    "array_nulls = off",
    "quote_all_identifiers = on",
    "default_transaction_isolation = 'serializable'",
    "default_transaction_read_only = on",
    "client_encoding = 'LATIN1'",
    "plan_cache_mode = force_generic_plan",
    "plan_cache_mode = force_custom_plan",
    "constraint_exclusion = on",
    "enable_seqscan = off",
    "enable_indexscan = off",
    "jit_above_cost = 0",
    "parallel_setup_cost = 0",
    "check_function_bodies = off",
    "role = 'docgraph_reader'",
    "role = 'none'",
    "session_authorization = 'wall_reader'",
    "session_authorization = default",
    "standard_conforming_strings = off",
    "plpgsql.variable_conflict = 'use_variable'",  # a placeholder until PL/pgSQL is loaded, which drops it
    "plpgsql.extra_errors = 'all'",
    "plpgsql.check_asserts = off",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_widens_it(walled: Installed, setting: str) -> None:
    """Set in the session, and asked for when connecting."""
    with walled.connect(READER) as connection:
        connection.execute(f"SET {setting}".encode())
        if setting == "row_security = off":
            # A query that row security would cut is refused then, not answered in full.
            assert ask(connection, calls.WHOAMI, access=CLAIM).tags == ("hr",)
            error = refused(connection, "SELECT probe.documents('default', '{}')")
            assert "row-level security" in str(error.diag.message_primary)
        else:
            holds(connection)


IMPERSONATION = [
    "SET ROLE docgraph_owner",
    "SET ROLE docgraph_admin",
    f"SET ROLE {WIDE}",
    f"SET SESSION AUTHORIZATION {WIDE}",
    "SET SESSION AUTHORIZATION docgraph_owner",
    "ALTER ROLE wall_reader SUPERUSER",
    "ALTER ROLE wall_reader BYPASSRLS",
    "GRANT docgraph_owner TO wall_reader",
    "GRANT docgraph_admin TO wall_reader",
    f"GRANT {WIDE} TO wall_reader",
    "CREATE ROLE another LOGIN",
    "SET session_replication_role = replica",
    "SET log_statement = 'all'",
    "ALTER FUNCTION docgraph.whoami(text, jsonb) SECURITY INVOKER",
    "ALTER FUNCTION docgraph.whoami(text, jsonb) OWNER TO wall_reader",
    "CREATE OR REPLACE FUNCTION docgraph.api_version() RETURNS text LANGUAGE sql RETURN '9.9'",
    "CREATE FUNCTION docgraph.mine() RETURNS void LANGUAGE sql RETURN NULL",
    "CREATE TABLE docgraph.mine ()",
    "CREATE FUNCTION lair.mine() RETURNS void LANGUAGE c AS 'x'",
    "ALTER DEFAULT PRIVILEGES FOR ROLE docgraph_owner GRANT SELECT ON TABLES TO wall_reader",
    "CREATE EVENT TRIGGER mine ON ddl_command_end EXECUTE FUNCTION suppress_redundant_updates_trigger()",
]


@pytest.mark.parametrize("statement", IMPERSONATION)
def test_nobody_becomes_somebody_else(reader: Connection, statement: str) -> None:
    assert refused(reader, statement).diag.sqlstate == "42501"
    holds(reader)


SHADOWS = """
CREATE FUNCTION lair.is_id(text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE FUNCTION lair.bound(text) RETURNS integer LANGUAGE sql AS 'SELECT 32767';
CREATE FUNCTION lair.effective_access(text, jsonb)
    RETURNS TABLE (repositories text[], snapshots text[], tags text[], labels text[], clearance integer)
    LANGUAGE sql AS $$SELECT NULL::text[], NULL::text[], '{hr,law}'::text[], '{secret}'::text[], 9$$;
CREATE FUNCTION lair.may_see(
    text, text, text[], text[], integer, text[], text[], text[], text[], integer
) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE FUNCTION lair.within_ceiling(text[], text[]) RETURNS text[] LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION lair.trunc(numeric) RETURNS numeric LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION lair.jsonb_typeof(jsonb) RETURNS text LANGUAGE sql AS $$SELECT 'object'$$;
CREATE FUNCTION lair.yes(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE FUNCTION lair.yes(name, name) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE FUNCTION lair.yes(text[], text[]) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE FUNCTION lair.yes(integer, integer) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE OPERATOR lair.= (LEFTARG = text, RIGHTARG = text, FUNCTION = lair.yes);
CREATE OPERATOR lair.= (LEFTARG = name, RIGHTARG = name, FUNCTION = lair.yes);
CREATE OPERATOR lair.= (LEFTARG = text[], RIGHTARG = text[], FUNCTION = lair.yes);
CREATE OPERATOR lair.&& (LEFTARG = text[], RIGHTARG = text[], FUNCTION = lair.yes);
CREATE OPERATOR lair.<@ (LEFTARG = text[], RIGHTARG = text[], FUNCTION = lair.yes);
CREATE OPERATOR lair.<= (LEFTARG = integer, RIGHTARG = integer, FUNCTION = lair.yes);
CREATE TABLE lair.access_grants (
    tenant_id text, login name,
    repositories text[], snapshots text[], tags text[], labels text[], clearance integer
);
INSERT INTO lair.access_grants VALUES ('default', 'wall_reader'), ('other', 'wall_reader');
CREATE TEMPORARY TABLE access_grants AS SELECT * FROM lair.access_grants;
CREATE TEMPORARY TABLE pg_extension AS SELECT 'vector'::name AS extname;
CREATE DOMAIN lair.name AS text;
CREATE DOMAIN pg_temp.jsonb AS pg_catalog.jsonb;
CREATE FUNCTION pg_temp.yes(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE OPERATOR pg_temp.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.yes);
"""


@pytest.mark.parametrize("path", ["lair", "lair, pg_catalog, docgraph", "pg_temp, lair, pg_catalog"])
def test_objects_of_the_same_name_are_not_taken_for_ours(reader: Connection, path: str) -> None:
    """Functions, operators, types and tables of the reader's own, found first on its path."""
    with reader.transaction(force_rollback=True):
        reader.execute(SHADOWS)
        reader.execute(f"SET LOCAL search_path = {path}".encode())
        holds(reader)


def test_through_another_logins_function_one_is_still_oneself(walled: Installed, reader: Connection) -> None:
    """A definer function lends its owner's right to call, but not its owner's ceiling."""
    with walled.connect(WIDE) as connection:
        connection.execute(
            """
            CREATE OR REPLACE FUNCTION wide.ask(tenant text) RETURNS text
                LANGUAGE sql SECURITY DEFINER AS $$
                SELECT current_user || ' ' || w::text
                FROM docgraph.whoami(tenant, '{"tags": ["hr", "law"]}') w
            $$;
            CREATE OR REPLACE FUNCTION wide.documents(tenant text) RETURNS SETOF text
                LANGUAGE sql SECURITY DEFINER AS $$
                SELECT document_id FROM probe.documents(tenant, '{"tags": ["hr", "law"]}')
            $$
            """
        )
        assert len(connection.execute("SELECT wide.documents('other')").fetchall()) == 3
    row = reader.execute("SELECT wide.ask('default')").fetchone()
    assert row == (f"{WIDE} ({READER},,,{{hr}},{{}},0)",)
    rows = reader.execute("SELECT wide.documents('default')").fetchall()
    assert [document for (document,) in rows] == SEEN
    for function in ("ask", "documents"):
        assert refused(reader, f"SELECT wide.{function}('other')").diag.sqlstate == "42501"


def test_a_role_granted_to_it_gives_it_no_ceiling(walled: Installed) -> None:
    """The login counts, not what it may become."""
    login = walled.cluster.login("wall_member", member_of=WIDE)
    with walled.connect(login) as connection:
        connection.execute(f"SET ROLE {WIDE}".encode())
        assert refusal(connection, calls.WHOAMI).diag.sqlstate == "42501"


def test_a_superuser_is_whom_it_connected_as(walled: Installed) -> None:
    """SET ROLE does not change it; SET SESSION AUTHORIZATION, which only superusers have, does."""
    with walled.connect() as superuser:
        superuser.execute(f"SET ROLE {READER}".encode())
        assert ask(superuser, calls.WHOAMI, access=CLAIM).tags == ("hr", "law")
        superuser.execute("RESET ROLE")
        superuser.execute(f"SET SESSION AUTHORIZATION {READER}".encode())
        holds(superuser)


def test_a_session_authorization_asked_for_when_connecting_is_refused(walled: Installed) -> None:
    options = f"-c session_authorization={WIDE}"
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(psycopg.conninfo.make_conninfo(walled.conninfo, user=READER, options=options))
