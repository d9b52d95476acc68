"""What goes wrong is a message and a hint on standard error: no traceback, no password."""

from __future__ import annotations

import socket
import subprocess
from typing import TYPE_CHECKING

import pytest
from psycopg.conninfo import make_conninfo

from docgraph import DocGraph, Document
from tests.cli.conftest import COMMAND, Cli, assert_error, environment
from tests.migrations.tools import as_login

if TYPE_CHECKING:
    from tests.conftest import Installed

SECRET = "s3cr3t-pa55"
DATABASE = [
    ("init",),
    ("db", "upgrade"),
    ("db", "downgrade", "base", "--yes"),
    ("db", "current"),
    ("db", "history"),
    ("db", "verify"),
    ("db", "verify", "--json"),
]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.parametrize("arguments", ["ls", "ls --json"])
def test_what_is_closed_is_not_written_to(ready: str, arguments: str) -> None:
    """As by `docgraph ls >&-`: whoever closes it does not want to read it."""
    with DocGraph(ready) as client:
        client.put([Document(id="a.md")])
    command = ["sh", "-c", f'exec "$0" {arguments} >&-', str(COMMAND)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env=environment(ready)
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", DATABASE, ids=" ".join)
def test_a_server_that_is_down(quick: Cli, command: tuple[str, ...]) -> None:
    url = f"postgresql://someone:{SECRET}@127.0.0.1:{free_port()}/knowledge"
    done = quick(*command, conninfo=url)
    assert_error(done, "127.0.0.1")
    assert done.stdout == ""
    assert SECRET not in done.stderr


@pytest.mark.parametrize(
    "url",
    [
        f"mysql://someone:{SECRET}@localhost/knowledge",
        f"postgresql://someone:{SECRET}@at@localhost/knowledge",
        f"postgresql://someone:{SECRET}@localhost:port/knowledge",
        f"host=localhost password={SECRET} nonsense=1",
        f"nonsense {SECRET}",
        f"postgresql+asyncpg://someone:{SECRET}@localhost/knowledge",
    ],
)
def test_a_url_that_is_none(quick: Cli, url: str) -> None:
    done = quick("db", "current", "--database-url", url)
    assert_error(done, "Hint: ")
    assert done.stdout == ""
    assert SECRET not in done.stderr


def test_no_output_has_the_password(cli: Cli, database: Installed) -> None:
    conninfo = make_conninfo(database.conninfo, password=SECRET)
    with database.connect() as connection:
        connection.execute("DROP TABLE docgraph.document_references")
    for command in (("db", "verify"), ("init", "--metric", "nonsense"), ("init",)):
        done = cli(*command, conninfo=conninfo)
        assert "Traceback" not in done.stderr
        assert SECRET not in done.stdout + done.stderr


def test_a_database_that_is_not_there(quick: Cli, database: Installed) -> None:
    server = database.cluster.server
    done = quick("db", "current", conninfo=server.conninfo("no_such_database"))
    assert_error(done, "no_such_database")


def test_a_login_that_may_not_install(quick: Cli, empty: str, database: Installed) -> None:
    done = quick("init", conninfo=as_login(empty, database.cluster.login("may_nothing")))
    assert_error(done, "Hint: ")


def test_an_unknown_command_and_an_unknown_option(quick: Cli) -> None:
    for args in (("nonsense",), ("db", "nonsense"), ("init", "--nonsense"), ("db", "verify", "extra")):
        done = quick(*args)
        assert done.returncode == 2
        assert done.stdout == ""
        assert "Traceback" not in done.stderr


def test_dimensions_that_are_no_number(quick: Cli) -> None:
    done = quick("init", "--embedding-model", "m", "--dimensions", "many")
    assert done.returncode == 2
    assert "--dimensions" in done.stderr
