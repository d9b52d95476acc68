"""Documents with their texts."""

from __future__ import annotations

from dataclasses import dataclass

from tests.properties.planner import Document


@dataclass(frozen=True)
class Piece:
    """A chunk, apart from its vector."""

    text: str = "x"
    tokens: int = 1
    section_path: tuple[str, ...] = ()
    offsets: tuple[int, int] | None = None


@dataclass(frozen=True)
class Page(Document):
    """A document with what execution shows of it: a piece for each of its chunks."""

    title: str = ""
    source: str = ""
    about: str = ""
    section_titles: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()


def page(document: Document) -> Page:
    """A document of which nobody has said more."""
    if isinstance(document, Page):
        return document
    return Page(**vars(document), pieces=(Piece(),) * len(document.chunks))
