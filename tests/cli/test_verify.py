"""`docgraph db verify`: exit code 0 where all is as released, 1 with a diff where it is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.cli.conftest import Cli, assert_error, said
from tests.migrations.tools import as_login

if TYPE_CHECKING:
    from tests.conftest import Installed

FUNCTION = "function docgraph.check_tenant(tenant text)"


def change(database: Installed) -> None:
    with database.connect() as connection:
        connection.execute("ALTER FUNCTION docgraph.check_tenant(text) STABLE")
        # Brackets, which a terminal library might take for markup, and letters beyond ASCII.
        connection.execute("COMMENT ON FUNCTION docgraph.check_tenant(text) IS '[red]naïve[/red] [/]'")
        connection.execute("CREATE TABLE docgraph.extra (a integer)")


def test_no_drift(quick: Cli, database: Installed) -> None:
    done = quick("db", "verify", conninfo=database.conninfo)
    assert (done.returncode, said(done)) == (0, [])
    (line,) = done.stdout.splitlines()
    assert line.startswith("No drift: PostgreSQL at ")
    assert line.endswith("is what this release should be.")
    done = quick("db", "verify", "--json", conninfo=database.conninfo)
    assert (done.returncode, json.loads(done.stdout)) == (0, [])


def test_drift(quick: Cli, database: Installed) -> None:
    change(database)
    done = quick("db", "verify", conninfo=database.conninfo)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert f"changed: {FUNCTION}" in lines
    assert "unexpected: table docgraph.extra" in lines
    for line in ("- IMMUTABLE", "+ STABLE", "+comment [red]naïve[/red] [/]", "+column a integer"):
        assert f"    {line}" in lines
    (summary,) = said(done)
    assert summary.startswith("Not what this release should be: 2 of the objects in PostgreSQL at ")
    assert "DBA guide, under Drift" in summary


def test_drift_as_json(quick: Cli, database: Installed) -> None:
    change(database)
    done = quick("db", "verify", "--json", conninfo=database.conninfo)
    assert done.returncode == 1
    first, second = json.loads(done.stdout)
    assert (first["object"], first["kind"]) == (FUNCTION, "changed")
    assert "+comment [red]naïve[/red] [/]" in first["diff"].splitlines()
    assert (second["object"], second["kind"]) == ("table docgraph.extra", "unexpected")


def test_a_reader_may_verify(quick: Cli, database: Installed) -> None:
    login = database.cluster.login("verifier", member_of="docgraph_reader")
    assert quick("db", "verify", conninfo=as_login(database.conninfo, login)).returncode == 0


def test_a_database_without_docgraph(quick: Cli, empty: str) -> None:
    for options in ((), ("--json",)):
        done = quick("db", "verify", *options, conninfo=empty)
        assert_error(done, "docgraph is not installed in this database", "Hint: Run `docgraph init`")
        assert done.stdout == ""


def test_what_the_tables_hold_is_not_printed(quick: Cli, database: Installed) -> None:
    with database.connect() as connection:
        connection.execute("INSERT INTO docgraph.lexical_terms VALUES ('t', 'sesame', 1)")
        connection.execute("ALTER TABLE docgraph.lexical_terms ADD COLUMN extra text")
    done = quick("db", "verify", conninfo=database.conninfo)
    assert "docgraph.lexical_terms" in done.stdout
    assert "sesame" not in done.stdout + done.stderr
