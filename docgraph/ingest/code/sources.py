"""The text of a file, by its lines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from docgraph.ingest.decoding import decode
from docgraph.ingest.markup.lines import line_starts
from docgraph.ingest.types import Raw


@dataclass(frozen=True)
class Source:
    """A file as it was read."""

    path: str
    location: str
    text: str

    @classmethod
    def of(cls, raw: Raw) -> Source:
        """ValueError if there is no telling what it says."""
        return cls(raw.path, raw.location, decode(raw.data, raw.path))

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins, and at the end where one more would."""
        return line_starts(self.text)

    @property
    def line_count(self) -> int:
        return max(1, len(self.starts) - 1 - self.text.endswith("\n"))

    def span(self, first: int, last: int) -> tuple[int, int]:
        """From where to where the lines go, counted from 1, both included, as far as there are any."""
        return self.starts[first - 1], min(self.starts[min(last, len(self.starts) - 1)], len(self.text))

    def lines(self, first: int, last: int) -> str:
        start, end = self.span(first, last)
        return self.text[start:end]
