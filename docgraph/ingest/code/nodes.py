"""A node of a code graph, as it passes through the steps of the pipeline."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from docgraph.documents import Link
from docgraph.ingest.types import Parsed, Raw


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a node's text: where it begins there, and where in the file it comes from."""

    at: int
    start: int
    end: int


NODE_KEYS = frozenset({"kind", "language", "file", "lines"})
"""What the metadata of every node has."""


@dataclass(frozen=True, slots=True)
class Node:
    """A module, class, function or SQL file."""

    id: str
    doc_type: str
    title: str
    language: str
    text: str
    """Its own: without that of the nodes in it."""
    summary: str
    location: str
    """Of its file."""
    metadata: dict[str, object]
    names: Sequence[str] = ()
    contents: Sequence[str] = ()
    """Names of what is defined in it."""
    parts: Sequence[Part] = ()
    links: Sequence[Link] = ()

    def to_raw(self) -> Raw:
        """All of it is data: a change of any of it is a change of the document."""
        data = json.dumps(asdict(self), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return Raw(self.id, data.encode(), self.location)

    @classmethod
    def from_raw(cls, raw: Raw) -> Node:
        found: dict[str, Any] = json.loads(raw.data)
        found["parts"] = [Part(**part) for part in found["parts"]]
        found["links"] = [Link(**link) for link in found["links"]]
        return cls(**found)

    def place_of(self, start: int, end: int) -> tuple[int, int]:
        """From where to where in the file the piece text[start:end] was written."""
        begins = [part.at for part in self.parts]
        first, last = bisect_right(begins, start) - 1, bisect_right(begins, end - 1) - 1
        return self._place(first, start, start)[0], self._place(last, end, end)[1]

    def _place(self, number: int, start: int, end: int) -> tuple[int, int]:
        """A line that stands for a definition stands for the whole of it."""
        part = self.parts[number]
        following = self.parts[number + 1].at - 1 if number + 1 < len(self.parts) else len(self.text)
        if following - part.at != part.end - part.start:
            return part.start, part.end
        return part.start + start - part.at, part.start + end - part.at


@dataclass(frozen=True, slots=True)
class ParsedNode(Parsed):
    """What the steps that make a document are given."""

    node: Node = field(kw_only=True)
