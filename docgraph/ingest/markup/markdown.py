"""Markdown: its headings, by a CommonMark parser, so that # in a code block is none."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt

from docgraph.ingest.markup.lines import Found, line_starts, tidy_title
from docgraph.ingest.types import Heading

_MARKED = re.compile(r"[`*_\[\]<>&\\!{]")
_ATTRIBUTES = re.compile(r"\s*\{[#.:][^{}]*\}\s*$")


@cache
def _parser() -> MarkdownIt:
    """Blocks only: what stands in a line is looked into for titles alone."""
    return MarkdownIt("commonmark").disable("inline")


@cache
def _title_parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


def headings(text: str, body: int) -> list[Found]:
    """Those of the document itself, not of quotations and list items."""
    tokens = _parser().parse(text[body:])
    if not any(token.type == "heading_open" for token in tokens):
        return []
    starts = line_starts(text, body)
    found = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map is not None:
            title = _plain_title(inline.content)
            if title:
                heading = Heading(int(token.tag[1:]), title, starts[token.map[0]])
                found.append(Found(heading, min(starts[token.map[1]], len(text))))
    return found


def _plain_title(source: str) -> str:
    """Without the marks: "Use `x` in [this](y)" is "Use x in this"."""
    if not _MARKED.search(source):
        return tidy_title(source)
    parts = [
        token.content if token.type in {"text", "code_inline"} else " "
        for line in _title_parser().parseInline(_ATTRIBUTES.sub("", source[:2000]))
        for token in line.children or ()
        if token.type in {"text", "code_inline", "softbreak", "hardbreak"}
    ]
    return tidy_title("".join(parts))
