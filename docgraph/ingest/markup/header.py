"""Header fields that a text has itself: as in a mail or a PEP, as a reST field list, or below its title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from docgraph.ingest.keys import is_field
from docgraph.ingest.markup.lines import lines_from


class Header(NamedTuple):
    """Fields, and where each of them stands in the text."""

    fields: Sequence[tuple[str, str]] = ()
    places: Sequence[tuple[int, int]] = ()


NO_HEADER = Header()


@dataclass(slots=True)
class _Lines:
    """The lines of one field, without its name."""

    name: str
    start: int
    end: int = 0
    values: list[str] = field(default_factory=list)

    def add(self, value: str, end: int) -> None:
        self.values.append(value)
        self.end = end

    @property
    def value(self) -> str:
        return " ".join(part for line in self.values if (part := _bare(line)))


_PLAIN = re.compile(r"([A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*):(?:[ \t]+(.*))?$")
_LISTED = re.compile(r":([^:\s][^:]{0,80}):(?:[ \t]+(.*))?$")
_BELOW_TITLE = re.compile(
    r"(?:[-*+][ \t]+)?(?:\*\*|__)?([A-Za-z][\w-]*(?: [\w-]+){0,2})"
    r"(?:\*\*|__)?[ \t]*:(?:\*\*|__)?(?:[ \t]+(.*))?$"
)
_MOST = 100


def header_at_top(text: str, start: int) -> tuple[Header, int]:
    """The fields that a text begins with, and where the text after them begins."""
    while start < len(text) and text[start] == "\n":
        start += 1
    pattern = _LISTED if text.startswith(":", start) else _PLAIN
    header, end = _header(text, start, pattern, gaps=False)
    if end < len(text) and text[end] != "\n":
        return NO_HEADER, start  # the last line runs on into something else: a paragraph
    # What might be sentences all the same stays in the text, and so does all that there is.
    is_sure = pattern is _LISTED or (
        len(header.fields) > 1 and any(is_field(name) for name, _ in header.fields)
    )
    return header, end if is_sure and text[end:].strip() else start


def header_below_title(text: str, start: int, markup: str) -> Header:
    """The fields directly after the title, as decision records have them."""
    return _header(text, start, _LISTED if markup == "rst" else _BELOW_TITLE, gaps=True)[0]


def _header(text: str, start: int, pattern: re.Pattern[str], *, gaps: bool) -> tuple[Header, int]:
    """Fields with the lines that continue them, and where the first line that is neither begins."""
    blocks: list[list[_Lines]] = [[]]
    end = start
    for place, line in lines_from(text, start):
        end = place
        if not line.strip():
            if not gaps:
                break
            blocks.append([])
        elif matched := pattern.match(line.rstrip()):
            blocks[-1].append(_Lines(matched[1], place))
            blocks[-1][-1].add(matched[2] or "", place + len(line))
        elif line[0] in " \t" and blocks[-1]:
            blocks[-1][-1].add(line, place + len(line))
        else:
            break
    else:
        end = len(text)
    found = [lines for block in blocks for lines in block if _is_header(block, pattern)]
    if len(found) > _MOST:
        return NO_HEADER, start
    kept = [lines for lines in found if lines.value or not gaps]
    fields = tuple((lines.name, lines.value) for lines in kept)
    return Header(fields, tuple((lines.start, lines.end) for lines in kept)), end


def _is_header(block: list[_Lines], pattern: re.Pattern[str]) -> bool:
    """One `Word: text` alone is a sentence more often than a field, unless the word is known as one."""
    return len(block) > 1 or pattern is _LISTED or is_field(block[0].name)


def _bare(line: str) -> str:
    """Without the marks of a forced line break."""
    return line.strip().removesuffix("\\").rstrip()
