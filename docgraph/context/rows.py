"""Rows that the database gives of a plan that is executed: plain values, no driver needed."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.context.accounting import Accounting


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """A chunk of a document of the plan."""

    position: int
    """Of the document in the plan."""
    document_id: str
    role: str
    """"seed" or "expanded"."""
    chunk: int
    """Its number in the document."""
    text: str
    tokens: int
    section_path: tuple[str, ...]
    score: float
    chosen: int
    """In which order chunks were chosen, 1 first."""
    chosen_by: str
    """"similarity", "reserve" (a place kept for documents that relationships brought in), or how many places
    behind which seed it stands: "bridge, 1 behind a.md"."""
    why: str
    missing: int
    """Documents of the plan that are not there or not to be seen, the same in each row."""


@dataclass(frozen=True, slots=True)
class ContextRow:
    """A piece of a context. The last one is the accounting, with nothing else in it."""

    layer: str
    """"conceptual", "evidence" or "accounting"."""
    position: int | None
    document_id: str | None
    role: str | None
    part: str | None
    """"summary", "sections" or "chunk"."""
    chunk: int | None
    text: str | None
    tokens: int | None
    running_total: int | None
    """In the unit of the budget."""
    score: float | None
    chosen: int | None
    chosen_by: str | None
    """As in `EvidenceRow`; None for what is no chunk."""
    why: str | None
    accounting: Accounting | None
