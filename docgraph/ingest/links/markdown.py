"""Links of Markdown and its dialects: inline, by reference, [[wiki]], and HTML's href."""

from __future__ import annotations

import html
import re
from collections import deque
from collections.abc import Iterator, Mapping

from docgraph.ingest.links.found import Found
from docgraph.ingest.links.prose import Prose
from docgraph.ingest.links.targets import DOCUMENT_SUFFIXES, Targets
from docgraph.ingest.markup.suffixes import suffix_of

_DEPTH = 1000  # of brackets in brackets

# Every repetition is bounded or cannot cross what begins the next link: no text takes more than linear time.
_BRACKETS = re.compile(r"\\.|(!?)\[|\]|\n[ \t]*(?=\n)")
_INLINE = re.compile(
    r"\(\s{0,40}(?:<([^<>\n]{1,2000})>|((?:[^\s()<]|\([^\s()]{0,500}\)){1,2000}))"
    r"(?:\s{1,40}(?:\"[^\"]{0,500}\"|'[^']{0,500}'|\([^()]{0,500}\)))?\s{0,40}\)"
)
_LABEL = re.compile(r"[ ]?\[((?:[^\[\]\\]|\\.){0,500})\]")
_AUTOLINK = re.compile(r"<([^\s<>:\"'=]{1,500}\.[A-Za-z0-9]{1,10}(?:#[^\s<>]{0,200})?)>")
_WIKI = re.compile(r"(?<!\\)\[\[([^\[\]\n]{1,400})\]\]")
_HREF = re.compile(
    r"<a\s[^<>]{0,1000}?\bhref\s{0,20}=\s{0,20}"
    r"(?:\"([^\"<>]{1,2000})\"|'([^'<>]{1,2000})'|([^\s\"'<>]{1,2000}))",
    re.IGNORECASE,
)


def markdown_links(prose: Prose, path: str, targets: Targets) -> Iterator[Found]:
    """In no particular order."""
    for target, start, end, where in _bracketed(prose.plain, prose.definitions):
        if to := targets.href(target, path):
            yield Found(to, start, end, where)
    for found in _AUTOLINK.finditer(prose.plain):
        known = suffix_of(found[1].partition("#")[0]) in DOCUMENT_SUFFIXES
        if known and (to := targets.href(found[1], path)):
            yield Found(to, *found.span(), found.span())
    yield from wiki_links(prose, path, targets)
    yield from html_links(prose, path, targets)


def wiki_links(prose: Prose, path: str, targets: Targets) -> Iterator[Found]:
    for found in _WIKI.finditer(prose.plain):
        if to := targets.wiki(found[1], path):
            yield Found(to, *found.span(), found.span())


def html_links(prose: Prose, path: str, targets: Targets) -> Iterator[Found]:
    for found in _HREF.finditer(prose.plain):
        if to := targets.href(html.unescape(found[1] or found[2] or found[3]), path):
            yield Found(to, *found.span(), found.span())


def _bracketed(text: str, definitions: Mapping[str, str]) -> Iterator[tuple[str, int, int, tuple[int, int]]]:
    """Targets of [words](target), [words][label], [label][] and [label]; where they stand, and the target."""
    from markdown_it.common.utils import normalizeReference, unescapeAll  # noqa: PLC0415 - slow to import

    open_brackets = deque[tuple[int, bool]](maxlen=_DEPTH)
    latest = -1
    for found in _BRACKETS.finditer(text):
        match found[0][0]:
            case "\n":
                open_brackets.clear()
            case "\\":
                pass
            case "[" | "!":
                latest = found.end()
                open_brackets.append((latest, bool(found[1])))
            case _ if open_brackets:
                start, is_image = open_brackets.pop()
                if is_image:
                    continue
                end = found.end()
                if inline := _INLINE.match(text, end):
                    yield unescapeAll(inline[1] or inline[2]), start - 1, inline.end(), (end, inline.end())
                elif definitions:
                    label = _LABEL.match(text, end)
                    end = label.end() if label else end
                    # A label has no brackets in it.
                    own = text[start : found.start()] if start == latest else ""
                    if target := definitions.get(normalizeReference((label[1] if label else "") or own)):
                        yield target, start - 1, end, (0, 0)
