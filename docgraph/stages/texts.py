"""What fetching gives: the texts of nodes, and the bill."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from docgraph.errors import InvalidArgument
from docgraph.plain import counted

FORMAT = 1


@dataclass(frozen=True, slots=True)
class NodeText:
    """The text of a document, whole."""

    id: str
    is_seed: bool
    depth: int
    parent: str | None
    text: str
    tokens: int
    running_total: int
    """In the unit of the budget."""


@dataclass(frozen=True, slots=True)
class NodeCounts:
    """Nodes that were asked for."""

    given: int
    missing: int
    """Not there, or not to be seen: the two are not told apart."""
    without_text: int
    shown: int


@dataclass(frozen=True, slots=True)
class TextBudget:
    """The room there was, and what is used of it."""

    unit: str
    """"tokens" or "characters"."""
    limit: int
    used: int


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What the documents shown ask of a reader, taken together: treat the answer by that."""

    tags: tuple[str, ...]
    """Every tag that one of them has."""
    labels: tuple[str, ...]
    """Every label that one of them has."""
    clearance: int
    """The highest of them."""


@dataclass(frozen=True, slots=True)
class TextAccounting:
    """The bill of a fetch."""

    nodes: NodeCounts
    over_budget: int
    """Texts without room."""
    budget: TextBudget
    prioritization: str
    sensitivity: Sensitivity

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        if found["format"] != FORMAT:
            raise InvalidArgument(
                f"accounting.format must be {FORMAT}",
                hint="A newer docgraph may have made it: upgrade this one.",
            )
        asks = found["sensitivity"]
        return cls(
            NodeCounts(**found["nodes"]),
            found["left_out"]["budget"],
            TextBudget(**found["budget"]),
            found["prioritization"],
            Sensitivity(tuple(asks["tags"]), tuple(asks["labels"]), asks["clearance"]),
        )

    def to_dict(self) -> dict[str, Any]:
        """As the database has it."""
        asks = {**asdict(self.sensitivity), "tags": list(self.sensitivity.tags)}
        return {
            "format": FORMAT,
            "nodes": asdict(self.nodes),
            "left_out": {"budget": self.over_budget},
            "budget": asdict(self.budget),
            "prioritization": self.prioritization,
            "sensitivity": {**asks, "labels": list(self.sensitivity.labels)},
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out and why, in words; empty if nothing was."""
        return tuple(_notes(self))


def _notes(found: TextAccounting) -> Iterator[str]:
    if found.nodes.missing:
        yield f"{counted(found.nodes.missing, 'document')} not there, or not to be seen"
    if found.nodes.without_text:
        yield f"{counted(found.nodes.without_text, 'document')} without text"
    if found.over_budget:
        room = counted(found.budget.limit, found.budget.unit.removesuffix("s"))
        yield f"{counted(found.over_budget, 'text')} without room in {room}"


@dataclass(frozen=True, slots=True)
class NodeTexts:
    """Texts in their order, and the bill. It iterates over the texts, and is false if there is none."""

    texts: tuple[NodeText, ...]
    accounting: TextAccounting

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[Any]]) -> Self:
        """From the rows of `fetch_node_texts`: place, the fields of a text, accounting."""
        *texts, bill = rows
        return cls(tuple([NodeText(*row[1:-1]) for row in texts]), TextAccounting.from_json(bill[-1]))

    def __iter__(self) -> Iterator[NodeText]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)


def texts_of(found: Iterable[Mapping[str, Any]]) -> tuple[NodeText, ...]:
    """From JSON."""
    return tuple([NodeText(**text) for text in found])
