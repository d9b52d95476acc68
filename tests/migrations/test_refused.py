"""Databases that cannot hold docgraph are refused before anything is installed, with what to do about it."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import sql

from docgraph import migrate
from docgraph.errors import ServerUnsupported
from docgraph.resources import SQL
from tests.conftest import Cluster, Installed
from tests.migrations.tools import catalogue, prepare, psql

INSTALLED = "table docgraph.document_nodes"


def refused(conninfo: str, message: str) -> str:
    """Upgrades in vain; the hint."""
    with pytest.raises(ServerUnsupported, match=message) as caught:
        migrate.upgrade(conninfo)
    with psycopg.connect(conninfo) as connection:
        assert connection.execute("SELECT to_regclass('docgraph.document_nodes')").fetchone() == (None,)
    return str(caught.value.hint)


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_another_encoding(cluster: Cluster, encoding: str) -> None:
    name = f"{encoding.lower()}_{cluster.worker}"
    with cluster.superuser() as connection:
        connection.execute(
            sql.SQL(
                "CREATE DATABASE {} TEMPLATE template0 ENCODING {} LOCALE_PROVIDER libc LOCALE 'C'"
            ).format(sql.Identifier(name), sql.Literal(encoding))
        )
    cluster.databases.append(name)
    hint = refused(cluster.server.conninfo(name), f"UTF8, this one is in {encoding}")
    assert "CREATE DATABASE" in hint


@pytest.mark.parametrize("version", ["0.8.1", "0.8.3", "0.7"])
def test_an_old_pgvector(empty: str, version: str) -> None:
    with psycopg.connect(empty) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("UPDATE pg_extension SET extversion = %s WHERE extname = 'vector'", [version])
    assert "ALTER EXTENSION vector UPDATE" in refused(empty, f"pgvector.* {version}")


@pytest.mark.parametrize("version", ["0.8.4", "0.9.0", "0.10.0", "1.0"])
def test_a_newer_pgvector_is_welcome(empty: str, version: str) -> None:
    with psycopg.connect(empty) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("UPDATE pg_extension SET extversion = %s WHERE extname = 'vector'", [version])
    migrate.upgrade(empty)
    assert INSTALLED in catalogue(empty)


def test_pgvector_in_the_schema_of_docgraph(empty: str) -> None:
    prepare(empty)
    with psycopg.connect(empty) as connection:
        connection.execute("ALTER EXTENSION vector SET SCHEMA docgraph")
    assert "ALTER EXTENSION vector SET SCHEMA" in refused(empty, "schema docgraph")


def test_a_schema_named_docgraph_that_is_not_ours(empty: str) -> None:
    with psycopg.connect(empty) as connection:
        connection.execute("CREATE SCHEMA docgraph")
        connection.execute("CREATE TABLE docgraph.mine (a integer)")
        connection.execute("INSERT INTO docgraph.mine VALUES (1)")
    assert "docgraph" in refused(empty, "schema docgraph")
    with psycopg.connect(empty) as connection:
        assert connection.execute("SELECT a FROM docgraph.mine").fetchall() == [(1,)]


@pytest.mark.parametrize("way", ["install.sql", "script"])
def test_psql_is_refused_in_the_same_words(cluster: Cluster, empty: str, way: str) -> None:
    with psycopg.connect(empty) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("UPDATE pg_extension SET extversion = '0.8.1' WHERE extname = 'vector'")
    if way == "script":
        done = psql(cluster.server, empty, stdin=migrate.offline_sql())
    else:
        done = psql(cluster.server, empty, "-f", SQL / "install.sql")
    assert done.returncode != 0
    assert "docgraph needs pgvector 0.8.4 or later, this database has 0.8.1" in done.stderr
    assert "HINT" in done.stderr
    assert INSTALLED not in catalogue(empty)


def test_an_upgrade_is_refused_once_pgvector_was_set_back(database: Installed) -> None:
    """The preparation runs before every upgrade, not only the first."""
    with database.connect() as connection:
        connection.execute("UPDATE pg_extension SET extversion = '0.8.0' WHERE extname = 'vector'")
    with pytest.raises(ServerUnsupported):
        migrate.downgrade(database.conninfo, "base")
    assert INSTALLED in catalogue(database.conninfo)
