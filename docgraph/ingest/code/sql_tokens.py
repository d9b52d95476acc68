"""SQL as PostgreSQL reads it: words and marks, without comments and string literals.

What is quoted with dollars is code too: bodies of functions are. Lines of psql (`\\ir file`) are none, and
neither is what COPY reads, as a dump has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
      (?P<blank> \s+ | --[^\n]* | \\[^\n]* )
    | (?P<comment> /\* )
    | (?P<literal> [eE]'[^'\\]*(?:(?:''|\\.)[^'\\]*)*' | (?:[uU]&|[bBnNxX])?'[^']*(?:''[^']*)*' )
    | (?P<dollars> \$(?:[^\W\d]\w*)?\$ )
    | (?P<quoted> (?:[uU]&)?"[^"]*(?:""[^"]*)*" )
    | (?P<word> [^\W\d][\w$]* )
    | (?P<number> \d[\w.]* )
    | (?P<mark> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_PSQL_COPY = re.compile(r"\\copy\s[^\n]*\sfrom\s+stdin\b", re.IGNORECASE)
_END_OF_DATA = re.compile(r"\n\\\.[ \t]*(?=\n|\Z)")
_COMMENT_MARK = re.compile(r"/\*|\*/")


class Token(NamedTuple):
    """`word` in lower case as PostgreSQL folds it, but for one in quotes; a mark is one character."""

    word: str
    is_name: bool
    start: int
    depth: int
    """0 outside of dollar quotes."""


def tokens(text: str) -> Iterator[Token]:
    """ValueError if something is opened and never closed."""
    at = 0
    comments = _ends_of_comments(text)
    ends: list[tuple[int, int]] = [(len(text), 0)]
    """Where the dollar quotes around end, the innermost last, and how long their closing mark is."""
    copy = _Copy()
    while True:
        end, closing = ends[-1]
        found = _TOKEN.match(text, at, end)
        if found is None:
            if len(ends) == 1:
                return
            ends.pop()
            at = end + closing
            continue
        at = found.end()
        kind, depth = found.lastgroup, len(ends) - 1
        if kind == "comment":
            at = _end_of_comment(text, comments, at, end, is_code=depth > 0)
        elif kind == "dollars" and (closed := text.find(found[0], at, end)) >= 0:
            ends.append((closed, len(found[0])))
        elif depth == 0 and (kind == "dollars" or found[0] in {"'", '"'}):
            raise _never_closed(text, found.start())
        elif kind == "blank" and depth == 0 and _PSQL_COPY.match(found[0]):
            at = _after_data(text, at)
        elif kind in {"word", "quoted", "mark"}:
            token = Token(_folded(found[0]), kind != "mark", found.start(), depth)
            yield token
            at = _after_data(text, at) if depth == 0 and copy.ends_with(token) else at


class _Copy:
    """Notices the end of `COPY ... FROM stdin ...;`, behind which there are lines of data."""

    def __init__(self) -> None:
        self._words: list[str] = []

    def ends_with(self, token: Token) -> bool:
        if token.word != ";" or token.is_name:
            self._words.append(token.word)
            return False
        words, self._words = self._words, []
        return words[:1] == ["copy"] and ("from", "stdin") in pairwise(words)


def _after_data(text: str, at: int) -> int:
    """From the next line to one that is `\\.`, or to the end."""
    line_end = text.find("\n", at)
    found = _END_OF_DATA.search(text, line_end) if line_end >= 0 else None
    return found.end() if found else len(text)


def _folded(word: str) -> str:
    if word.endswith('"') and len(word) > 1:
        return word[word.index('"') + 1 : -1].replace('""', '"')
    return word.lower()


def _ends_of_comments(text: str) -> dict[int, int]:
    """Of each mark that opens one, behind it: where the comment ends. They nest."""
    ends = {}
    opened = []
    for mark in _COMMENT_MARK.finditer(text):
        if mark[0] == "/*":
            opened.append(mark.end())
        elif opened:
            ends[opened.pop()] = mark.end()
    return ends


def _end_of_comment(text: str, ends: Mapping[int, int], start: int, end: int, *, is_code: bool) -> int:
    """In a body of another language than SQL it may be none."""
    closed = ends.get(start, end + 1)
    if closed <= end:
        return closed
    if not is_code:
        raise _never_closed(text, start - 2)
    return start


def _never_closed(text: str, at: int) -> ValueError:
    line = text.count("\n", 0, at) + 1
    what = "comment" if text.startswith("/*", at) else "quotation"
    return ValueError(f"line {line}: a {what} that is never closed")
