"""Rows for people and for programs: a table in a terminal, elsewhere lines with tabs between the columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import shorten

from rich.cells import cell_len
from rich.table import Table

from docgraph.cli.console import out, plain, write

_GAP = 2
_FIRST_WORDS = 80


class Rows:
    """Prints rows as they come, page by page; the first page decides how wide the columns are."""

    def __init__(self, *titles: str, numbers: int = 0) -> None:
        self._titles = titles
        self._numbers = numbers
        """The first so many columns are numbers."""
        self._widths: list[int] | None = None

    def print(self, rows: Iterable[Sequence[str]]) -> None:
        page = [[plain(cell) for cell in row] for row in rows]
        if not out.is_terminal:
            for row in page:
                write("\t".join(row))
        elif page:
            self._print_table(page)

    def _print_table(self, page: Sequence[Sequence[str]]) -> None:
        first = self._widths is None
        if self._widths is None:
            self._widths = _widths([self._titles, *page], out.width)
        table = Table(box=None, show_header=first, padding=(0, _GAP, 0, 0), pad_edge=False)
        for number, (title, width) in enumerate(zip(self._titles, self._widths, strict=True)):
            justify = "right" if number < self._numbers else "left"
            # Folded and not cut: an id must be there whole to be copied.
            table.add_column(title, width=width, justify=justify, overflow="fold")  # type: ignore[arg-type]  # a text that is one of its words
        for row in page:
            table.add_row(*row)
        out.print(table, soft_wrap=False)


def _widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Of each column. Where there is not enough room, the widest ones give way."""
    widths = [max(map(cell_len, column), default=0) for column in zip(*rows, strict=True)]
    room -= _GAP * (len(widths) - 1)
    while sum(widths) > room and max(widths) > 1:
        widest = max(widths)
        next_width = max((width for width in widths if width < widest), default=1)
        many = widths.count(widest)
        by = max(1, min(widest - next_width, -(-(sum(widths) - room) // many)))
        widths = [max(1, width - by) if width == widest else width for width in widths]
    return widths


def first_words(text: str) -> str:
    """As much of a text as a row has room for."""
    return shorten(text, _FIRST_WORDS, placeholder=" ...")
