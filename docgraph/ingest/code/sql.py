"""Files of SQL to nodes: what they create, and which files create what they name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docgraph.documents import Link
from docgraph.ingest.code.nodes import Node, Part
from docgraph.ingest.code.outline import first_paragraph
from docgraph.ingest.code.sources import Source
from docgraph.ingest.code.sql_tokens import Token, tokens
from docgraph.ingest.composing import shortened
from docgraph.ingest.links.found import cut
from docgraph.ingest.summarising import LONGEST

_KINDS = frozenset({
    "aggregate", "domain", "function", "index", "policy", "procedure", "sequence", "table", "trigger", "type",
    "view",
})  # fmt: skip
_BEFORE_KIND = frozenset({
    "constraint", "foreign", "global", "local", "materialized", "or", "recursive", "replace", "temp",
    "temporary", "unique", "unlogged",
})  # fmt: skip
_BEFORE_NAME = frozenset({"concurrently", "exists", "if", "not", "only"})
_ON_A_TABLE = frozenset({"index", "policy", "trigger"})


@dataclass(frozen=True, slots=True)
class SqlFile:
    """What a file creates, as (kind, name), and the qualified names in its code, with where each is first."""

    source: Source
    creates: Sequence[tuple[str, str]]
    mentions: dict[str, int]


def look_through(source: Source) -> SqlFile:
    """ValueError says why this cannot be read."""
    found = list(tokens(source.text))
    mentions: dict[str, int] = {}
    for at in range(len(found)):
        if len(name := _dotted(found, at)) > 1:
            mentions.setdefault(".".join(name[:2]), found[at].start)
    return SqlFile(source, list(dict.fromkeys(_created(found))), mentions)


def sql_nodes(files: Sequence[SqlFile]) -> Iterator[Node]:
    """One for each file."""
    creators: dict[str, list[str]] = {}
    for file in files:
        for _, name in file.creates:
            if "." in name and file.source.path not in creators.setdefault(name, []):
                creators[name].append(file.source.path)
    for file in files:
        yield _node(file, creators)


def _node(file: SqlFile, creators: dict[str, list[str]]) -> Node:
    source, path = file.source, file.source.path
    title = file.creates[0][1] if file.creates else path
    said = first_paragraph(_leading_comment(source.text))
    links = {
        target: Link("calls", target, cut(_line_at(source.text, at)))
        for name, at in reversed(file.mentions.items())
        for target in creators.get(name, ())
        if target != path
    }
    return Node(
        id=path,
        doc_type="sql",
        title=title,
        language="sql",
        text=source.text,
        summary=shortened(said or _in_words(file) or title, LONGEST),
        location=source.location,
        metadata={
            "kind": file.creates[0][0] if file.creates else "script",
            "language": "sql",
            "file": path,
            "lines": [1, source.line_count],
            "creates": [" ".join(each) for each in file.creates],
        },
        names=list(dict.fromkeys(name for _, name in file.creates if "." in name)),
        contents=[],
        parts=[Part(0, 0, len(source.text))],
        links=list(links.values()),
    )


def _created(found: Sequence[Token]) -> Iterator[tuple[str, str]]:
    for at, token in enumerate(found):
        if token.word == "create" and not token.depth:
            after = _after(found, at + 1, _BEFORE_KIND)
            kind = found[after].word if after < len(found) else ""
            if kind in _KINDS:
                name = _dotted(found, _after(found, after + 1, _BEFORE_NAME))
                if kind in _ON_A_TABLE:
                    name = _on_a_table(found, after + 1, kind, name)
                if name:
                    yield kind, ".".join(name)


def _on_a_table(found: Sequence[Token], at: int, kind: str, name: list[str]) -> list[str]:
    """An index is in the schema of its table; a policy or a trigger is the table's own."""
    while at < len(found) and found[at].word not in {"on", ";"}:
        at += 1
    table = _dotted(found, _after(found, at + 1, _BEFORE_NAME))
    if name == ["on"] or not name:  # an index that PostgreSQL is to name
        return []
    return [*(table[:-1] if kind == "index" else table), *name]


def _after(found: Sequence[Token], at: int, skipped: frozenset[str]) -> int:
    while at < len(found) and found[at].word in skipped:
        at += 1
    return at


def _dotted(found: Sequence[Token], at: int) -> list[str]:
    """The name that begins here, by its parts; nothing in the middle of one."""
    if not (at < len(found) and found[at].is_name) or (
        at and found[at - 1].word == "." and not found[at - 1].is_name
    ):
        return []
    name = [found[at].word]
    while (
        at + 2 < len(found)
        and (found[at + 1].word, found[at + 1].is_name) == (".", False)
        and found[at + 2].is_name
    ):
        at += 2
        name.append(found[at].word)
    return name


def _leading_comment(text: str) -> str:
    text = text.lstrip()
    if text.startswith("/*"):
        lines = text[2:].partition("*/")[0].split("\n")
        return "\n".join(line.strip().lstrip("*").strip() for line in lines)
    lines = []
    for line in text.split("\n"):
        if not line.startswith("--"):
            break
        lines.append(line.lstrip("-").strip())
    return "\n".join(lines)


def _in_words(file: SqlFile) -> str:
    return "; ".join(" ".join(each) for each in file.creates)


def _line_at(text: str, at: int) -> str:
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : len(text) if end < 0 else end]
