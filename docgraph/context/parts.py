"""What a context is made of: plain values, with the names that they have in its JSON.

They look at nothing: the database has just made what they are made from. `reading` looks at other JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

T = TypeVar("T")


def _made(cls: type[T], found: Mapping[str, Any], **others: Any) -> T:
    """A value whose fields are the keys of JSON, apart from `others`.

    Faster than its constructor, which goes field by field: there are dozens in each context.
    """
    made = cls.__new__(cls)
    made.__dict__.update(found, **others)
    return made


@dataclass(frozen=True)
class ContextChunk:
    """A piece of a document's text."""

    document_id: str = field(metadata={"json": False})
    """Of the document that it is from. In JSON it stands below that."""
    chunk: int
    """Its number in the document."""
    text: str
    tokens: int
    score: float
    """What it was ordered by, the greater the nearer to the question: 1 - distance for cosine.

    As JSON has it, so a whole number is an int: one that is greater than floats are exact would lose digits.
    """
    section_path: tuple[str, ...]
    """The headings that it stands under, outermost first."""
    start_offset: int | None
    """Where it begins in the text of its document; None if that is not known."""
    end_offset: int | None
    chosen: int
    """In which order chunks were chosen, 1 first."""
    chosen_by: str
    """"similarity", "reserve" (a place kept for documents that relationships brought in), or how many places
    behind which seed it stands: "bridge, 1 behind a.md"."""

    @classmethod
    def from_json(cls, document_id: str, found: Mapping[str, Any]) -> Self:
        return _made(cls, found, document_id=document_id, section_path=tuple(found["section_path"]))


@dataclass(frozen=True)
class ContextDocument:
    """A document of the plan that has something in the context."""

    document_id: str
    position: int
    """Its place in the plan."""
    role: str
    """"seed" or "expanded"."""
    why: str
    """Why it is in the plan: "seed 1, found by search", or "a.md explains this; b.md references this"."""
    title: str
    source: str
    doc_type: str
    summary: str | None
    """None if it has none, or it did not fit."""
    section_titles: tuple[str, ...] | None
    """As `summary`."""
    chosen_chunks: int
    """How many of its chunks were chosen. Those without room in the budget are not here."""
    chunks: tuple[ContextChunk, ...]
    """Nearest first."""

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        document_id, titles = found["document_id"], found["section_titles"]
        return _made(
            cls,
            found,
            section_titles=None if titles is None else tuple(titles),
            chunks=tuple([ContextChunk.from_json(document_id, chunk) for chunk in found["chunks"]]),
        )


@dataclass(frozen=True, slots=True)
class Source:
    """A document as an answer cites it."""

    number: int
    """As [1] in `to_messages` and `to_markdown`."""
    document_id: str
    title: str
    source: str
    """Where it came from, a path or an address; empty if nobody said."""
