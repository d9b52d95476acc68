"""The installed `docgraph` command, run as a user runs it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from docgraph import Access, DocGraph, defaults
from docgraph.access import EmbeddingSpace
from docgraph.cli import main
from docgraph.engine import URL_VARIABLE
from tests.sql.scratch import scratch_database

if TYPE_CHECKING:
    from tests.conftest import Installed
    from tests.servers import Server

COMMAND = Path(sys.executable).parent / "docgraph"
Done = subprocess.CompletedProcess[str]
Cli = Callable[..., Done]


def environment(conninfo: str | None = None, **more: str) -> dict[str, str]:
    """Without the settings of whoever runs the tests."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "DOCGRAPH_", "PYTHONPATH"))}
    return kept | ({URL_VARIABLE: conninfo} if conninfo else {}) | more


def run(*args: str, conninfo: str | None = None, stdin: str | None = None, **env: str) -> Done:
    return subprocess.run(
        [COMMAND, *args],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=environment(conninfo, **env),
    )


def said(done: Done) -> list[str]:
    """Lines on standard error but for the remark that a server is old, which the servers of tests are."""
    return [line for line in done.stderr.splitlines() if not line.startswith("Warning: PostgreSQL")]


def answer(cli: Cli, *args: str, conninfo: str, **env: str) -> list[str]:
    """The lines that a command prints which has nothing to remark."""
    done = cli(*args, conninfo=conninfo, **env)
    assert (done.returncode, said(done)) == (0, [])
    return done.stdout.splitlines()


def assert_error(done: Done, *parts: str) -> None:
    """A message and perhaps a hint on standard error, no traceback. Of `verify`, 1 would mean drift."""
    assert done.returncode == (2 if "verify" in done.args else 1)
    lines = said(done)
    assert lines[0].startswith("Error: ")
    assert "Traceback" not in done.stderr
    for part in parts:
        assert part in done.stderr


def stored(conninfo: str, **claim: Any) -> list[str]:
    """The ids that such a claim sees, of 1,000 at most."""
    with DocGraph(conninfo, access=Access(**claim)) as client:
        return [row.document_id for row in client.list_documents(page=1000)]


def figures(done: Done) -> dict[str, str]:
    """The table of a summary."""
    rows = [line.rsplit(maxsplit=1) for line in done.stdout.splitlines()]
    return {name.strip(): figure for name, figure in rows}


def bring_in(conninfo: str, folder: Path, **options: Any) -> None:
    """As the command does it, where another one is tested."""
    with DocGraph(conninfo) as client:
        assert client.ingest(folder, **options).failed == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three documents that refer to each other, and one that is not there."""
    docs = tmp_path / "docs"
    (docs / "sub").mkdir(parents=True)
    (docs / "a.md").write_text("# A\n\nSee [b](sub/b.md) and [gone](gone.md).\n")
    (docs / "sub" / "b.md").write_text("# B\n\nBack to [a](../a.md).\n")
    (docs / "c.txt").write_text("Plain words.\n")
    return docs


@pytest.fixture
def ready(database: Installed) -> str:
    """A database whose embedding model the command line has; its conninfo."""
    return configured(database)


@pytest.fixture(scope="module")
def shared(server: Server, worker: str, template: str) -> Iterator[str]:
    """As `ready`, for all tests of a module: what they write, they all see."""
    with scratch_database(server, worker, template) as found:
        yield configured(found)


def configured(installed: Installed) -> str:
    with DocGraph(installed.conninfo) as client:
        client.configure_embedding_space(
            EmbeddingSpace(
                defaults.MODEL,
                defaults.DIMENSIONS,
                defaults.METRIC,
                defaults.TEXT_SEARCH,
                defaults.AVERAGE_LENGTH,
            )
        )
    return installed.conninfo


@pytest.fixture
def cli() -> Cli:
    """Runs `docgraph`; without `conninfo` no database is named."""
    if not COMMAND.is_file():
        pytest.skip("docgraph is not installed in this environment")
    return run


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Cli:
    """As `cli`, but in this process: without the time that a program takes to start."""

    def run_here(*args: str, conninfo: str | None = None, stdin: str | None = None, **env: str) -> Done:
        wanted = environment(conninfo, **env)
        with (
            monkeypatch.context() as patch,
            redirect_stdout(io.StringIO()) as out,
            redirect_stderr(io.StringIO()) as errors,
        ):
            for name in os.environ.keys() - wanted.keys():
                patch.delenv(name)
            for name, value in wanted.items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["docgraph", *args])
            patch.setattr(sys, "stdin", io.StringIO(stdin or ""))
            patch.setattr(warnings, "showwarning", warnings.showwarning)  # put back afterwards
            with pytest.raises(SystemExit) as end:
                main()
        code = end.value.code
        assert isinstance(code, int)
        return Done(["docgraph", *args], code, out.getvalue(), errors.getvalue())

    return run_here
