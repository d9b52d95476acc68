"""How much memory a client takes that retrieves, and the server's process that works for it.

Each client in a process of its own.
"""

from __future__ import annotations

import multiprocessing
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from bench import machine
from bench.corpora import corpus
from bench.results import Cell, Table
from bench.speed.at_once import ways
from bench.speed.memory import peak_mb
from docgraph.engine import ServerVersionWarning

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
    before = machine.backends(superuser)
    with opened(conninfo, asked) as call:
        call(0)
        first = peak_mb()
        for number in range(calls):
            call(number % _ASKED)
        return first, peak_mb(), machine.own_mb(machine.backends(superuser) - before)
