"""Text to pieces of a bounded size, section by section, so that each piece knows exactly where it stands."""

from __future__ import annotations

import importlib.metadata
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from operator import attrgetter
from typing import Literal

import semantic_text_splitter

from docgraph.errors import InvalidArgument
from docgraph.ingest.types import Heading, Parsed, Piece

VERSION = 2
"""To be raised whenever the same text would be split differently."""

Place = tuple[int, int]
"""From where to where."""

_MOST_TITLES = 20
_SLAB = 50_000
"""Characters the library is given at once: its time grows with the square of a text without spaces."""


class TextSplitter:
    """Pieces of at most `size` characters or tokens; tokens are counted by `count`, a function of a text.

    Each section is split apart from the others. One without text of its own, a heading alone, goes with
    the section below it, and a heading above a long table with the table's beginning. Source code is split
    as text: splitting by its grammar hangs on deep nesting.
    """

    def __init__(
        self,
        size: int = 1200,
        unit: Literal["characters", "tokens"] = "characters",
        count: Callable[[str], int] | None = None,
    ) -> None:
        if unit not in ("characters", "tokens"):
            raise InvalidArgument(f"unit {unit!r} is not known.", hint="Give characters or tokens.")
        if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= 1_000_000:
            raise InvalidArgument(f"size {size!r} is not a size.", hint="Give a number from 1 to 1000000.")
        if (unit == "tokens") != (count is not None):
            raise InvalidArgument(
                "count and unit do not fit together.",
                hint="unit='tokens' needs count, such as embedder.count_tokens; characters need none.",
            )
        self._size, self._unit, self._count = size, unit, count

    @property
    def fingerprint(self) -> str:
        """What decides how the same text is split; of `count` its name, and that of its embedder."""
        library = importlib.metadata.version("semantic-text-splitter")
        counted = "" if self._count is None else f",count={_name(self._count)}"
        return f"splitter={VERSION},size={self._size},unit={self._unit}{counted},library={library}"

    def split(self, parsed: Parsed) -> list[Piece]:
        pieces = []
        for start, end, path in _sections(parsed):
            for slab in _slabs(parsed.text, start, end):
                for at, to in self._cut(parsed, *slab):
                    pieces.append(Piece(parsed.text[at:to], at, to, path))
        return pieces

    def _cut(self, parsed: Parsed, start: int, end: int) -> list[Place]:
        found = self._pieces(parsed, start, end, self._size)
        if len(found) < 2:
            return found
        headings = list(takewhile(lambda place: _is_headings_alone(parsed, *place), found))
        if not 0 < len(headings) < len(found):
            return found
        # What follows did not fit below the heading: less of it does.
        head, below = found[0][0], found[len(headings)][0]
        room = self._size - self._length(parsed.text[head:below])
        if 2 * room < self._size:
            return found
        (_, to), *_ = self._pieces(parsed, below, end, room)
        if self._length(parsed.text[head:to]) > self._size:
            return found
        return [(head, to), *self._pieces(parsed, to, end, self._size)]

    def _pieces(self, parsed: Parsed, start: int, end: int, size: int) -> list[Place]:
        """As the library cuts it. What is blank differs a little between it and Python."""
        found = self._library(parsed.markup, size).chunk_indices(parsed.text[start:end])
        return [(start + at, start + at + len(text)) for at, text in found if text.strip()]

    def _library(
        self, markup: str | None, size: int
    ) -> semantic_text_splitter.MarkdownSplitter | semantic_text_splitter.TextSplitter:
        kind = (
            semantic_text_splitter.MarkdownSplitter
            if markup == "markdown"
            else semantic_text_splitter.TextSplitter
        )
        return kind(size) if self._count is None else kind.from_callback(self._count, size)

    def _length(self, text: str) -> int:
        return len(text) if self._count is None else self._count(text)


def _sections(parsed: Parsed) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """From where to where, and below which titles; nothing is left out between them."""
    headings = [heading for heading in parsed.headings if heading.start >= parsed.body]
    begin = parsed.body
    path: tuple[str, ...] = ()
    open_headings: list[Heading] = []
    for heading in headings:
        above = open_headings[-1] if open_headings else None
        deeper = above is not None and heading.level > above.level
        if not (deeper and above and _is_headings_alone(parsed, above.start, heading.start)):
            if heading.start > begin:
                yield begin, heading.start, path
            begin = heading.start
        while open_headings and open_headings[-1].level >= heading.level:
            open_headings.pop()
        open_headings.append(heading)
        path = tuple(each.title for each in open_headings[:_MOST_TITLES])
    yield begin, len(parsed.text), path


def _is_headings_alone(parsed: Parsed, start: int, end: int) -> bool:
    """Marks do not count: what titles are written with, and the lines drawn under them."""
    first = bisect_left(parsed.headings, start, key=attrgetter("start"))
    below = takewhile(lambda heading: heading.start < end, islice(parsed.headings, first, None))
    titles = [heading.title for heading in below]
    if not titles or end - start > sum(4 * len(title) + 200 for title in titles):
        return False
    return _letters(parsed.text[start:end]) == _letters("".join(titles))


def _letters(text: str) -> str:
    return "".join(each for each in text if each.isalnum())


def _slabs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Parts that are not too long, cut where a paragraph ends, or a line, or a word."""
    while end - start > _SLAB:
        middle, limit = start + _SLAB // 2, start + _SLAB
        cuts = (text.rfind(mark, middle, limit) + len(mark) for mark in ("\n\n", "\n", " "))
        cut = next((cut for cut in cuts if cut >= middle), limit)
        yield start, cut
        start = cut
    yield start, end


def _name(count: Callable[[str], int]) -> str:
    named = count if hasattr(count, "__qualname__") else type(count)
    model = getattr(getattr(count, "__self__", None), "name", "")
    return f"{named.__module__}.{named.__qualname__}({model})"
