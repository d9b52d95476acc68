"""`docgraph ingest`, stopped in the middle: what is in is whole, and the same command goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from docgraph import DocGraph
from tests.cli.conftest import COMMAND, Cli, environment, stored

if TYPE_CHECKING:
    from tests.conftest import Installed

BATCH = 100
"""Files of which an ingestion says at a time how far it is."""


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Enough files for several batches."""
    docs = tmp_path / "many"
    docs.mkdir()
    for number in range(5 * BATCH):
        (docs / f"{number:04}.md").write_text(f"# Number {number}\n\n[next]({number + 1:04}.md)\n")
    return docs


@contextmanager
def started(conninfo: str, *args: str) -> Iterator[subprocess.Popen[str]]:
    """An ingestion of which the first documents are stored."""
    process = subprocess.Popen(
        [COMMAND, "ingest", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(conninfo),
        # A shell has what it starts in the background ignore the signal, and so do the children of that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
    )
    try:
        deadline = time.monotonic() + 30
        while not stored(conninfo):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        yield process
    finally:
        process.kill()
        process.communicate()


def test_an_interrupted_run_says_how_to_go_on_and_the_next_one_does(cli: Cli, ready: str, many: Path) -> None:
    words = (str(many), "--database-url", ready, "--access", '{"tags": ["it\'s"]}')
    with started(ready, *words) as process, psycopg.connect(ready) as holding:
        # However late the signal comes, the run is not over before it.
        holding.execute("LOCK TABLE docgraph.document_nodes IN EXCLUSIVE MODE")
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    lines = [line for line in errors.splitlines() if not line.startswith("Warning: PostgreSQL")]
    assert lines[0] == "Interrupted."
    told = int(lines[1].split()[0])
    assert lines[1].startswith(f"{told} documents are written, each of them whole: {told} added, ")
    assert lines[2].startswith("To go on, run the same command again")
    again = f'  docgraph ingest {many} --database-url "..." --access \'{{"tags": ["it\'"\'"\'s"]}}\''
    assert lines[3:] == [again]

    there = stored(ready)
    # What was committed when the signal came was perhaps not counted any more.
    assert told <= len(there) <= told + BATCH
    assert 0 < len(there) < 5 * BATCH
    with DocGraph(ready) as client:
        for document in (there[0], there[-1]):
            found = client.get_document(document)
            assert found is not None
            assert [chunk.embedded for chunk in found.chunks] == [True]

    done = cli("ingest", str(many), "--json", conninfo=ready)
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert (report["unchanged"], report["added"]) == (len(there), 5 * BATCH - len(there))
    assert len(stored(ready)) == 5 * BATCH


def test_a_run_that_loses_the_server_says_how_to_go_on(ready: str, database: Installed, many: Path) -> None:
    name = database.name
    with started(ready, str(many)) as process, database.cluster.superuser() as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        out, errors = process.communicate(timeout=60)
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    assert (process.returncode, out) == (1, "")
    assert "Traceback" not in errors
    assert "Error: " in errors
    assert f"  docgraph ingest {many}\n" in errors
    assert 0 < len(stored(ready)) < 5 * BATCH
