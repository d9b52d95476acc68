"""What of a text is prose: code and comments become blanks of the same length, so that offsets stay true."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from docgraph.ingest.types import Parsed

_HTML_LEFT_OUT = (("<!--", "-->"), ("<pre", "</pre>"), ("<script", "</script>"), ("<style", "</style>"))
_CODE_DIRECTIVES = frozenset({
    "code", "code-block", "sourcecode", "parsed-literal", "math", "raw", "doctest", "testcode", "testoutput",
    "productionlist", "graphviz", "mermaid", "csv-table",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prose:
    """The body of a document without its code. Both texts are as long as that of the document."""

    text: str
    """Without blocks of code."""
    plain: str
    """Without code in lines either: where links are looked for."""
    definitions: Mapping[str, str] = field(default_factory=dict)
    """Markdown: label to target, of `[label]: target`."""


def prose_of(parsed: Parsed) -> Prose:
    """By the markup of the document. Source code is prose throughout: its comments and strings speak."""
    text = blanked(parsed.text, [(0, parsed.body)])
    if parsed.markup == "markdown":
        blocks, definitions = _markdown_blocks(parsed.text, parsed.body)
        text = blanked(text, blocks)
        text = blanked(text, _html_left_out(text))
        return Prose(text, blanked(text, _code_in_lines(text)), definitions)
    if parsed.markup == "rst":
        text = blanked(text, _rst_blocks(text))
        return Prose(text, blanked(text, _code_in_lines(text, literal=2)))
    return Prose(text, text)


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """With spaces for the spans, in order of their beginnings; line ends stay."""
    parts, done = [], 0
    for start, end in spans:
        if end > done:
            parts.append(text[done : max(start, done)])
            parts.append(re.sub(r"[^\n]", " ", text[max(start, done) : end]))
            done = end
    return "".join([*parts, text[done:]])


# -------------------------------------------------------------------- Markdown


def _markdown_blocks(text: str, body: int) -> tuple[list[tuple[int, int]], dict[str, str]]:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - slow to import

    parser = MarkdownIt("commonmark").disable("inline")
    env: dict[str, Any] = {}
    tokens = parser.parse(text[body:], env)
    starts = list(accumulate((len(line) + 1 for line in text[body:].split("\n")), initial=body))
    lines = [token.map for token in tokens if token.map and token.type in {"fence", "code_block"}]
    references: Mapping[str, Mapping[str, Any]] = env.get("references", {})
    lines += [found["map"] for found in references.values()]
    spans = sorted((starts[first], starts[min(last, len(starts) - 1)]) for first, last in lines)
    return spans, {label: str(found["href"]) for label, found in references.items()}


def _html_left_out(text: str) -> list[tuple[int, int]]:
    spans = []
    lower = text.lower() if len(text.lower()) == len(text) else text  # a few capitals have longer small ones
    for opening, closing in _HTML_LEFT_OUT:
        end = 0
        while (start := lower.find(opening, end)) >= 0 and (close := lower.find(closing, start)) >= 0:
            end = close + len(closing)
            spans.append((start, end))
    return sorted(spans)


def _code_in_lines(text: str, literal: int = 0) -> Iterator[tuple[int, int]]:
    """Between two runs of as many backticks in one paragraph; with `literal`, of just so many."""
    runs: list[tuple[int, int]] = []
    for found in re.finditer(r"(?<!\\)`+|\n[ \t]*(?=\n)", text):
        if found[0][0] == "`":
            if not literal or len(found[0]) == literal:
                runs.append(found.span())
        else:
            yield from _paired(runs)
            runs = []
    yield from _paired(runs)


def _paired(runs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    closing: dict[int, int] = {}
    partner: list[int | None] = [None] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        partner[index] = closing.get(length)
        closing[length] = index
    index = 0
    while index < len(runs):
        if (other := partner[index]) is not None:
            yield runs[index][0], runs[other][1]
            index = other
        index += 1


# -------------------------------------------------------------------- reStructuredText


def _rst_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Literal blocks, directives that hold code, comments, and lines of doctests."""
    limit: int | None = None  # lines further in than this belong to the block
    doctest = False
    at = 0
    for line in text.split("\n"):
        start, end = at, at + len(line)
        at = end + 1
        words = line.strip()
        if not words:
            doctest = False
            continue
        indent = len(line) - len(line.lstrip())
        if limit is not None and indent > limit:
            yield start, end
            continue
        limit = None
        doctest = doctest or words.startswith(">>> ")
        if doctest:
            yield start, end
        elif words.startswith(".. ") or words == "..":
            directive = re.match(r"\.\.\s+(?:\|[^|]+\|\s+)?([\w-]+(?::[\w-]+)*)::", words)
            if directive and directive[1] in _CODE_DIRECTIVES:
                limit = indent
            elif not directive and not re.match(r"\.\.\s+(?:\[|_|\|)", words):
                limit = indent
                yield start, end
        elif words.endswith("::"):
            limit = indent
