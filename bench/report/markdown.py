"""Tables of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bench.results import Cell

_SMALL = 0.0005
"""Written as a power of ten below it: else it looked like nothing at all."""


def table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """Its lines."""
    yield f"| {' | '.join(columns)} |"
    yield f"| {' | '.join('---' for _ in columns)} |"
    for row in rows:
        yield f"| {' | '.join(map(cell, row))} |"


def cell(value: Cell) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        if 0 < abs(value) < _SMALL:
            return f"{value:.1e}"
        return f"{value:,.3f}" if abs(value) < 10 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else value.replace("|", "\\|")
