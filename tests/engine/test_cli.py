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
from tests.engine.embedded import RELEASE
from tests.servers import FAST

if TYPE_CHECKING:
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
