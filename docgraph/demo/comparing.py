"""The same question twice: by the nearest chunks alone, and by a plan."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from docgraph.client import DocGraph
from docgraph.context import ContextChunk, RetrievedContext
from docgraph.demo.records import DemoQuestion
from docgraph.retrieving import RetrieveOptions

CHUNKS = 5
PER_DOCUMENT = 3
SEEDS = 3
TOKENS = 1000

_BOTH = RetrieveOptions(
    search_in="chunks", max_chunks=CHUNKS, per_document=PER_DOCUMENT, budget_tokens=TOKENS
)
FLAT = RetrieveOptions(**_BOTH, seed_limit=CHUNKS, relation_types=[], reserve=0, conceptual_share=0)
"""No relationship is followed. Five chunks are of five documents at most: these are the nearest of all."""
PLANNED = RetrieveOptions(**_BOTH, seed_limit=SEEDS)
AS_OPTIONS = (
    f"--search-in chunks --seeds {SEEDS} --chunks {CHUNKS} --per-document {PER_DOCUMENT} "
    f"--budget-tokens {TOKENS}"
)
"""The same on the command line."""

_TIMES = 5
_ALL = 200


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A context, and how long it takes to get, the embedding of the question included."""

    context: RetrievedContext
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What both found. `known` is None for a question that somebody else has asked."""

    question: str
    known: DemoQuestion | None
    flat: Retrieved
    planned: Retrieved
    place: int | None
    """Of the chunk with the answer, among all chunks by their distance from the question."""

    def answers(self, chunk: ContextChunk) -> bool:
        """Whether the answer stands in the chunk."""
        known = self.known
        return known is not None and chunk.document_id == known.document_id and known.is_in(chunk.text)

    def has_answer(self, found: Retrieved) -> bool:
        return any(self.answers(chunk) for chunk in found.context.chunks)

    def to_dict(self) -> dict[str, Any]:
        known = self.known
        answer = known and {"document_id": known.document_id, "text": known.answer, "lesson": known.lesson}
        return {"question": self.question, "answer": answer, "place_in_flat_search": self.place} | {
            name: {
                "has_answer": None if known is None else self.has_answer(found),
                "milliseconds": round(found.milliseconds, 1),
                **found.context.to_dict(),
            }
            for name, found in (("flat", self.flat), ("planned", self.planned))
        }


def compare(client: DocGraph, question: str, known: DemoQuestion | None = None) -> Comparison:
    """Asks both ways, each in one call."""
    flat, planned = _retrieve(client, question, (FLAT, PLANNED))
    return Comparison(question, known, flat, planned, _place(client, question, known))


def _retrieve(client: DocGraph, question: str, ways: Sequence[RetrieveOptions]) -> list[Retrieved]:
    """By turns, and several times: the first call of a connection prepares what the others find ready."""
    seconds: list[list[float]] = [[] for _ in ways]
    for _ in range(_TIMES):
        for way, spent in zip(ways, seconds, strict=True):
            begin = time.perf_counter()
            client.retrieve(question, **way)
            spent.append(time.perf_counter() - begin)
    return [
        Retrieved(client.retrieve(question, **way), 1000 * median(spent))
        for way, spent in zip(ways, seconds, strict=True)
    ]


def _place(client: DocGraph, question: str, known: DemoQuestion | None) -> int | None:
    """How far down one would have to read without a plan."""
    document = client.get_document(known.document_id) if known else None
    if known is None or document is None:
        return None
    has_it = {chunk.ordinal for chunk in document.chunks if known.is_in(chunk.text)}
    hits = client.search(question, search_in="chunks", max_nodes=_ALL)
    return next((hit.rank for hit in hits if hit.document_id == document.id and hit.chunk in has_it), None)
