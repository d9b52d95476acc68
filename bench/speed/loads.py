"""What it takes to bring the same chunks into each engine, its indexes included."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from bench import machine
from bench.results import Cell, Table

_NOTE = (
    "seconds: rows and indexes, with the making of the texts, which is the same for all. on disk: how much"
    " the database or the engine's folder grew. in memory: how much the process that asks grew, with"
    " the engine's libraries; what a server holds is its cache of the files."
)


@dataclass(frozen=True, slots=True)
class Loads:
    """Of engines in this database, in this folder, or in the memory of this process."""

    database: str
    folder: Path
    rows: list[Sequence[Cell]] = field(default_factory=list)

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """One engine. What fails has no row."""
        began, room, held = time.perf_counter(), self._mb(), self._held()
        yield
        seconds, grown = time.perf_counter() - began, self._held()
        memory = None if held is None or grown is None else grown - held
        self.rows.append((name, seconds, self._mb() - room, memory))

    def table(self, count: int) -> Table:
        """A row for each."""
        columns = ("what", "seconds", "MB on disk", "MB in memory")
        return Table(f"Bringing in {count:,} chunks", columns, self.rows, _NOTE)

    def _mb(self) -> float:
        with psycopg.connect(self.database) as connection:
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        files = sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())
        return ((row[0] if row else 0) + files) / 2**20

    @staticmethod
    def _held() -> float | None:
        return machine.own_mb({os.getpid()})
