"""What an expansion gives: ids, how they hang together, and what limits left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from docgraph.plain import counted


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A document of the expansion."""

    id: str
    depth: int
    """Steps from the seeds; 0 is a seed."""
    parent: str | None
    """The document that led to it first; None for a seed."""
    is_seed: bool


@dataclass(frozen=True, slots=True)
class TreeEdge:
    """A relationship that was followed, as it points, whichever way it was followed."""

    origin: str
    """The document that refers; `from` in JSON."""
    relation_type: str
    target: str
    """The document referred to; `to` in JSON."""

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        return cls(found["from"], found["relation_type"], found["to"])

    def to_dict(self) -> dict[str, str]:
        return {"from": self.origin, "relation_type": self.relation_type, "to": self.target}


@dataclass(frozen=True, slots=True)
class DependencyTree:
    """What seeds lead to. It iterates over its nodes, breadth first, and is false if there is none."""

    nodes: tuple[TreeNode, ...]
    edges: tuple[TreeEdge, ...]
    """Between nodes only."""
    truncated: tuple[str, ...]
    """What there would be more of under a higher limit: "depth", "fan_out", "nodes"."""
    omitted: int
    """Seeds that are not there or not to be seen: the two are not told apart."""

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        """From JSON as Python has it."""
        return cls(
            tuple([TreeNode(**node) for node in found["nodes"]]),
            tuple([TreeEdge.from_json(edge) for edge in found["edges"]]),
            tuple(found["truncated"]),
            found["omitted"],
        )

    def to_dict(self) -> dict[str, Any]:
        """As `from_json` reads it."""
        return {
            "nodes": [asdict(node) for node in self.nodes],
            "edges": [edge.to_dict() for edge in self.edges],
            "truncated": list(self.truncated),
            "omitted": self.omitted,
        }

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(node.id for node in self.nodes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, in words; empty if nothing was."""
        return tuple(tree_notes(self.truncated, self.omitted))

    def __iter__(self) -> Iterator[TreeNode]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)


def tree_notes(truncated: tuple[str, ...], omitted: int) -> Iterator[str]:
    """In words what an expansion left out."""
    if omitted:
        yield f"{counted(omitted, 'seed')} not there, or not to be seen"
    for reason in truncated:
        yield _TRUNCATED.get(reason, f"cut short by the limit {reason}")


_TRUNCATED = {
    "depth": "more lies behind the last step: a higher max_depth would find it",
    "fan_out": "some document has more relationships than were followed: a higher fan_out would follow them",
    "nodes": "more was found than there is room for: a higher max_nodes would show it",
}
