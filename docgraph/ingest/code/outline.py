"""The text of a node: its own lines, with one line in place of each definition in it."""

from __future__ import annotations

from docgraph.ingest.code.nodes import Part
from docgraph.ingest.code.scopes import Definition
from docgraph.ingest.composing import shortened
from docgraph.ingest.summarising import LONGEST


def text_of(found: Definition) -> tuple[str, list[Part]]:
    """And where its parts come from. In a module only definitions that stand in a block have a line."""
    source = found.module.source
    parts: list[Part] = []
    texts: list[str] = []
    at, line = 0, found.first

    def add(text: str, start: int, end: int) -> None:
        nonlocal at
        parts.append(Part(at, start, end))
        texts.append(text)
        at += len(text) + 1

    def add_own(last: int) -> None:
        if last >= line:
            start, _ = source.span(line, last)
            own = source.lines(line, last)
            lead = len(own) - len(own.lstrip("\n"))
            own = own.strip("\n")
            if own.strip():
                add(own, start + lead, start + lead + len(own))

    for inner in found.contents:
        add_own(inner.first - 1)
        if found.parent or inner.indented:
            header = source.lines(inner.header, inner.header)
            indent = header[: len(header) - len(header.lstrip())]
            add(f"{indent}{inner.signature}: ...", *source.span(inner.first, inner.last))
        line = inner.last + 1
    add_own(found.last)
    return "\n".join(texts), parts


def summary_of(found: Definition, title: str) -> str:
    """The first paragraph of its docstring, else how it begins."""
    paragraph = first_paragraph(found.docstring)
    if not paragraph and found.parent:
        paragraph = found.signature
    elif not paragraph:
        word = "package" if found.module.is_package else "module"
        names = ", ".join(dict.fromkeys(each.name.partition("#")[0] for each in found.contents))
        paragraph = f"{word} {title}: {names}" if names else f"{word} {title}"
    return shortened(paragraph, LONGEST)


def first_paragraph(text: str) -> str:
    """On one line, and storable: a docstring may hold any character by its escape."""
    lines: list[str] = []
    for line in text.strip().split("\n"):
        if not line.strip():
            break
        lines.append(line)
    flat = " ".join(" ".join(lines).split()).replace("\0", "")
    return flat.encode("utf-8", "ignore").decode()
