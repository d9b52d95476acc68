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

VERSION = "code=2"
"""To be raised whenever the same node would give another document."""
_MOST_LINKS = 5000
_MOST_BLANKS = 1000
"""Between two pieces: a model has to take them with the words."""


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
    """Pieces as another splitter cuts them, but for the blanks around them, each with its place in the file.

    Put together again, as `docgraph fetch` does, they are the text of the node letter for letter. A splitter
    takes blanks off both ends; in code they are indentation.
    """

    def __init__(self, splitter: Splitter | None = None) -> None:
        self._splitter = splitter or TextSplitter()

    @property
    def fingerprint(self) -> str:
        inner = self._splitter
        return f"{VERSION},{getattr(inner, 'fingerprint', type(inner).__qualname__)}"

    def split(self, parsed: Parsed) -> list[Piece]:
        node = _node(parsed)
        pieces = self._splitter.split(replace(parsed, headings=()))
        spans = _touching(node.text, [(each.start, each.end) for each in pieces])
        places = [node.place_of(start, end) for start, end in spans]
        for at in range(1, len(spans)):
            if spans[at - 1][1] == spans[at][0]:
                # Pieces that touch do so in the file, too: between parts there are lines that are left out.
                cut = max(places[at - 1][1], places[at][0])
                places[at - 1 : at + 1] = (places[at - 1][0], cut), (cut, places[at][1])
        return [
            Piece(node.text[start:end], *place, (node.title,))
            for (start, end), place in zip(spans, places, strict=True)
        ]


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


def _touching(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """With the blanks between two of them: to the end of the line in the first, from there in the second.

    What overlaps, or has words between, is as its splitter wants it.
    """
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    for at, (before, after) in enumerate(zip([0, *ends], [*starts, len(text)], strict=True)):
        gap = text[before:after]
        if before > after or len(gap) > _MOST_BLANKS or gap.strip():
            continue
        cut = before + gap.rfind("\n") + 1
        if at > 0:
            ends[at - 1] = cut if at < len(spans) else after
        if at < len(spans):
            starts[at] = cut if at > 0 else before
    return list(zip(starts, ends, strict=True))


def _node(parsed: Parsed) -> Node:
    if not isinstance(parsed, ParsedNode):
        raise TypeError("a step for nodes of code was given a document of another kind")
    return parsed.node
