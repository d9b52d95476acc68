"""A plan: which documents may take part, and why each of them. The database computes it.

Here it is a value: read, compared, shown, stored and sent back byte for byte. No driver is needed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from docgraph.errors import InvalidArgument
from docgraph.plan.parts import (
    Constraints,
    Expanded,
    MadeBy,
    Part,
    Scope,
    Seed,
    Via,
    refuse,
    to_json,
)
from docgraph.plan.rows import PlanRow, documents_of
from docgraph.unknown import refuse_other

if TYPE_CHECKING:
    from rich.console import RenderableType

    from docgraph.plan.diff import PlanDiff

__all__ = [
    "Constraints",
    "Expanded",
    "MadeBy",
    "PlannedDocument",
    "Reason",
    "RetrievalPlan",
    "Scope",
    "Seed",
    "Via",
]

FORMAT = 1
DEPTH = 1
"""What `max_relationship_depth` is. There is no parameter for it."""
DIRECTION = "outgoing"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a document is in a plan."""

    seed: Seed
    """The document itself, or the one that leads to it."""
    relation_type: str | None = None
    """Over which relationship; None for a seed."""

    def __str__(self) -> str:
        """As `plan_documents` says it."""
        if self.relation_type is not None:
            return f"seed {self.seed.rank} {self.relation_type} this"
        origin = "found by search" if self.seed.origin == "search" else self.seed.origin
        return f"seed {self.seed.rank}, {origin}"


@dataclass(frozen=True, slots=True)
class PlannedDocument:
    """A document of a plan."""

    position: int
    document_id: str
    role: str
    """"seed" or "expanded"."""
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class RetrievalPlan(Part):
    """A plan as the database made it, or as `replace` changed it. Two are equal if their JSON is."""

    called = ""
    optional = frozenset({"edited"})

    scope: Scope
    seed_documents: tuple[Seed, ...]
    """In order of rank."""
    expanded_documents: tuple[Expanded, ...]
    """One hop from the seeds, in order of the first reason."""
    constraints: Constraints
    made_by: MadeBy
    truncated: tuple[str, ...]
    """Which caps left something out."""
    omitted: int
    """Given seeds that are hidden or unknown: the two are not told apart."""
    dropped: int
    """Found seeds outside the dominant scope."""
    plan_hash: str
    format: int
    edited: bool = False
    """Whether somebody changed it after the database had made it."""

    def __post_init__(self) -> None:
        Part.__post_init__(self)
        _check(self)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Self:
        """From JSON as Python has it. Refuses what is no plan; whether its hash holds, `verify_plan` says."""
        if not isinstance(found, Mapping):
            raise refuse(f"it must be an object, not {type(found).__name__}")
        if {"plan", "context", "accounting"} <= found.keys():
            raise refuse("this is a context", hint="Its plan is what it has under plan.")
        return cls.read(found, "it")

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """From JSON, in whatever order and spacing."""
        try:
            found = json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise refuse(
                f"this is no JSON: {error}",
                hint="Give the text that to_json() or `docgraph plan --json` writes.",
            ) from error
        return cls.from_dict(found)

    @classmethod
    def from_rows(cls, rows: Iterable[PlanRow | Sequence[Any]], about: Mapping[str, Any]) -> Self:
        """From the rows of `plan_documents`, one to one, and what else the plan says.

        `about` has the keys of a plan; its expanded documents, if it has any, are those of the rows instead.
        """
        if not isinstance(about, Mapping):
            raise refuse(f"about must be an object, not {type(about).__name__}")
        seeds, expanded = documents_of(rows)
        found = cls.from_dict({**about, "expanded_documents": expanded})
        if [
            {"document_id": seed.document_id, "via": to_json(seed.via)} for seed in found.seed_documents
        ] != seeds:
            raise refuse("the seeds of the rows are not its seed_documents")
        return found

    def to_json(self) -> str:
        """The text that `jsonb::text` gives, byte for byte."""
        return _canonical(self.to_dict())

    @property
    def hash_holds(self) -> bool:
        """Whether it is as it was sealed. That proves integrity, not origin."""
        return self._hash() == self.plan_hash

    def _hash(self) -> str:
        rest = self.to_dict()
        del rest["plan_hash"]
        return hashlib.sha256(_canonical(rest).encode()).hexdigest()

    @property
    def entries(self) -> tuple[Seed | Expanded, ...]:
        """Its documents as its JSON has them: the seeds, then what they lead to."""
        return (*self.seed_documents, *self.expanded_documents)

    @property
    def seed_document_ids(self) -> tuple[str, ...]:
        return tuple(seed.document_id for seed in self.seed_documents)

    @property
    def expanded_document_ids(self) -> tuple[str, ...]:
        return tuple(document.document_id for document in self.expanded_documents)

    @property
    def expansion_metadata(self) -> dict[str, tuple[Via, ...]]:
        """Of each expanded document, the relationships that lead to it; of seeds see their via."""
        return {document.document_id: document.via for document in self.expanded_documents}

    @property
    def documents(self) -> tuple[PlannedDocument, ...]:
        """All of them in their order, each with its reasons."""
        seeds = {seed.document_id: seed for seed in self.seed_documents}
        return tuple(
            PlannedDocument(
                position,
                document.document_id,
                "seed" if isinstance(document, Seed) else "expanded",
                (
                    *([Reason(document)] if isinstance(document, Seed) else []),
                    *(Reason(seeds[via.from_document], via.relation_type) for via in document.via),
                ),
            )
            for position, document in enumerate(self.entries, 1)
        )

    def why(self, document_id: str) -> tuple[Reason, ...]:
        """The reasons for a document; an error if it is not in the plan."""
        for document in self.documents:
            if document.document_id == document_id:
                return document.reasons
        raise InvalidArgument(
            "document_id is not in this plan",
            hint="Give one of plan.seed_document_ids or plan.expanded_document_ids.",
        )

    def diff(self, other: RetrievalPlan) -> PlanDiff:
        """What another plan has more, less, and otherwise; false if nothing."""
        from docgraph.plan.diff import diff  # noqa: PLC0415 - only for those who compare

        refuse_other("other", other, RetrievalPlan, "RetrievalPlan.from_json(text) reads a stored plan.")
        return diff(self, other)

    def replace(self, **changes: Any) -> RetrievalPlan:
        """The plan with other values, sealed anew and marked as edited, as `seal_plan` does.

        Values as in the plan or as in its JSON. What may be shown is still decided when it is executed.
        """
        fixed = {"plan_hash", "edited", "format"}
        found = self.to_dict()
        unknown = sorted(changes.keys() - (found.keys() - fixed))
        if unknown:
            raise InvalidArgument(
                f"replace does not take {unknown[0]}",
                hint=f"It takes {', '.join(key for key in found if key not in fixed)}.",
            )
        draft = RetrievalPlan.from_dict(
            {**found, **{name: to_json(value) for name, value in changes.items()}, "edited": True}
        )
        return replace(draft, plan_hash=draft._hash())

    def __str__(self) -> str:
        from docgraph.plan.views import headline  # noqa: PLC0415 - only for those who look

        return headline(self)

    def to_mermaid(self) -> str:
        """A flow chart in Mermaid's language: seeds, what each leads to, and over which relationship."""
        from docgraph.plan.views import mermaid  # noqa: PLC0415 - as above

        return mermaid(self)

    def __rich__(self) -> RenderableType:
        from docgraph.plan.views import tree  # noqa: PLC0415 - as above

        return tree(self)

    def _repr_html_(self) -> str:
        from docgraph.plan.views import html  # noqa: PLC0415 - as above

        return html(self)


def _canonical(found: Mapping[str, Any]) -> str:
    """The text of jsonb, of an object whose keys are in its order."""
    return json.dumps(found, ensure_ascii=False, allow_nan=False)


def _check(plan: RetrievalPlan) -> None:
    """What holds for every plan."""
    if plan.format != FORMAT:
        raise refuse(f"format must be {FORMAT}", hint="A newer docgraph may have made it: upgrade this one.")
    bounds = plan.constraints
    if (bounds.max_relationship_depth, bounds.traversal_enabled, bounds.direction) != (
        DEPTH,
        False,
        DIRECTION,
    ):
        raise refuse(
            "max_relationship_depth must be 1, traversal_enabled false and direction outgoing",
            hint="A plan goes one hop from its seeds. No setting makes it go further.",
        )
    last = 0
    for seed in plan.seed_documents:
        if seed.rank <= last:
            raise refuse("seed_documents: rank must start from 1 or above, and rise")
        last = seed.rank
    seeds = set(plan.seed_document_ids)
    expanded = set(plan.expanded_document_ids)
    if (
        len(seeds) + len(expanded) != len(plan.seed_documents) + len(plan.expanded_documents)
        or seeds & expanded
    ):
        raise refuse("a document stands in it twice", hint="Each document once: as a seed, or as expanded.")
    for document in plan.entries:
        where, needed = document.called, isinstance(document, Expanded)
        if len(set(document.via)) < max(len(document.via), needed):
            raise refuse(f"{where}via must have one relationship or more, each of them once")
        origins = {via.from_document for via in document.via}
        if not seeds.issuperset(origins) or document.document_id in origins:
            raise refuse(
                f"{where}via must come from other seed_documents",
                hint="Take a document out together with what only it leads to.",
            )
