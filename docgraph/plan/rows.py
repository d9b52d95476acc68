"""Rows that the database gives of searches and plans: plain values, no driver needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
    """"exact" or "approximate"."""


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A reason for a document to be in a plan. A document has as many rows as reasons."""

    position: int
    document_id: str
    role: str
    via: str | None
    """Type of the relationship from a seed; None for a seed, as `from_document` is."""
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


def documents_of(rows: Iterable[PlanRow | Sequence[Any]]) -> tuple[list[str], list[dict[str, Any]]]:
    """The ids of the seeds, and the expanded documents as JSON has them, one to one as the rows have them."""
    seeds: list[str] = []
    expanded: list[dict[str, Any]] = []
    for row in map(_row, rows):
        last = len(seeds) + len(expanded)
        if row.role == "expanded":
            if row.via is None or row.from_document is None:
                raise refuse("rows: an expanded document has no reason")
            if not expanded or row.position != last:
                expanded.append({"document_id": row.document_id, "via": []})
            if row.document_id != expanded[-1]["document_id"]:
                raise refuse("rows: two documents have the same position")
            expanded[-1]["via"].append({"from": row.from_document, "relation_type": row.via})
        elif row.role == "seed":
            if row.via is not None or row.from_document is not None:
                raise refuse("rows: a seed has a reason from another document")
            if expanded:
                raise refuse("rows: a seed comes after an expanded document")
            seeds.append(row.document_id)
        else:
            raise refuse("rows: role must be seed or expanded")
        if type(row.position) is not int or row.position != len(seeds) + len(expanded):
            raise refuse("rows: position must start from 1 and rise by 1 with each document")
    return seeds, expanded


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
