"""What passes from step to step of the pipeline: read, split, link, summarise, embed.

Each step is a protocol with one method and a default; hand another one to `ingest` to replace it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

from docgraph.access import Access
from docgraph.documents import Link


@dataclass(frozen=True, slots=True)
class Raw:
    """One document as it was found, not yet looked into."""

    path: str
    """Where in its source, with "/" between the parts. It becomes the id, unless front matter has another."""
    data: bytes
    location: str = ""
    """Where it can be found by somebody else: a path on disk or an address."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be brought in, and why. `failed` is False for what was left out on purpose."""

    path: str
    reason: str
    failed: bool = True
    claim: Access | None = None
    """Of one that was refused for access: what it takes to write it, as far as it says so itself."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A section title: its level from 1, and where its section starts in the text."""

    level: int
    title: str
    start: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document as text. Offsets are characters of `text`, which is NFC with "\\n" line ends."""

    path: str
    markup: str
    """markdown, rst, text, or code:LANGUAGE."""
    text: str
    title: str
    body: int = 0
    """Where the content begins, after front matter or header fields."""
    headings: Sequence[Heading] = ()
    front_matter: Mapping[str, object] = field(default_factory=dict)
    fields: Sequence[tuple[str, str]] = ()
    """Header fields of the text itself, as in `Superseded-By: 12`."""
    places: Sequence[tuple[int, int]] = ()
    """Where each of the fields stands: text[start:end]."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text: text[start:end], and the titles of the sections it stands in, outermost first."""

    text: str
    start: int
    end: int
    section_path: tuple[str, ...] = ()


@runtime_checkable
class Reader(Protocol):
    """Where documents come from. In any order; the same source gives the same documents."""

    def read(self) -> Iterator[Raw | Problem]: ...


class Parser(Protocol):
    """Bytes to text. Raises ValueError, with a reason a person understands, for what it cannot read."""

    def parse(self, raw: Raw) -> Parsed: ...


class Splitter(Protocol):
    """Text to pieces. Deterministic."""

    def split(self, parsed: Parsed) -> Sequence[Piece]: ...


class Linker(Protocol):
    """What a document is called, and what it refers to, by the names that others have."""

    def names(self, parsed: Parsed) -> Sequence[str]: ...

    def links(self, parsed: Parsed) -> Sequence[Link]: ...


Summariser: TypeAlias = Callable[[Parsed], str | Awaitable[str]]
"""A document to its summary. May be a coroutine function: an LLM, for one."""


@runtime_checkable
class Embedder(Protocol):
    """Texts to vectors, all of one model. Documents and queries may be embedded differently."""

    @property
    def name(self) -> str:
        """The model: recorded with the database, compared before every use."""
        ...

    @property
    def dimensions(self) -> int: ...

    def embed_documents(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...

    def embed_query(self, text: str) -> Sequence[float]: ...

    def count_tokens(self, text: str) -> int:
        """By the model's own tokenizer where there is one, else a stated estimate."""
        ...


AnyEmbedder: TypeAlias = Embedder | Callable[[list[str]], Sequence[Sequence[float]]] | None
"""What callers may give: an embedder, a function from texts to vectors, or None for the recorded model."""
