"""What was chosen, what was left out and for which reason, and how much of the budget is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from docgraph.context.jsonb import keys
from docgraph.plain import counted

T = TypeVar("T")

FORMAT = 1


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """Documents of the plan."""

    planned: int
    over_caps: int
    """Beyond the plan's own limits, or the highest that there are: a plan may claim anything."""
    missing: int
    """Not there, or not to be seen: the two are not told apart."""
    with_evidence: int
    """With a chunk in the context."""


@dataclass(frozen=True, slots=True)
class ChunkCounts:
    """Chunks that were chosen, and those of them that the budget had room for."""

    chosen: int
    shown: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Pieces left out, by reason."""

    unranked: int
    """Chunks that the mode gives no place: no embedding, no word of the question, or neither."""
    per_document: int
    """Chunks beyond the limit for one document."""
    max_chunks: int
    """Chunks beyond the limit for all."""
    evidence_budget: int
    """Chunks without room."""
    conceptual_budget: int
    """Summaries and lists of section titles without room."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The room there was, and what is used of it."""

    unit: str
    """"tokens" or "characters"."""
    limit: int
    used: int
    conceptual_limit: int
    """For summaries and section titles."""
    conceptual_used: int
    evidence_used: int


@dataclass(frozen=True, slots=True)
class Revisions:
    """Of the functions that made the plan, and of those that executed it."""

    plan: str
    here: str


@dataclass(frozen=True, slots=True)
class Accounting:
    """The bill of a context."""

    documents: DocumentCounts
    chunks: ChunkCounts
    left_out: LeftOut
    budget: Budget
    chunk_mode: str
    """How chunks were compared with the question: "semantic", "bm25" or "hybrid"."""
    rrf_k: int | None
    """How ranks were fused; None but for "hybrid"."""
    selection: str
    """"similarity" or "bridge"."""
    max_chunks: int
    per_document: int
    reserve: str
    """The part of the chunks kept for documents that relationships brought in; a text, as it was given."""
    conceptual_share: str
    """The part of the budget that summaries and section titles may take; a text likewise."""
    revision: Revisions
    edited: bool
    """Whether somebody changed the plan after the database had made it."""
    warnings: tuple[str, ...]
    """"question_without_words": nothing in the question can be looked for."""
    format: int

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        parts = {name: _read(part, found[name]) for name, part in _PARTS.items()}
        return _read(cls, {**found, **parts, "warnings": tuple(found["warnings"])})

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out and why, and what else one should know, in words; empty if there is nothing."""
        return tuple(_notes(self))


_PARTS: dict[str, type[Any]] = {
    "documents": DocumentCounts,
    "chunks": ChunkCounts,
    "left_out": LeftOut,
    "budget": Budget,
    "revision": Revisions,
}


def _read(part: Callable[..., T], found: Mapping[str, Any]) -> T:
    """Of these keys. A newer database may have more to say."""
    return part(**{key: found[key] for key in keys(part)})


_UNRANKED = {
    "semantic": "without an embedding",
    "bm25": "without the words of the question",
    "hybrid": "without an embedding or a word of the question",
}
"""Chunks that a mode gives no place."""


def warnings_in_words(warnings: Iterable[str]) -> Iterator[str]:
    """Those that this version knows; of others their names."""
    for warning in warnings:
        yield _WARNINGS.get(warning, warning)


_WARNINGS = {
    "question_without_words": (
        "the question has no word that can be looked for: stop words and signs are not, nor is "
        "what a minus excludes"
    ),
}


def _notes(found: Accounting) -> Iterator[str]:
    left, documents, revision = found.left_out, found.documents, found.revision
    yield from warnings_in_words(found.warnings)
    if documents.missing:
        is_or_are = "is" if documents.missing == 1 else "are"
        yield f"{counted(documents.missing, 'document')} {is_or_are} no longer there, or not to be seen"
    if documents.over_caps:
        yield f"{counted(documents.over_caps, 'document')} over the limits of a plan"
    if left.unranked:
        yield f"{counted(left.unranked, 'chunk')} {_UNRANKED.get(found.chunk_mode, 'not compared')}"
    if left.per_document:
        yield f"{counted(left.per_document, 'chunk')} over the limit of {found.per_document} for a document"
    if left.max_chunks:
        yield f"{counted(left.max_chunks, 'chunk')} over the limit of {found.max_chunks}"
    unit = found.budget.unit.removesuffix("s")
    if left.evidence_budget:
        room = counted(found.budget.limit, unit)
        yield f"{counted(left.evidence_budget, 'chunk')} without room in {room}"
    if left.conceptual_budget:
        pieces = (
            "1 summary or list"
            if left.conceptual_budget == 1
            else f"{left.conceptual_budget} summaries or lists"
        )
        room = counted(found.budget.conceptual_limit, unit)
        yield f"{pieces} of section titles without room in {room}"
    if found.edited:
        yield "the plan was edited after it had been made"
    if revision.plan != revision.here:
        yield f"made by revision {revision.plan}, executed by {revision.here}"
