"""Documents as they are put into the database: plain values, no driver needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Literal


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document's text."""

    text: str
    token_count: int
    embedding: Sequence[float] | Literal["keep"] | None = None
    """The vector; "keep" takes over the stored one of the same text in the same document; None is without."""
    section_path: Sequence[str] = ()
    """Titles of the sections it stands in, outermost first."""
    start: int | None = None
    """Where it begins and ends in the source, in characters."""
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A typed relationship that leaves a document."""

    relation_type: str
    to: str
    """The id of the other document, or one of its names. It waits while there is no such document."""
    evidence: str | None = None
    """The words around the link."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document, with its chunks, its links and what it takes to see it."""

    id: str
    chunks: Sequence[Chunk] = ()
    title: str = ""
    doc_type: str = ""
    source: str = ""
    """Where it can be found: a path or an address."""
    summary: str = ""
    summary_embedding: Sequence[float] | Literal["keep"] | None = None
    section_titles: Sequence[str] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)
    names: Sequence[str] = ()
    """Other names that links may call it by, beside its id."""
    links: Sequence[Link] = ()
    """Inferred from its text: replaced whenever the document changes."""
    relationships: Sequence[Link] | None = None
    """Declared. None keeps those that are stored."""
    repository: str = ""
    snapshot: str = ""
    tags: Sequence[str] = ()
    labels: Sequence[str] = ()
    clearance: int = 0
    content_hash: str | None = None
    """SHA-256 in hex of whatever it is made from; without one the database takes that of the document."""

    def to_dict(self) -> dict[str, object]:
        """As the database takes it: what is None is left out."""
        plain = _plain(self)
        return {
            **plain,
            "chunks": _plain_list(self.chunks),
            "links": _plain_list(self.links),
        } | ({} if self.relationships is None else {"relationships": _plain_list(self.relationships)})


def _plain_list(entries: object) -> object:
    """What is of another type stays as it is: the database refuses it, and says where it stands."""
    if not isinstance(entries, (list, tuple)):
        return entries
    return [_plain(entry) if isinstance(entry, (Chunk, Link)) else entry for entry in entries]


def _plain(value: Document | Chunk | Link) -> dict[str, object]:
    found = {f.name: getattr(value, f.name) for f in fields(value)}
    return {
        name: vector_text(entry) if name in _VECTORS else entry
        for name, entry in found.items()
        if entry is not None
    }


_VECTORS = frozenset({"embedding", "summary_embedding"})


def vector_text(vector: object) -> object:
    """A vector as the text that the database reads more than twice as fast as a list of numbers."""
    return (
        vector
        if isinstance(vector, str) or not isinstance(vector, Iterable)
        else f"[{','.join(map(str, vector))}]"
    )
