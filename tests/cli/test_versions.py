"""`docgraph db upgrade | downgrade | current | history | sql`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import psycopg
import pytest

from docgraph import migrate
from tests.cli.conftest import Cli, assert_error, said
from tests.migrations.tools import REVISIONS, drift, psql

if TYPE_CHECKING:
    from tests.conftest import Cluster

FIRST, HEAD = REVISIONS[0], REVISIONS[-1]


def answer(cli: Cli, *args: str, conninfo: str | None = None) -> str:
    """What a command that succeeds prints."""
    done = cli("db", *args, conninfo=conninfo)
    assert (done.returncode, said(done)) == (0, [])
    return done.stdout


def test_up_and_down(cli: Cli, empty: str) -> None:
    assert answer(cli, "upgrade", FIRST, conninfo=empty) == f"Now at revision {FIRST}.\n"
    assert answer(cli, "upgrade", conninfo=empty) == f"Now at revision {HEAD}.\n"
    assert answer(cli, "upgrade", conninfo=empty) == f"Already at revision {HEAD}.\n"
    assert answer(cli, "downgrade", FIRST, conninfo=empty) == f"Now at revision {FIRST}.\n"
    assert answer(cli, "downgrade", FIRST, conninfo=empty) == f"Already at revision {FIRST}.\n"
    assert answer(cli, "downgrade", "base", conninfo=empty) == "Now at revision base.\n"
    assert migrate.current(empty) is None


def test_current(cli: Cli, empty: str) -> None:
    assert "docgraph is not installed here" in answer(cli, "current", conninfo=empty)
    assert json.loads(answer(cli, "current", "--json", conninfo=empty)) == {"current": None, "head": HEAD}
    migrate.upgrade(empty, FIRST)
    assert answer(cli, "current", conninfo=empty) == (
        f"{FIRST}, this release is {HEAD}: run `docgraph db upgrade`.\n"
    )
    migrate.upgrade(empty)
    assert answer(cli, "current", conninfo=empty) == f"{HEAD}\n"
    assert json.loads(answer(cli, "current", "--json", conninfo=empty)) == {"current": HEAD, "head": HEAD}


def test_history(cli: Cli, empty: str) -> None:
    migrate.upgrade(empty, FIRST)
    lines = answer(cli, "history", conninfo=empty).splitlines()
    assert [line[2:].split()[0] for line in lines] == REVISIONS
    assert [line for line in lines if line.startswith("*")] == [lines[0]]
    listed = json.loads(answer(cli, "history", "--json", conninfo=empty))
    assert [each["number"] for each in listed] == REVISIONS
    assert [each["number"] for each in listed if each["current"]] == [FIRST]
    assert all(each["title"] for each in listed)


@pytest.mark.parametrize("command", ["upgrade", "downgrade"])
@pytest.mark.parametrize("revision", ["9999", "", "base:head", "nonsense"])
def test_an_unknown_revision(cli: Cli, empty: str, command: str, revision: str) -> None:
    assert_error(cli("db", command, revision, conninfo=empty), "there is no revision", f"base, {FIRST}")


def test_a_database_of_a_later_release(cli: Cli, empty: str) -> None:
    migrate.upgrade(empty)
    with psycopg.connect(empty) as connection:
        connection.execute("UPDATE docgraph.alembic_version SET version_num = '9999'")
    for command in ("upgrade", "current", "history"):
        assert_error(cli("db", command, conninfo=empty), "revision 9999", "pip install --upgrade docgraph")


def test_a_downgrade_must_say_where_to(cli: Cli, empty: str) -> None:
    done = cli("db", "downgrade", conninfo=empty)
    assert done.returncode == 2
    assert "revision" in done.stderr.lower()


def test_the_script_needs_no_database(cli: Cli) -> None:
    nowhere = "postgresql://nobody@nowhere.invalid:1/nothing"
    assert answer(cli, "sql", conninfo=nowhere) == migrate.offline_sql()
    assert answer(cli, "sql", "--from", FIRST, "--to", HEAD, conninfo=nowhere) == (
        migrate.offline_sql(FIRST, HEAD)
    )
    assert answer(cli, "sql", "--from", HEAD, "--to", FIRST) == migrate.offline_sql(HEAD, FIRST)


@pytest.mark.parametrize("option", ["--from", "--to"])
def test_a_script_for_an_unknown_revision(cli: Cli, option: str) -> None:
    done = cli("db", "sql", option, "9999")
    assert_error(done, "there is no revision 9999", f"base, {FIRST}")
    assert done.stdout == ""


def test_the_script_through_psql_gives_a_database_without_drift(
    cli: Cli, cluster: Cluster, empty: str
) -> None:
    done = psql(cluster.server, empty, stdin=cli("db", "sql").stdout)
    assert done.returncode == 0, done.stderr
    assert drift(empty) == []
    assert answer(cli, "verify", conninfo=empty).startswith("No drift: ")
    assert answer(cli, "current", conninfo=empty) == f"{HEAD}\n"
