"""What differs between two plans."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from docgraph.plain import plain
from docgraph.plan.parts import Part, Seed, Via

if TYPE_CHECKING:
    from docgraph.plan import RetrievalPlan


@dataclass(frozen=True, slots=True)
class Change:
    """A value that differs. The name is its path in the plan's JSON."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class PlanDiff:
    """What the second of two plans has more, less, and otherwise than the first. False if nothing."""

    seeds_added: tuple[Seed, ...] = ()
    seeds_removed: tuple[Seed, ...] = ()
    seeds_moved: tuple[tuple[Seed, Seed], ...] = ()
    """Of another rank, or of another origin: before and after."""
    documents_added: tuple[str, ...] = ()
    """Of either role. What was a seed and is expanded now is neither added nor removed."""
    documents_removed: tuple[str, ...] = ()
    via_added: tuple[tuple[str, Via], ...] = ()
    """Relationships that lead to a document more: the document, and the relationship."""
    via_removed: tuple[tuple[str, Via], ...] = ()
    changed: tuple[Change, ...] = ()
    """Anything else, and the order of what is in both."""

    def __bool__(self) -> bool:
        return any(getattr(self, f.name) for f in fields(self))

    def __str__(self) -> str:
        return "\n".join(_lines(self)) or "The plans are the same."


def diff(before: RetrievalPlan, after: RetrievalPlan) -> PlanDiff:
    """From one plan to another."""
    old_seeds = {seed.document_id: seed for seed in before.seed_documents}
    new_seeds = {seed.document_id: seed for seed in after.seed_documents}
    old_reasons, new_reasons = _reasons(before), _reasons(after)
    old, new = _ids(before), _ids(after)
    return PlanDiff(
        seeds_added=tuple(seed for key, seed in new_seeds.items() if key not in old_seeds),
        seeds_removed=tuple(seed for key, seed in old_seeds.items() if key not in new_seeds),
        seeds_moved=tuple(
            (old_seeds[key], seed)
            for key, seed in new_seeds.items()
            if key in old_seeds and (old_seeds[key].rank, old_seeds[key].origin) != (seed.rank, seed.origin)
        ),
        documents_added=tuple(key for key in new if key not in old),
        documents_removed=tuple(key for key in old if key not in new),
        via_added=tuple(reason for reason in new_reasons if reason not in old_reasons),
        via_removed=tuple(reason for reason in old_reasons if reason not in new_reasons),
        changed=(*_reordered(before, after), *_changes(before, after, "")),
    )


def _ids(plan: RetrievalPlan) -> dict[str, None]:
    return dict.fromkeys((*plan.seed_document_ids, *plan.expanded_document_ids))


def _reasons(plan: RetrievalPlan) -> dict[tuple[str, Via], None]:
    """In their order; a dictionary, because a set would not keep it."""
    return dict.fromkeys((key, each) for key, via in _via(plan).items() for each in via)


def _via(plan: RetrievalPlan) -> dict[str, tuple[Via, ...]]:
    """Of each document, what leads to it."""
    return {document.document_id: document.via for document in plan.entries}


def _reordered(before: RetrievalPlan, after: RetrievalPlan) -> Iterator[Change]:
    """Where the expanded documents of both plans, or the reasons of one, come in another order."""
    old, new = _via(before), _via(after)
    for name, first, second in (
        ("expanded_documents", before.expanded_document_ids, after.expanded_document_ids),
        *((f"via of {_quoted(key)}", old[key], new[key]) for key in old if key in new),
    ):
        in_both = set(first) & set(second)
        was, now = (tuple(entry for entry in order if entry in in_both) for order in (first, second))
        if was != now:
            yield Change(f"order of {name}", was, now)


def _changes(before: Part, after: Part, where: str) -> Iterator[Change]:
    """The single values; seeds and expanded documents are compared by themselves."""
    for f in fields(before):  # type: ignore[arg-type]  # a Part is a dataclass
        if f.name in {"seed_documents", "expanded_documents"}:
            continue
        old, new = getattr(before, f.name), getattr(after, f.name)
        if isinstance(old, Part) and isinstance(new, Part):
            yield from _changes(old, new, f"{where}{f.name}.")
        elif old != new:
            yield Change(f"{where}{f.name}", old, new)


def _lines(found: PlanDiff) -> Iterator[str]:
    for sign, seeds in (("+", found.seeds_added), ("-", found.seeds_removed)):
        for seed in seeds:
            yield f"{sign} seed {seed.rank} {_quoted(seed.document_id)}, {plain(seed.origin)}"
    for old, new in found.seeds_moved:
        moved = f"{old.rank}, {plain(old.origin)} -> {new.rank}, {plain(new.origin)}"
        yield f"~ seed {_quoted(new.document_id)}: {moved}"
    for sign, documents in (("+", found.documents_added), ("-", found.documents_removed)):
        for document_id in documents:
            yield f"{sign} document {_quoted(document_id)}"
    for sign, reasons in (("+", found.via_added), ("-", found.via_removed)):
        for document_id, via in reasons:
            reason = f"{_quoted(via.from_document)} {plain(via.relation_type)}"
            yield f"{sign} {_quoted(document_id)} because {reason} it"
    for change in found.changed:
        yield f"~ {change.name}: {_said(change.before)} -> {_said(change.after)}"


def _said(value: Any) -> str:
    """As JSON has it, on one line."""
    if isinstance(value, Part):
        value = value.to_dict()
    if isinstance(value, tuple):
        value = [entry.to_dict() if isinstance(entry, Part) else entry for entry in value]
    return plain(json.dumps(value, ensure_ascii=False))


def _quoted(document_id: str) -> str:
    return plain(json.dumps(document_id, ensure_ascii=False))
