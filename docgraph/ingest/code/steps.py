"""The steps of the pipeline for nodes of code. What there is to find out, the reader has found out before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from docgraph.documents import Link
from docgraph.errors import InvalidArgument
from docgraph.ingest.code.nodes import Node, ParsedNode
from docgraph.ingest.code.places import package_of_folder
from docgraph.ingest.code.reading import CodeReader
from docgraph.ingest.links.names import fits
from docgraph.ingest.reading import FolderReader
from docgraph.ingest.splitting import TextSplitter
from docgraph.ingest.types import Heading, Parsed, Piece, Raw, Reader, Splitter

VERSION = "code=1"
"""To be raised whenever the same node would give another document."""
_MOST_LINKS = 5000


class NodeParser:
    """A node as text."""

    fingerprint = VERSION

    def parse(self, raw: Raw) -> Parsed:
        node = Node.from_raw(raw)
        return ParsedNode(
            node.id,
            f"code:{node.language}",
            node.text,
            node.title,
            headings=[Heading(2, name, 0) for name in dict.fromkeys(node.contents)],
            front_matter={"doc_type": node.doc_type, **node.metadata},
            node=node,
        )


class NodeSplitter:
    """Pieces as another splitter cuts them, each with its place in the file."""

    def __init__(self, splitter: Splitter | None = None) -> None:
        self._splitter = splitter or TextSplitter()

    @property
    def fingerprint(self) -> str:
        inner = self._splitter
        return f"{VERSION},{getattr(inner, 'fingerprint', type(inner).__qualname__)}"

    def split(self, parsed: Parsed) -> list[Piece]:
        node = _node(parsed)
        pieces = self._splitter.split(replace(parsed, headings=()))
        return [Piece(each.text, *node.place_of(each.start, each.end), (node.title,)) for each in pieces]


class NodeLinker:
    """What the node was found to be called, and to lead to."""

    fingerprint = VERSION

    def names(self, parsed: Parsed) -> Sequence[str]:
        return [name for name in _node(parsed).names if fits(name)]

    def links(self, parsed: Parsed) -> Sequence[Link]:
        return [link for link in _node(parsed).links if fits(link.to)][:_MOST_LINKS]


def summarise_node(parsed: Parsed) -> str:
    return _node(parsed).summary


def read_code(files: Reader) -> CodeReader:
    """Of a folder it is known whether it is a package itself."""
    above = package_of_folder(files.root) if isinstance(files, FolderReader) else ()
    return CodeReader(files, above)


def code_steps(given: Mapping[str, Any]) -> dict[str, Any]:
    """The steps of the pipeline, with those that a caller may choose."""
    for name in ("parser", "linker"):
        if name in given:
            raise InvalidArgument(
                f"{name} cannot be chosen with code.",
                hint=f"Leave {name} out: Python and SQL have their own.",
            )
    return {
        "parser": NodeParser(),
        "splitter": NodeSplitter(given.get("splitter")),
        "linker": NodeLinker(),
        "summariser": given.get("summariser", summarise_node),
    }


def _node(parsed: Parsed) -> Node:
    if not isinstance(parsed, ParsedNode):
        raise TypeError("a step for nodes of code was given a document of another kind")
    return parsed.node
