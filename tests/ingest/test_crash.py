"""kill -9 of client and server, at any point: what was acknowledged is there, and nothing is half there.

DOCGRAPH_KILLS says at how many points, 6 if it is not set.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

import pytest

from docgraph.client import DocGraph
from docgraph.embedded import EmbeddedServer
from tests.ingest.loading import BATCH, COUNT, check_whole, load, put_all
from tests.ingest.place import Place, server_of_its_own
from tests.ingest.rows import stored

KILLS = int(os.environ.get("DOCGRAPH_KILLS", "6"))

KEEPING = {"fsync": "off"}
"""What the server has acknowledged is with the kernel, and outlives a killed process."""


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with server_of_its_own(KEEPING) as found:
        yield found


def _start(conninfo: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "tests.ingest.loading", conninfo],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert cast("IO[str]", process.stdout).readline() == "ready\n"
    return process


def _until(process: subprocess.Popen[str], batches: int, pause: float) -> int:
    """Waits until so many batches are acknowledged and a moment longer; how many documents that are."""
    acknowledged = 0
    while acknowledged < batches * BATCH:
        acknowledged = int(cast("IO[str]", process.stdout).readline())
    time.sleep(pause)
    return acknowledged


def _rest(process: subprocess.Popen[str], acknowledged: int) -> tuple[int, str]:
    """What it had said by its end, and its errors."""
    said, errors = process.communicate(timeout=60)
    return max([acknowledged, *map(int, said.split())]), errors


def _kill(server: EmbeddedServer) -> None:
    """The server and all its processes, so that none can bring its work to an end."""
    pid = server.status().pid
    assert pid
    children = Path(f"/proc/{pid}/task/{pid}/children")
    family = [pid, *map(int, children.read_text().split())] if children.exists() else [pid]
    for member in family:
        with suppress(ProcessLookupError):
            os.kill(member, signal.SIGKILL)


@pytest.mark.parametrize("number", range(KILLS))
def test_a_kill_at_any_point(place: Place, number: int) -> None:
    chance = random.Random(number)
    victim = ("client", "server")[number % 2]
    name = f"killed_{number}"
    conninfo = place.database(name)
    process = _start(conninfo)
    acknowledged = _until(process, chance.randrange(COUNT // BATCH), chance.random() * 0.05)
    if victim == "client":
        process.kill()
        acknowledged, _ = _rest(process, acknowledged)
        place.wait_until_alone(name)
    else:
        _kill(place.server)
        acknowledged, errors = _rest(process, acknowledged)
        assert process.returncode == 0 or "ServerUnavailable" in errors, errors
        assert "Traceback" not in errors
        place.server.ensure()
    changed = check_whole(conninfo, place.old, place.new, acknowledged)

    with DocGraph(conninfo) as client:
        report = put_all(client, load())
    assert (report.unchanged, report.failed) == (changed, 0)
    assert report.done == COUNT
    assert stored(conninfo) == place.new, "one copy of each, as without a disturbance"
    place.drop(name)
