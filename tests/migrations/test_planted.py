"""What somebody has put into the database beforehand is not called, not even when a superuser installs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from docgraph import calls, migrate
from docgraph.access import Ceiling
from docgraph.client import DocGraph
from docgraph.errors import ServerUnsupported
from tests.conftest import EVERYTHING, SPACE
from tests.migrations.tools import drift

if TYPE_CHECKING:
    from tests.conftest import Cluster, Installed

# PostgreSQL prefers an exact match anywhere on the search path to one of its own that needs a cast: every
# pair of these types for which it has no such operator itself.
TYPES = (
    *("int2", "int4", "int8", "float4", "float8", "numeric", "text", "varchar", "name", "oid", "regtype"),
    *("regrole", "boolean", "jsonb", "bytea", "text[]", "varchar[]", "int4[]", "int8[]", "float8[]"),
)
OPERATORS = {
    **dict.fromkeys(("+", "-", "*", "/", "%"), "float8"),
    **dict.fromkeys(("<", "<=", ">", ">=", "=", "<>", "&&", "<@", "@>", "~"), "boolean"),
    "||": "text",
}
"""And of what type such a one would be, so that it fits where it is looked for."""
MISSING = """
SELECT o.name, l.type, r.type
FROM unnest(%(operators)s::text[]) AS o (name)
CROSS JOIN unnest(%(types)s::text[]) AS l (type)
CROSS JOIN unnest(%(types)s::text[]) AS r (type)
WHERE NOT EXISTS (
    SELECT FROM pg_operator p
    WHERE p.oprname = o.name AND p.oprleft = l.type::regtype AND p.oprright = r.type::regtype
)
"""
FUNCTIONS = [
    ("unnest(a text[])", "SETOF text"),
    ("cardinality(a text[])", "integer"),
    ("to_jsonb(a text[])", "jsonb"),
    ("convert_to(a text, b text)", "bytea"),
    ("jsonb_build_array(a text, b text, c jsonb, d jsonb, e integer)", "jsonb"),
    ("set_config(a text, b text, c boolean)", "text"),
    ("quote_ident(a name)", "text"),
]
TRAP = "LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'captured'; END $$"


@pytest.fixture
def planted(empty: str) -> str:
    """A database whose public has been filled with traps by somebody who may create there."""
    with psycopg.connect(empty, autocommit=True) as connection:
        missing = connection.execute(MISSING, {"operators": [*OPERATORS], "types": [*TYPES]}).fetchall()
        for result, left, right in {(OPERATORS[name], left, right) for name, left, right in missing}:
            connection.execute(
                f"CREATE FUNCTION public.trap_{result}({left}, {right}) RETURNS {result} {TRAP}"
            )
        for name, left, right in missing:
            connection.execute(
                f"CREATE OPERATOR public.{name}"
                f" (LEFTARG = {left}, RIGHTARG = {right}, FUNCTION = public.trap_{OPERATORS[name]})"
            )
        for signature, result in FUNCTIONS:
            connection.execute(f"CREATE FUNCTION public.{signature} RETURNS {result} {TRAP}")
    return empty


def test_nothing_planted_in_public_is_called_or_captured(planted: str) -> None:
    migrate.upgrade(planted)
    assert migrate.current(planted) == migrate.head()
    assert drift(planted) == []
    with psycopg.connect(planted, autocommit=True) as connection:
        calls.fetch(connection, calls.configure_embedding_space(SPACE))
        login = calls.session_login(connection)
        calls.fetch(connection, calls.grant_access("default", Ceiling(login, *EVERYTHING)))
        connection.execute(
            """SELECT docgraph.visible_classes('default', '{"tags": ["a", "b"], "labels": ["c"]}')"""
        )
        foreign = connection.execute(
            """
            SELECT pg_describe_object(d.classid, d.objid, d.objsubid)
            FROM pg_depend d
            WHERE d.refobjid IN (SELECT p.oid FROM pg_proc p WHERE p.prosrc LIKE '%captured%'
                                 UNION SELECT o.oid FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode
                                 WHERE p.prosrc LIKE '%captured%')
                AND d.classid <> 'pg_operator'::regclass
            """
        ).fetchall()
    assert foreign == []
    migrate.downgrade(planted, "base")
    migrate.upgrade(planted)
    assert drift(planted) == []


def test_a_schema_named_like_the_installer_is_not_searched(cluster: Cluster, empty: str) -> None:
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute('CREATE SCHEMA "postgres"')
        migrate.upgrade(empty)
        home = connection.execute(
            "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector'"
        ).fetchone()
    assert home == ("public",)


@pytest.mark.parametrize("action", [migrate.current, migrate.upgrade], ids=["current", "upgrade"])
def test_a_counterfeit_schema_is_refused_and_nothing_in_it_called(
    cluster: Cluster, empty: str, action: object
) -> None:
    """Somebody who may create schemas in a database where docgraph is not installed yet."""
    somebody = cluster.login(f"somebody_{cluster.worker}")
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute(f"GRANT CREATE ON DATABASE {connection.info.dbname} TO {somebody}")
        connection.execute(f"SET ROLE {somebody}")
        connection.execute("CREATE SCHEMA docgraph")
        connection.execute(f"CREATE FUNCTION docgraph.revision() RETURNS text {TRAP}")
        connection.execute(
            "CREATE VIEW docgraph.alembic_version AS SELECT docgraph.revision() AS version_num"
        )
        connection.execute("GRANT ALL ON SCHEMA docgraph TO PUBLIC")
    assert callable(action)
    with pytest.raises(ServerUnsupported, match="schema docgraph"):
        action(empty)
    with DocGraph(empty) as client, pytest.raises(ServerUnsupported, match="schema docgraph"):
        client.whoami()


def test_a_schema_of_pgvector_that_is_anybodys_is_refused(cluster: Cluster, empty: str) -> None:
    somebody = cluster.login(f"somebody_{cluster.worker}")
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA ext AUTHORIZATION {somebody}")
        connection.execute("CREATE EXTENSION vector SCHEMA ext")
    with pytest.raises(ServerUnsupported, match="where pgvector is"):
        migrate.upgrade(empty)
    with psycopg.connect(empty, autocommit=True) as connection:
        # On a search path this would mean the schema of whoever the current role is.
        connection.execute('ALTER SCHEMA ext RENAME TO "$user"')
        connection.execute('ALTER SCHEMA "$user" OWNER TO CURRENT_USER')
    with pytest.raises(ServerUnsupported, match="where pgvector is"):
        migrate.upgrade(empty)


def test_an_overload_is_found_and_not_called(database: Installed) -> None:
    with database.connect() as connection:
        connection.execute(f"CREATE FUNCTION docgraph.revision(a integer DEFAULT 1) RETURNS text {TRAP}")
    assert [difference.kind for difference in drift(database.conninfo)] == ["unexpected"]


def test_a_published_table_is_found(database: Installed) -> None:
    with database.connect() as connection:
        connection.execute("CREATE PUBLICATION leak FOR TABLE docgraph.access_grants")
    (found,) = drift(database.conninfo)
    assert found.object == "table docgraph.access_grants"
    assert "+published by leak" in found.diff


def test_published_tables_of_the_database_are_found(database: Installed) -> None:
    with database.connect() as connection:
        connection.execute("CREATE PUBLICATION leak FOR ALL TABLES")
        tables = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'docgraph'"
        ).fetchall()
    found = drift(database.conninfo)
    assert {each.object for each in found} == {f"table docgraph.{name}" for (name,) in tables}
    assert all("+published by leak" in each.diff for each in found)


def test_a_published_schema_is_found(database: Installed) -> None:
    with database.connect() as connection:
        connection.execute("CREATE PUBLICATION leak FOR TABLES IN SCHEMA docgraph")
    (found,) = drift(database.conninfo)
    assert (found.kind, found.object) == (
        "unexpected",
        "publication of schema docgraph in publication leak",
    )


def test_what_is_not_the_owners_in_our_schema_is_refused(empty: str) -> None:
    migrate.upgrade(empty, "0001")
    with psycopg.connect(empty) as connection:
        connection.execute(f"CREATE FUNCTION docgraph.planted() RETURNS void {TRAP}")
    with pytest.raises(ServerUnsupported, match="not all of it belongs to docgraph_owner"):
        migrate.upgrade(empty)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("ALTER ROLE docgraph_owner LOGIN", "ALTER ROLE docgraph_owner NOLOGIN"),
        ("ALTER ROLE docgraph_owner CREATEDB", "ALTER ROLE docgraph_owner NOCREATEDB"),
        ("GRANT pg_read_server_files TO docgraph_owner", "REVOKE pg_read_server_files FROM docgraph_owner"),
    ],
)
def test_an_owner_who_may_do_more_is_refused(cluster: Cluster, empty: str, more: str, less: str) -> None:
    with cluster.superuser() as connection:
        connection.execute(more.encode())
        try:
            with pytest.raises(ServerUnsupported, match="may do more than own docgraph"):
                migrate.upgrade(empty)
        finally:
            connection.execute(less.encode())


@pytest.mark.parametrize("function", ["embedding_space()", "revision()"])
def test_verify_calls_nothing_that_it_has_not_compared(database: Installed, function: str) -> None:
    with database.connect() as connection:
        connection.execute(f"DROP FUNCTION docgraph.{function}")
        connection.execute(f"CREATE FUNCTION docgraph.{function} RETURNS text {TRAP}")
    assert f"function docgraph.{function}" in [difference.object for difference in drift(database.conninfo)]


def test_verify_sees_another_revision_number(database: Installed) -> None:
    with database.connect() as connection:
        connection.execute("UPDATE docgraph.alembic_version SET version_num = '0001'")
    (found,) = drift(database.conninfo)
    assert (found.object, found.diff) == ("revision", f"-{migrate.head()}\n+0001")
