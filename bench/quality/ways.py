"""Ways to answer a question from the same documents: flat, and planned, by docgraph's own functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from docgraph.client import DocGraph

Where = Literal["summaries", "chunks"]

PLACES = 5
"""Documents that an answer may be made from."""
TOKENS = 1000
"""The room for their texts, where that is the limit."""
_CHUNKS = 50

FUSION = {"mode": "hybrid", "rrf_k": 5}
"""Tuned: of 1, 2, 3, 5, 10, 20 and 60, on all questions at hand. The usual 60 is measured beside it."""


@dataclass(frozen=True, slots=True)
class Way:
    """How seeds are found, and what becomes of them. `selection` None is flat: the seeds in their order."""

    name: str
    selection: Literal["similarity", "bridge"] | None
    options: dict[str, Any] = field(default_factory=dict)

    def documents(
        self, client: DocGraph, question: str, vector: Sequence[float]
    ) -> tuple[list[str], set[str]]:
        """The first PLACES, the best first; and all that might have come: the plan."""
        context = client.retrieve(
            **self._arguments(question, vector),
            max_chunks=PLACES,
            per_document=1,
            conceptual_share=0,
            budget_tokens=10_000_000,
        )
        planned = [one.document_id for one in context.plan.documents]
        if self.selection is None:
            return planned[:PLACES], {*planned}
        chosen = sorted(context.chunks, key=lambda chunk: chunk.chosen)
        return [chunk.document_id for chunk in chosen], {*planned}

    def within_tokens(self, client: DocGraph, question: str, vector: Sequence[float]) -> set[str]:
        """The documents of which there is a chunk within TOKENS."""
        asked = self._arguments(question, vector)
        if self.selection is None:
            asked |= {"seed_limit": _CHUNKS, "max_documents": _CHUNKS}
        context = client.retrieve(**asked, max_chunks=_CHUNKS, conceptual_share=0, budget_tokens=TOKENS)
        return {chunk.document_id for chunk in context.chunks}

    def _arguments(self, question: str, vector: Sequence[float]) -> dict[str, Any]:
        asked: dict[str, Any] = {"method": "exact", **self.options}
        if asked.get("mode") == "bm25":
            asked |= {"query": question, "method": "auto"}
        else:
            asked |= {"query": question if asked.get("mode") == "hybrid" else None, "embedding": vector}
        if self.selection is None:
            # Over a type that no relationship has, so that nothing but seeds is in the plan.
            return asked | {"selection": "bridge", "relation_types": ["none of them"]}
        return asked | {"selection": self.selection}


def ways(search_in: Where) -> list[Way]:
    """Titles are looked for beside summaries."""
    within = {"search_in": search_in}
    hybrid = {**FUSION, **within, **({"title_hits": True} if search_in == "summaries" else {})}
    return [
        Way("flat, dense", None, within),
        Way("flat, BM25", None, {"mode": "bm25", **within}),
        Way("flat, hybrid", None, {**FUSION, **within}),
        *([Way("flat, hybrid and titles", None, hybrid)] if "title_hits" in hybrid else []),
        Way("planned, dense, similarity", "similarity", within),
        Way("planned, dense, bridge", "bridge", within),
        Way("planned, hybrid, similarity", "similarity", hybrid),
        Way("planned, hybrid, bridge, rrf_k 60", "bridge", {**hybrid, "rrf_k": 60}),
        Way(BEST, "bridge", hybrid),
    ]


BEST = "planned, hybrid, bridge"
