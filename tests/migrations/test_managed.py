"""Managed PostgreSQL: the installer is no superuser, and the extension is there already."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from docgraph import DocGraph, migrate
from docgraph.engine import URL_VARIABLE
from docgraph.errors import ServerUnsupported
from tests.conftest import Cluster
from tests.migrations.tools import as_login, catalogue, clean_environment, drift, psql

CLI = Path(sys.executable).parent / "docgraph"


def prepare(cluster: Cluster, installer: str, *, schema: str = "extensions") -> str:
    """What the administrator of such a service has done; the installer's conninfo."""
    name = cluster.create(owner=installer)
    with cluster.superuser(name) as connection:
        if schema != "public":
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
            connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO PUBLIC").format(sql.Identifier(schema)))
        connection.execute(sql.SQL("CREATE EXTENSION vector SCHEMA {}").format(sql.Identifier(schema)))
    return as_login(cluster.server.conninfo(name), installer)


@pytest.fixture
def installer(untouched: Cluster) -> str:
    return untouched.login("installer", options="CREATEROLE")


@pytest.mark.parametrize("schema", ["extensions", "public"])
def test_everything_works_without_a_superuser(untouched: Cluster, installer: str, schema: str) -> None:
    conninfo = prepare(untouched, installer, schema=schema)
    assert migrate.upgrade(conninfo) == (None, migrate.head())
    assert migrate.current(conninfo) == migrate.head()
    assert drift(conninfo) == []
    migrate.downgrade(conninfo, "base")
    migrate.upgrade(conninfo)
    assert drift(conninfo) == []


def test_init_is_all_that_an_installer_runs(untouched: Cluster, installer: str) -> None:
    conninfo = prepare(untouched, installer)
    environment = clean_environment(**{URL_VARIABLE: conninfo})
    for expected in ('Login "installer" may see everything', "Nothing to do."):
        done = subprocess.run([CLI, "init"], capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout
    with DocGraph(conninfo) as client:
        assert client.whoami().login == "installer"
    assert drift(conninfo) == []


def test_the_script_for_review_works_too(untouched: Cluster, installer: str) -> None:
    conninfo = prepare(untouched, installer)
    done = psql(untouched.server, conninfo, stdin=migrate.offline_sql())
    assert done.returncode == 0, done.stderr
    assert drift(conninfo) == []


def test_the_installer_gets_no_right_on_the_tables(untouched: Cluster, installer: str) -> None:
    """It may act as the owner when it says so; by itself it calls functions, as everybody does."""
    conninfo = prepare(untouched, installer)
    migrate.upgrade(conninfo)
    with psycopg.connect(conninfo, autocommit=True) as connection:
        if untouched.server.major >= 16:  # before, a member always inherits
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("SELECT FROM docgraph.document_nodes")
        connection.execute("SET ROLE docgraph_owner")
        connection.execute("SELECT FROM docgraph.document_nodes")


def test_one_installer_installs_into_two_databases(untouched: Cluster, installer: str) -> None:
    for _ in range(2):
        conninfo = prepare(untouched, installer)
        migrate.upgrade(conninfo)
        assert drift(conninfo) == []


def test_a_second_installer_is_told_what_to_ask_for(untouched: Cluster, installer: str) -> None:
    migrate.upgrade(prepare(untouched, installer))
    second = prepare(untouched, untouched.login("second", options="CREATEROLE"))
    before = catalogue(second)
    if untouched.server.major < 16:
        migrate.upgrade(second)  # there, CREATEROLE may grant any role that is no superuser
    else:
        with pytest.raises(ServerUnsupported) as caught:
            migrate.upgrade(second)
        assert catalogue(second) == before
        # The hint is a command, but for the name.
        _, _, grant = str(caught.value.hint).partition("run ")
        with untouched.superuser() as connection:
            connection.execute(grant.replace("the installing login", "second").encode())
        migrate.upgrade(second)
    assert drift(second) == []


def test_a_login_that_may_not_create_roles_is_told_so(untouched: Cluster) -> None:
    conninfo = prepare(untouched, untouched.login("plain"))
    with pytest.raises(ServerUnsupported, match="may not create the role") as caught:
        migrate.upgrade(conninfo)
    assert "CREATEROLE" in str(caught.value.hint)


def test_a_login_that_was_given_the_roles_needs_no_createrole(untouched: Cluster, installer: str) -> None:
    migrate.upgrade(prepare(untouched, installer))
    plain = untouched.login("plain")
    with untouched.superuser() as connection:
        for role in ("owner", "writer", "admin"):
            connection.execute(f"GRANT docgraph_{role} TO plain")
    conninfo = prepare(untouched, plain)
    migrate.upgrade(conninfo)
    assert drift(conninfo) == []


def test_a_login_that_may_not_create_in_the_database_is_told_so(untouched: Cluster, installer: str) -> None:
    conninfo = as_login(prepare(untouched, "postgres"), installer)
    with pytest.raises(ServerUnsupported, match="may not create a schema") as caught:
        migrate.upgrade(conninfo)
    assert "GRANT CREATE ON DATABASE" in str(caught.value.hint)


def test_an_installer_that_may_not_create_the_extension_is_told_whom_to_ask(
    untouched: Cluster, installer: str
) -> None:
    name = untouched.create(owner=installer)
    conninfo = as_login(untouched.server.conninfo(name), installer)
    with pytest.raises(
        ServerUnsupported, match=f"may not create the extension vector in database {name}"
    ) as caught:
        migrate.upgrade(conninfo)
    assert "superuser" in str(caught.value.hint)
    assert "CREATE EXTENSION vector" in str(caught.value.hint)
    # Nothing is there, not even a role: what can be refused is refused first.
    assert catalogue(conninfo) == {}


def test_an_extension_out_of_reach_is_said_to_be_so(untouched: Cluster, installer: str) -> None:
    """The schema of pgvector is closed, and the installer may not open it for docgraph's owner."""
    conninfo = prepare(untouched, installer)
    with untouched.superuser(untouched.databases[-1]) as connection:
        connection.execute("REVOKE ALL ON SCHEMA extensions FROM PUBLIC")
        connection.execute("GRANT USAGE ON SCHEMA extensions TO installer")
    with pytest.raises(ServerUnsupported, match="schema extensions") as caught:
        migrate.upgrade(conninfo)
    assert "GRANT USAGE ON SCHEMA extensions TO docgraph_owner" in str(caught.value.hint)
