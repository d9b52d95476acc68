"""What the database says of documents: rows and reports as plain values, no driver needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Reference:
    """What a document refers to, by name."""

    from_document: str
    relation_type: str
    to: str

    @classmethod
    def from_json(cls, found: Mapping[str, str]) -> Self:
        return cls(found["from"], found["relation_type"], found["to"])


@dataclass(frozen=True, slots=True)
class Written:
    """What a writing call did. Of documents their ids, of relationships a `Reference` each."""

    added: tuple[str | Reference, ...] = ()
    changed: tuple[str | Reference, ...] = ()
    unchanged: tuple[str | Reference, ...] = ()
    deleted: tuple[str | Reference, ...] = ()
    absent: tuple[str | Reference, ...] = ()
    """Not there, or not to be seen: the two are not told apart."""
    waiting: tuple[Reference, ...] = ()
    """References of these documents without a document in sight."""
    wal: str | None = None
    """The WAL position that a standby must have reached to show this. On a connection of the caller's it is
    None: ask `wal_position()` after the commit."""

    @classmethod
    def from_json(cls, found: Mapping[str, list[Any]]) -> Self:
        said: dict[str, Any] = {
            key: tuple(entry if isinstance(entry, str) else Reference.from_json(entry) for entry in entries)
            for key, entries in found.items()
        }
        return cls(**said)


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as it is stored, without its vector."""

    ordinal: int
    text: str
    token_count: int
    section_path: tuple[str, ...]
    start: int | None
    end: int | None
    embedded: bool


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it is stored, with its chunks."""

    id: str
    title: str
    doc_type: str
    source: str
    summary: str
    summary_embedded: bool
    section_titles: tuple[str, ...]
    metadata: Mapping[str, Any]
    names: tuple[str, ...]
    ingestion: str | None
    content_hash: str
    repository: str
    snapshot: str
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    clearance: int
    chunks: tuple[StoredChunk, ...]

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        chunks = tuple(StoredChunk(**_tuples(chunk)) for chunk in found["chunks"])
        return cls(**(_tuples(found) | {"chunks": chunks}))

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {f.name: getattr(self, f.name) for f in fields(self)} | {
            "chunks": [{f.name: getattr(chunk, f.name) for f in fields(chunk)} for chunk in self.chunks]
        }


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in a list."""

    document_id: str
    title: str
    doc_type: str
    source: str
    repository: str
    snapshot: str
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    clearance: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship in a list; `waiting` if there is no document in sight at its other end."""

    from_document: str
    relation_type: str
    to_document: str
    declared: bool
    inferred: bool
    evidence: str | None
    waiting: bool


@dataclass(frozen=True, slots=True)
class OldText:
    """A text that needs a vector of the next embedding space; `ordinal` None is a document's summary."""

    tenant: str
    document: str
    ordinal: int | None
    title: str
    section_path: tuple[str, ...]
    text: str
    digest: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What the next page comes after."""
        return self.tenant, self.document, str(-1 if self.ordinal is None else self.ordinal)


def _tuples(found: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in found.items()}
