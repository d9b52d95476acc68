"""What the three stages give, one after the other: each stage's artefact under the name of its contract."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from docgraph.context.accounting import warnings_in_words
from docgraph.errors import InvalidArgument
from docgraph.plan.rows import SearchHit
from docgraph.stages.texts import NodeText, TextAccounting, texts_of
from docgraph.stages.tree import TreeEdge, TreeNode, tree_notes


@dataclass(frozen=True, slots=True)
class PipelineResult:
    """The artefacts of a pipeline. It iterates over the texts, and is false if there is none."""

    retrieval_seed_nodes: tuple[SearchHit, ...]
    """Stage 1: ids in order of rank."""
    expanded_nodes: tuple[TreeNode, ...]
    """Stage 2: what they lead to, they themselves included, breadth first."""
    dependency_edges: tuple[TreeEdge, ...]
    """Stage 2: over which relationships."""
    node_texts: tuple[NodeText, ...]
    """Stage 3: what there was room for, in order."""
    truncated: tuple[str, ...]
    """What stage 2 would have more of under a higher limit: "depth", "fan_out", "nodes"."""
    omitted: int
    """Seeds that are not there or not to be seen."""
    warnings: tuple[str, ...]
    """Of stage 1: "question_without_words", where nothing in the question can be looked for. A search by hand
    has none."""
    accounting: TextAccounting
    """Of stage 3."""

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Self:
        """From JSON as Python has it."""
        try:
            bill = found["accounting"]
            return cls(
                tuple([SearchHit(**hit) for hit in found["retrieval_seed_nodes"]]),
                tuple([TreeNode(**node) for node in found["expanded_nodes"]]),
                tuple([TreeEdge.from_json(edge) for edge in found["dependency_edges"]]),
                texts_of(found["node_texts"]),
                tuple(bill["truncated"]),
                bill["omitted"],
                tuple(bill.get("warnings", ())),
                TextAccounting.from_json(bill["texts"]),
            )
        except (KeyError, TypeError) as error:
            raise InvalidArgument(
                f"this is no result of a pipeline: {error}", hint="Take what to_json of one wrote."
            ) from error

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """From JSON, in whatever order and spacing."""
        try:
            found = json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArgument(f"this is no JSON: {error}", hint="Take what to_json wrote.") from error
        return cls.from_dict(found)

    def to_dict(self) -> dict[str, Any]:
        """As `from_dict` reads it, and as the database has it."""
        return {
            "retrieval_seed_nodes": [asdict(hit) for hit in self.retrieval_seed_nodes],
            "expanded_nodes": [asdict(node) for node in self.expanded_nodes],
            "dependency_edges": [edge.to_dict() for edge in self.dependency_edges],
            "node_texts": [asdict(text) for text in self.node_texts],
            "accounting": {
                "truncated": list(self.truncated),
                "omitted": self.omitted,
                "warnings": list(self.warnings),
                "texts": self.accounting.to_dict(),
            },
        }

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """What each stage left out and why, in words; empty if nothing was."""
        return (
            *warnings_in_words(self.warnings),
            *tree_notes(self.truncated, self.omitted),
            *self.accounting.notes,
        )

    def __iter__(self) -> Iterator[NodeText]:
        return iter(self.node_texts)

    def __len__(self) -> int:
        return len(self.node_texts)
