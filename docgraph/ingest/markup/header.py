"""Header fields that a text has itself: as in a mail or a PEP, as a reST field list, or below its title."""

from __future__ import annotations

import re

from docgraph.ingest.keys import is_field
from docgraph.ingest.markup.lines import lines_from

Fields = list[tuple[str, str]]

_PLAIN = re.compile(r"([A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*):(?:[ \t]+(.*))?$")
_LISTED = re.compile(r":([^:\s][^:]{0,80}):(?:[ \t]+(.*))?$")
_BELOW_TITLE = re.compile(
    r"(?:[-*+][ \t]+)?(?:\*\*|__)?([A-Za-z][\w-]*(?: [\w-]+){0,2})"
    r"(?:\*\*|__)?[ \t]*:(?:\*\*|__)?(?:[ \t]+(.*))?$"
)
_MOST = 100


def header_at_top(text: str, start: int) -> tuple[Fields, int]:
    """The fields that a text begins with, and where the text after them begins."""
    while start < len(text) and text[start] == "\n":
        start += 1
    pattern = _LISTED if text.startswith(":", start) else _PLAIN
    fields, end = _fields(text, start, pattern, gaps=False)
    if end < len(text) and text[end] != "\n":
        return [], start  # the last line runs on into something else: a paragraph
    # What might be sentences all the same stays in the text, and so does all that there is.
    is_sure = pattern is _LISTED or (len(fields) > 1 and any(is_field(name) for name, _ in fields))
    return fields, end if is_sure and text[end:].strip() else start


def header_below_title(text: str, start: int, markup: str) -> Fields:
    """The fields directly after the title, as decision records have them."""
    return _fields(text, start, _LISTED if markup == "rst" else _BELOW_TITLE, gaps=True)[0]


def _fields(text: str, start: int, pattern: re.Pattern[str], *, gaps: bool) -> tuple[Fields, int]:
    """Fields with the lines that continue them, and where the first line that is neither begins."""
    blocks: list[list[tuple[str, list[str]]]] = [[]]
    end = start
    for place, line in lines_from(text, start):
        end = place
        if not line.strip():
            if not gaps:
                break
            blocks.append([])
        elif matched := pattern.match(line.rstrip()):
            blocks[-1].append((matched[1], [matched[2] or ""]))
        elif line[0] in " \t" and blocks[-1]:
            blocks[-1][-1][1].append(line)
        else:
            break
    else:
        end = len(text)
    found = [field for block in blocks for field in block if _is_header(block, pattern)]
    if len(found) > _MOST:
        return [], start
    joined = [(name, " ".join(part for line in lines if (part := _bare(line)))) for name, lines in found]
    return [(name, value) for name, value in joined if value or not gaps], end


def _is_header(block: list[tuple[str, list[str]]], pattern: re.Pattern[str]) -> bool:
    """One `Word: text` alone is a sentence more often than a field, unless the word is known as one."""
    return len(block) > 1 or pattern is _LISTED or is_field(block[0][0])


def _bare(line: str) -> str:
    """Without the marks of a forced line break."""
    return line.strip().removesuffix("\\").rstrip()
