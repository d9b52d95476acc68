"""Small trees of source code, read without a database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import dedent

from docgraph.ingest.code.nodes import Node
from docgraph.ingest.code.reading import CodeReader
from docgraph.ingest.types import Problem, Raw

Edge = tuple[str, str, str]


@dataclass
class Files:
    """Files by their paths, as another reader would find them."""

    files: Mapping[str, str | bytes]

    def read(self) -> Iterator[Raw | Problem]:
        for path, text in self.files.items():
            yield Raw(path, text if isinstance(text, bytes) else dedent(text).encode(), f"/tree/{path}")


@dataclass
class Graph:
    """What was read."""

    nodes: dict[str, Node]
    problems: dict[str, str]
    notes: list[str] = field(default_factory=list)

    def edges(self, *types: str) -> set[Edge]:
        return {
            (node.id, link.relation_type, link.to)
            for node in self.nodes.values()
            for link in node.links
            if not types or link.relation_type in types
        }

    def pairs(self, relation_type: str) -> set[tuple[str, str]]:
        """Shorter: "f > g" as ("f", "g") where both are of the only module."""
        return {(_short(a), _short(b)) for a, _, b in self.edges(relation_type)}


def read(files: Mapping[str, str | bytes], above: tuple[str, ...] = ()) -> Graph:
    reader = CodeReader(Files(files), above)
    found = list(reader.read())
    nodes = [Node.from_raw(each) for each in found if isinstance(each, Raw)]
    problems = {each.path: each.reason for each in found if isinstance(each, Problem)}
    return Graph({node.id: node for node in nodes}, problems, reader.notes)


def module(text: str) -> Graph:
    """Of the one file m.py."""
    found = read({"m.py": text})
    assert found.problems == {}
    return found


def _short(document_id: str) -> str:
    return document_id.removeprefix("m.py").removeprefix("::")
