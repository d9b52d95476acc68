"""`docgraph db start | stop | status | psql`, as a user runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from psycopg.conninfo import conninfo_to_dict

from docgraph.embedded import EmbeddedServer
from docgraph.engine import Database
from tests.engine.embedded import RELEASE, query
from tests.servers import FAST, temporary_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRET = "s3cr3t"


def docgraph(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from docgraph.cli import main; main()", *args]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ | env)


def test_start_status_stop(home: Path) -> None:
    here = ("--home", str(home))
    done = docgraph("db", "status", *here)
    assert (done.returncode, done.stdout) == (3, f"Not running: embedded PostgreSQL, in {home}\n")
    done = docgraph("db", "start", *here)
    assert (done.returncode, done.stdout) == (0, f"Running: embedded PostgreSQL {RELEASE}, in {home}\n")
    done = docgraph("db", "status", *here)
    assert done.returncode == 0
    assert "kept running, not in use" in done.stdout
    done = docgraph("db", "status", "--json", DOCGRAPH_HOME=str(home))
    found: dict[str, Any] = json.loads(done.stdout)
    assert (found["running"], found["kept"], found["version"], found["home"]) == (
        True,
        True,
        RELEASE,
        str(home),
    )
    with EmbeddedServer(home):
        done = docgraph("db", "stop", *here)
        assert done.stdout == f"Stopped: embedded PostgreSQL {RELEASE}, in {home}\n"
        assert "in use" in done.stderr
    done = docgraph("db", "stop", *here)
    assert (done.returncode, done.stdout) == (0, f"Not running: embedded PostgreSQL, in {home}\n")
    assert docgraph("db", "status", "--json", *here).returncode == 3


def test_psql_on_the_embedded_server(made: Path) -> None:
    home = made
    here = ("--home", str(home))
    for separator in ((), ("--",)):
        done = docgraph("db", "psql", *here, *separator, "-XAtc", "SELECT current_database()")
        assert (done.returncode, done.stdout) == (0, "docgraph\n")
    assert not EmbeddedServer(home).status().running
    done = docgraph("db", "psql", *here, "--keep", "--", "-Xc", "SELECT nonsense", "-v", "ON_ERROR_STOP=1")
    assert done.returncode == 1
    assert "nonsense" in done.stderr
    assert EmbeddedServer(home).status().kept


WHO = "SELECT session_user, current_database()"


@pytest.fixture(scope="module")
def with_login() -> Iterator[Path]:
    """A running server that has another login, and another database."""
    with temporary_home() as home, EmbeddedServer(home, settings=FAST) as server:
        query(server, 'CREATE ROLE "app hr" LOGIN')
        query(server, "CREATE DATABASE other")
        yield home


@pytest.mark.parametrize("by", ["home", "url"])
@pytest.mark.parametrize(
    ("args", "seen"),
    [
        ((), "postgres|docgraph"),
        (("--user", "app hr"), "app hr|docgraph"),
        (("-U", "app hr"), "app hr|docgraph"),
        (("--", "-XU", "app hr"), "app hr|docgraph"),
        (("-d", "other"), "postgres|other"),
        (("other", "app hr"), "app hr|other"),
    ],
)
def test_psql_connects_as_it_is_told(with_login: Path, by: str, args: tuple[str, ...], seen: str) -> None:
    """Whoever tries what a login may see must not be somebody else without a word."""
    place = (
        ("--home", str(with_login)) if by == "home" else ("--database-url", EmbeddedServer(with_login).url())
    )
    done = docgraph("db", "psql", *place, "-XAtc", WHO, *args, PGUSER="nobody", PGDATABASE="nothing")
    assert (done.returncode, done.stdout) == (0, f"{seen}\n"), done.stderr


def test_psql_goes_to_the_host_it_is_told(with_login: Path) -> None:
    for option in ("-h", "--host"):
        done = docgraph("db", "psql", "--home", str(with_login), option, "/nowhere", "-XAtc", WHO)
        assert done.returncode == 2
        assert "/nowhere" in done.stderr


def test_another_login_is_not_sent_the_password_of_the_url(with_login: Path) -> None:
    url = EmbeddedServer(with_login).url().replace("postgres@", f"postgres:{SECRET}@")
    for user, expected in (("app hr", ""), ("postgres", SECRET)):
        done = docgraph("db", "psql", "--database-url", url, "--user", user, "-XAtc", r"\! echo $PGPASSWORD")
        assert (done.returncode, done.stdout) == (0, f"{expected}\n")


def test_an_empty_name_is_no_login(with_login: Path) -> None:
    for command in (["psql", "-c", WHO], ["url"]):
        done = docgraph("db", *command, "--home", str(with_login), "--user", "")
        assert (done.returncode, done.stdout) == (2, "")
        assert "The name is empty." in done.stderr


def test_the_url_leads_other_programs_there(with_login: Path) -> None:
    done = docgraph("db", "url", "--home", str(with_login))
    assert (done.returncode, done.stderr) == (0, "")
    with Database(done.stdout.strip()) as database, database.connection() as connection:
        assert connection.execute(WHO).fetchall() == [("postgres", "docgraph")]
    done = docgraph("db", "url", "--user", "app hr", DOCGRAPH_HOME=str(with_login))
    psql = [str(EmbeddedServer(with_login).psql), done.stdout.strip(), "-XAtc", WHO]
    seen = subprocess.run(psql, capture_output=True, text=True, check=True, env=os.environ | {"PGPORT": "1"})
    assert seen.stdout == "app hr|docgraph\n"


def test_the_url_of_a_server_that_does_not_run(made: Path, home: Path) -> None:
    done = docgraph("db", "url", "--home", str(made))
    assert done.returncode == 0
    assert done.stdout.startswith("postgresql://postgres@/docgraph?host=/")
    assert "It does not run. `docgraph db start` starts it" in done.stderr
    done = docgraph("db", "url", "--home", str(home.parent / "none"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "Run `docgraph init --home " in done.stderr


@pytest.mark.parametrize("how", ["option", "variable"])
def test_psql_on_a_url(home: Path, how: str) -> None:
    with EmbeddedServer(home, settings=FAST) as server:
        folder = conninfo_to_dict(server.conninfo)["host"]
        url = f"postgresql+psycopg://postgres:{SECRET}@/docgraph?host={folder}&keepalives=0"
        arguments = ["--", "-XAt", "-c", r"\! tr '\0' ' ' < /proc/$PPID/cmdline; echo; echo $PGPASSWORD"]
        if how == "option":
            done = docgraph("db", "psql", "--database-url", url, *arguments, DOCGRAPH_DATABASE_URL="nonsense")
        else:
            done = docgraph("db", "psql", *arguments, DOCGRAPH_DATABASE_URL=url)
    assert done.returncode == 0, done.stderr
    arguments_seen, password_seen = done.stdout.splitlines()
    assert "psql" in arguments_seen
    assert SECRET not in arguments_seen
    assert password_seen == SECRET


def test_errors_are_a_message_and_a_hint(home: Path) -> None:
    home.touch()
    done = docgraph("db", "start", "--home", str(home / "below"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: The embedded server in ")
    assert "\nHint: " in done.stderr
    assert "Traceback" not in done.stderr
    done = docgraph("db", "psql", "--database-url", f"mysql://u:{SECRET}@h/d")
    assert done.returncode == 1
    assert SECRET not in done.stderr
