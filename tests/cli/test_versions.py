"""`docgraph db upgrade | downgrade | current | history | sql`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import psycopg
import pytest

from docgraph import migrate
from tests.cli.conftest import Cli, assert_error, said
from tests.cli.terminal import in_terminal
from tests.migrations.tools import REVISIONS, drift, psql

if TYPE_CHECKING:
    from tests.conftest import Cluster

FIRST, HEAD = REVISIONS[0], REVISIONS[-1]


def answer(quick: Cli, *args: str, conninfo: str | None = None) -> str:
    """What a command that succeeds prints."""
    done = quick("db", *args, conninfo=conninfo)
    assert (done.returncode, said(done)) == (0, [])
    return done.stdout


def test_up_and_down(cli: Cli, empty: str) -> None:
    assert answer(cli, "upgrade", FIRST, conninfo=empty) == f"Now at revision {FIRST}.\n"
    assert answer(cli, "upgrade", conninfo=empty) == f"Now at revision {HEAD}.\n"
    assert answer(cli, "upgrade", conninfo=empty) == f"Already at revision {HEAD}.\n"
    assert answer(cli, "downgrade", FIRST, "--yes", conninfo=empty) == f"Now at revision {FIRST}.\n"
    assert answer(cli, "downgrade", FIRST, "--yes", conninfo=empty) == f"Already at revision {FIRST}.\n"
    assert answer(cli, "downgrade", "base", "--yes", conninfo=empty) == "Now at revision base.\n"
    assert migrate.current(empty) is None


def test_a_downgrade_without_a_terminal_wants_to_be_meant(quick: Cli, empty: str) -> None:
    migrate.upgrade(empty, FIRST)
    done = quick("db", "downgrade", "base", conninfo=empty)
    assert_error(done, "would be lost", "Hint: If it may be lost: docgraph db downgrade base --yes")
    assert migrate.current(empty) == FIRST


@pytest.mark.parametrize(("typed", "left"), [("n\n", FIRST), ("y\n", None)])
def test_a_downgrade_asks_in_a_terminal(empty: str, typed: str, left: str | None) -> None:
    migrate.upgrade(empty, FIRST)
    shown = in_terminal("db", "downgrade", "base", conninfo=empty, typed=typed)
    assert "What newer revisions store will be lost. Go on?" in shown.text
    assert migrate.current(empty) == left


def test_current(quick: Cli, empty: str) -> None:
    assert "docgraph is not installed here" in answer(quick, "current", conninfo=empty)
    assert json.loads(answer(quick, "current", "--json", conninfo=empty)) == {"current": None, "head": HEAD}
    migrate.upgrade(empty, FIRST)
    assert answer(quick, "current", conninfo=empty) == (
        f"{FIRST}, this release is {HEAD}: run `docgraph db upgrade`.\n"
    )
    migrate.upgrade(empty)
    assert answer(quick, "current", conninfo=empty) == f"{HEAD}\n"
    assert json.loads(answer(quick, "current", "--json", conninfo=empty)) == {"current": HEAD, "head": HEAD}


def test_history(quick: Cli, empty: str) -> None:
    migrate.upgrade(empty, FIRST)
    lines = answer(quick, "history", conninfo=empty).splitlines()
    assert [line[2:].split()[0] for line in lines] == REVISIONS
    assert [line for line in lines if line.startswith("*")] == [lines[0]]
    listed = json.loads(answer(quick, "history", "--json", conninfo=empty))
    assert [each["number"] for each in listed] == REVISIONS
    assert [each["number"] for each in listed if each["current"]] == [FIRST]
    assert all(each["title"] for each in listed)


@pytest.mark.parametrize("command", [("upgrade",), ("downgrade", "--yes")])
@pytest.mark.parametrize("revision", ["9999", "", "base:head", "nonsense"])
def test_an_unknown_revision(quick: Cli, empty: str, command: tuple[str, ...], revision: str) -> None:
    assert_error(quick("db", *command, revision, conninfo=empty), "there is no revision", f"base, {FIRST}")


def test_a_database_of_a_later_release(quick: Cli, empty: str) -> None:
    migrate.upgrade(empty)
    with psycopg.connect(empty) as connection:
        connection.execute("UPDATE docgraph.alembic_version SET version_num = '9999'")
    for command in ("upgrade", "current", "history"):
        assert_error(quick("db", command, conninfo=empty), "revision 9999", "pip install --upgrade docgraph")


def test_a_downgrade_must_say_where_to(quick: Cli, empty: str) -> None:
    done = quick("db", "downgrade", conninfo=empty)
    assert done.returncode == 2
    assert "revision" in done.stderr.lower()


def test_the_script_needs_no_database(quick: Cli) -> None:
    nowhere = "postgresql://nobody@nowhere.invalid:1/nothing"
    assert answer(quick, "sql", conninfo=nowhere) == migrate.offline_sql()
    assert answer(quick, "sql", "--from", FIRST, "--to", HEAD, conninfo=nowhere) == (
        migrate.offline_sql(FIRST, HEAD)
    )
    assert answer(quick, "sql", "--from", HEAD, "--to", FIRST) == migrate.offline_sql(HEAD, FIRST)


@pytest.mark.parametrize("option", ["--from", "--to"])
def test_a_script_for_an_unknown_revision(quick: Cli, option: str) -> None:
    done = quick("db", "sql", option, "9999")
    assert_error(done, "there is no revision 9999", f"base, {FIRST}")
    assert done.stdout == ""


def test_the_script_through_psql_gives_a_database_without_drift(
    quick: Cli, cluster: Cluster, empty: str
) -> None:
    done = psql(cluster.server, empty, stdin=quick("db", "sql").stdout)
    assert done.returncode == 0, done.stderr
    assert drift(empty) == []
    assert answer(quick, "verify", conninfo=empty).startswith("No drift: ")
    assert answer(quick, "current", conninfo=empty) == f"{HEAD}\n"
