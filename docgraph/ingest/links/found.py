"""A link as it was found in a text, and the words around it."""

from __future__ import annotations

import re
from typing import NamedTuple

_AROUND = 60
_LONGEST = 300
_BYTES = 1000


class Found(NamedTuple):
    """A reference to the document called `to`, in text[start:end]."""

    to: str
    start: int
    end: int
    target: tuple[int, int] = (0, 0)
    """Where the target is written out, if it is: not to be read as prose."""


def words_around(text: str, start: int, end: int, body: int = 0) -> str:
    """About 60 characters on each side, in whole words where there are any; nothing before `body`."""
    first, last = max(body, start - _AROUND), min(len(text), end + _AROUND)
    before, after = text[first:start], text[end:last]
    if first > body and not text[first - 1].isspace():
        before = re.sub(r"^\S+\s", "", before)
    if last < len(text) and not text[last].isspace():
        after = re.sub(r"\s\S+$", "", after)
    return cut(f"{before}{text[start : min(end, start + _LONGEST)]}{after}")


def cut(evidence: str) -> str:
    """With its blanks collapsed, and no longer than the database takes it. Half a character pair goes."""
    collapsed = " ".join(evidence.split())[:_LONGEST]
    return collapsed.encode("utf-8", "ignore")[:_BYTES].decode("utf-8", "ignore").strip()
