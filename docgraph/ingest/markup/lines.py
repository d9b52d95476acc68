"""Lines of a text with the place where each begins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from docgraph.ingest.types import Heading

_LONGEST_TITLE = 500


class Found(NamedTuple):
    """A heading, and where what stands below it begins."""

    heading: Heading
    end: int


def line_starts(text: str, start: int = 0) -> list[int]:
    """Where each line begins, and at the end where one more would."""
    return list(accumulate((len(line) + 1 for line in text[start:].split("\n")), initial=start))


def lines_from(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Each line with the place where it begins, without splitting the whole text first."""
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, text[start:end]
        start = end + 1


def tidy_title(title: str) -> str:
    """On one line, and bounded: a title is stored with every piece below it."""
    return " ".join(title.split())[:_LONGEST_TITLE]
