"""reStructuredText: its section titles, by the lines drawn under and over them."""

from __future__ import annotations

import re

from docgraph.ingest.markup.lines import Found, line_starts, tidy_title
from docgraph.ingest.types import Heading

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*$")
_NOT_A_TITLE = re.compile(r"\s|\.\.(?:\s|$)|>>>|[-*+|•]\s|:[^:]+:(?:\s|$)|__\s")
_EXPLICIT = re.compile(r"\.\.\s|__\s")

_INLINE = re.compile(
    r"``(?P<literal>.+?)``"
    r"|(?:(?<!\w):[\w:.+-]+:)?`(?:(?P<named>[^`<]+?)\s*<[^`<>]*>|(?P<quoted>[^`]+))`(?:__?)?"
    r"|(?<![\w*\\])(?P<stars>\*\*?)(?=\S)(?P<stressed>[^*]+?)(?<=\S)(?P=stars)(?![\w*])"
    r"|\s?\[(?:\#[\w.-]*|\d+|\*)\]_"  # a footnote
    r"|\\(?:\s|(?P<escaped>\S))"
)


def headings(text: str, body: int) -> list[Found]:
    """Levels follow the order in which the kinds of line are first used, as reST has it."""
    lines = text[body:].split("\n")
    starts = line_starts(text, body)
    kinds: list[tuple[str, bool]] = []
    found = []
    number, may_begin = 0, True
    while number < len(lines):
        over = may_begin and _overlined(lines, number)
        if over or (may_begin and _underlined(lines, number)):
            title = _plain_title(lines[number + over])
            kind = (lines[number + over + 1][0], over)
            if kind not in kinds:
                kinds.append(kind)
            end = number + 2 + over
            if title:
                heading = Heading(kinds.index(kind) + 1, title, starts[number])
                found.append(Found(heading, min(starts[end], len(text))))
            number = end
            may_begin = True
        else:
            may_begin = not lines[number].strip() or _EXPLICIT.match(lines[number]) is not None
            number += 1
    return found


def _overlined(lines: list[str], number: int) -> bool:
    over, title, under = (*lines[number : number + 3], "", "", "")[:3]
    return (
        _ADORNMENT.match(over) is not None
        and over.rstrip() == under.rstrip()
        and bool(title.strip())
        and _ADORNMENT.match(title) is None
        and _fits(title, over)
    )


def _underlined(lines: list[str], number: int) -> bool:
    title, under = (*lines[number : number + 2], "", "")[:2]
    return (
        _ADORNMENT.match(under) is not None
        and bool(title.strip())
        and _NOT_A_TITLE.match(title) is None
        and _ADORNMENT.match(title) is None
        and _fits(title, under)
    )


def _fits(title: str, line: str) -> bool:
    """A line that is too short counts from four characters on, as docutils has it."""
    length = len(line.rstrip())
    return length >= min(4, len(title.strip()))


def _plain_title(source: str) -> str:
    return tidy_title(_INLINE.sub(_kept, source[:2000]))


def _kept(found: re.Match[str]) -> str:
    names = ("literal", "named", "quoted", "stressed", "escaped")
    return next((text for name in names if (text := found[name])), "")
