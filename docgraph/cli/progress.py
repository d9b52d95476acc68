"""How far an ingestion has come, on standard error: only in a terminal, and gone when it ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from docgraph.cli.console import err
from docgraph.ingest.report import Report


class Meter:
    """The report of a run, and how long it has taken. It shows what the report says by now."""

    def __init__(self) -> None:
        self.report = Report()
        self._started = time.monotonic()
        self._total: int | None = None

    def __call__(self, report: Report) -> None:
        self.report = report

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    @contextmanager
    def shown(self, count: Callable[[], Iterator[object]] | None) -> Iterator[None]:
        """In a terminal. `count` gives something for each document, if that can be known beforehand."""
        self._started = time.monotonic()
        if not err.is_terminal:
            yield
            return
        over = threading.Event()
        if count:
            threading.Thread(target=self._count, args=(count, over), daemon=True).start()
        try:
            with Live(get_renderable=self._picture, console=err, refresh_per_second=5, transient=True):
                yield
        finally:
            over.set()

    def _count(self, count: Callable[[], Iterator[object]], over: threading.Event) -> None:
        """Beside the run, which need not wait for it."""
        total = 0
        try:
            for _ in count():
                if over.is_set():
                    return
                total += 1
        except Exception:
            return  # the run meets it too, and reports it
        self._total = total

    def _picture(self) -> Group:
        report, seconds = self.report, self.seconds
        done = report.done
        total = None if self._total is None else max(self._total, done)
        rate = done / seconds if seconds else 0.0
        of = f" of {total:,}" if total is not None else ""
        said = f"{done:,}{of} documents, {rate:,.0f}/s, {_clock(seconds)}"
        if total is not None and done:
            said += f", {_clock((total - done) / rate)} left"
        first = Table.grid(padding=(0, 1))
        first.add_row(ProgressBar(total=total, completed=done, width=20), Text(said))
        return Group(first, Text(f"{report.chunks:,} chunks stored, {report.embedded:,} texts embedded"))


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
