"""How much memory a client takes that retrieves, and the server's process that works for it.

Each client in a process of its own.
"""

from __future__ import annotations

import multiprocessing
import re
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import psycopg

from bench.corpora import corpus
from bench.results import Cell, Table
from bench.speed.at_once import ways
from bench.speed.memory import peak_mb
from docgraph.engine import ServerVersionWarning

_BACKENDS = """
SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
_ASKED = 200


def measure(superuser: str, login: str, dimensions: int, *, calls: int, peers: bool, title: str) -> Table:
    """A row for each way to retrieve."""
    rows: list[tuple[Cell, ...]] = []
    for name, (opened, conninfo) in ways(superuser, login, peers=peers).items():
        # Spawned, not forked: nothing of what this process has read.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            rows.append((name, *pool.submit(_one, opened, superuser, conninfo, dimensions, calls).result()))
    columns = ("what", "client MB, first call", f"client MB, after {calls:,}", "server's process MB")
    note = (
        "Client: the most so far. Server's process: what it has to itself at the end, without shared memory."
    )
    return Table(title, columns, rows, note)


def _one(
    opened: Callable[..., Any], superuser: str, conninfo: str, dimensions: int, calls: int
) -> tuple[float, float, float | None]:
    warnings.simplefilter("ignore", ServerVersionWarning)
    asked = corpus.questions(_ASKED, dimensions)
    before = _backends(superuser)
    with opened(conninfo, asked) as call:
        call(0)
        first = peak_mb()
        for number in range(calls):
            call(number % _ASKED)
        return first, peak_mb(), _own_mb(_backends(superuser) - before)


def _backends(superuser: str) -> set[int]:
    with psycopg.connect(superuser) as connection:
        return {pid for (pid,) in connection.execute(_BACKENDS)}


def _own_mb(pids: set[int]) -> float | None:
    """None where the server is on another machine, or on another system."""
    try:
        found = [re.findall(r"RssAnon:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text()) for pid in pids]
    except OSError:
        return None
    return sum(int(one[0]) for one in found) / 2**10
