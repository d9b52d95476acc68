"""Rows that the database gives of searches and plans: plain values, no driver needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from docgraph.plan.parts import refuse


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A document, or a piece of one, that a search found."""

    rank: int
    document_id: str
    chunk: int | None
    """Its number in the document; None if summaries were searched."""
    found_by: str
    """"exact" or "approximate"; "given" if a pipeline begins with ids."""


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A reason for a document to be in a plan. A document has as many rows as reasons."""

    position: int
    document_id: str
    role: str
    via: str | None
    """Type of the relationship from a seed; None in the first row of a seed, as `from_document` is."""
    from_document: str | None
    why: str


@dataclass(frozen=True, slots=True)
class PlanCheck:
    """What `verify_plan` found. Of what is no plan it says the problem, and nothing else."""

    well_formed: bool
    hash_holds: bool | None
    same_embedding_space: bool | None
    same_revision: bool | None
    """Whether these functions made it. An upgrade does not void a plan."""
    edited: bool | None
    problem: str | None

    @property
    def ok(self) -> bool:
        """Whether the plan may be executed here."""
        return bool(self.well_formed and self.hash_holds and self.same_embedding_space)


def documents_of(
    rows: Iterable[PlanRow | Sequence[Any]],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The seeds and the expanded documents, each with what leads to it, one to one as the rows have them."""
    found: dict[str, list[dict[str, Any]]] = {"seed": [], "expanded": []}
    for place, (_, group) in enumerate(groupby(map(_row, rows), lambda row: row.position), 1):
        first, *others = group
        if first.role not in found:
            raise refuse("rows: role must be seed or expanded")
        if type(first.position) is not int or first.position != place:
            raise refuse("rows: position must start from 1 and rise by 1 with each document")
        if any((row.document_id, row.role) != (first.document_id, first.role) for row in others):
            raise refuse("rows: two documents have the same position")
        reasons = [first, *others]
        if first.role == "seed":
            if found["expanded"]:
                raise refuse("rows: a seed comes after an expanded document")
            if (first.via, first.from_document) != (None, None):
                raise refuse("rows: a seed begins with a reason from another document")
            reasons = others
        if any(row.via is None or row.from_document is None for row in reasons):
            raise refuse(f"rows: a document, {first.role}, has a row without a reason")
        via = [{"from": row.from_document, "relation_type": row.via} for row in reasons]
        found[first.role].append({"document_id": first.document_id, "via": via})
    return found["seed"], found["expanded"]


def _row(row: PlanRow | Sequence[Any]) -> PlanRow:
    if isinstance(row, PlanRow):
        return row
    try:
        return PlanRow(*row)
    except TypeError:
        raise refuse(
            "rows must have position, document_id, role, via, from_document and why",
            hint="Give the rows of plan_documents as they are.",
        ) from None
