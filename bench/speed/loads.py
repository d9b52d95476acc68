"""What it takes to bring the same chunks into each engine, its indexes included."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from bench.footprint import held_mb
from bench.results import Cell, Table


@dataclass(frozen=True, slots=True)
class Loads:
    """Of engines in this database, in this folder, or in the memory of this process."""

    database: str
    folder: Path
    rows: list[Sequence[Cell]] = field(default_factory=list)

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """One engine. What fails has no row."""
        room, held = self._mb(), held_mb()
        began = time.perf_counter()
        yield
        seconds = time.perf_counter() - began
        room, now = self._mb() - room, held_mb()
        self.rows.append((name, seconds, room, None if held is None or now is None else now - held))

    def table(self, count: int) -> Table:
        """A row for each."""
        columns = ("what", "seconds", "MB on disk", "MB in memory")
        return Table(f"Bringing in {count:,} chunks", columns, self.rows)

    def _mb(self) -> float:
        with psycopg.connect(self.database) as connection:
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        files = sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())
        return ((row[0] if row else 0) + files) / 2**20
