"""The installed `docgraph` command, run as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from docgraph.engine import URL_VARIABLE

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


def assert_error(done: Done, *parts: str) -> None:
    """A message and perhaps a hint on standard error, no traceback. Of `verify`, 1 would mean drift."""
    assert done.returncode == (2 if "verify" in done.args else 1)
    lines = said(done)
    assert lines[0].startswith("Error: ")
    assert "Traceback" not in done.stderr
    for part in parts:
        assert part in done.stderr


@pytest.fixture
def cli() -> Cli:
    """Runs `docgraph`; without `conninfo` no database is named."""
    if not COMMAND.is_file():
        pytest.skip("docgraph is not installed in this environment")
    return run
