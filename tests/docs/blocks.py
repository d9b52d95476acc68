"""The fenced blocks of the documentation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block and the heading it stands under."""

    language: str
    text: str
    heading: str


def blocks(path: str, *languages: str) -> list[Block]:
    """The blocks of a page, in order."""
    page = (ROOT / path).read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(page):
        headings = re.findall(r"^#+ (.+)$", page[: match.start()], re.MULTILINE)
        found.append(Block(match[1], match[2], headings[-1]))
    return [block for block in found if not languages or block.language in languages]


def block(path: str, heading: str, language: str) -> str:
    """The one block of a language under a heading."""
    (found,) = [b.text for b in blocks(path, language) if b.heading == heading]
    return found
