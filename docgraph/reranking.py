"""Candidates of a search in the order that a model of the caller's gives them: the same ids, no more.

The database finds the candidates and says what they say, each time for the same claim; the texts go to the
model and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from numbers import Real
from typing import Any, TypeAlias

from docgraph import plan_calls
from docgraph.access import Access
from docgraph.calling import Request
from docgraph.errors import InvalidArgument
from docgraph.ingest.flow import Flow, Work
from docgraph.plan.rows import SearchHit

Scores: TypeAlias = Sequence[float] | Any
"""One for each text, as a list or an array; higher is better."""
Reranker: TypeAlias = Callable[[str, list[str]], Scores | Awaitable[Scores]]
"""Takes the question and the texts of the candidates."""

PLACES = 10
"""What the database gives where `max_nodes` is not said."""
MOST = 200
"""Candidates that one search can give."""
WIDEN = 6


def rerank(
    who: tuple[str, Access],
    question: str,
    reranker: Reranker,
    wanted: int,
    candidates: Request[list[SearchHit]],
) -> Flow[list[SearchHit]]:
    """The candidates by score, best first; equals as they came."""
    hits: list[SearchHit] = yield candidates
    if not hits or not wanted:
        return []
    chunks = None if hits[0].chunk is None else [hit.chunk or 0 for hit in hits]
    texts: dict[int, str] = yield plan_calls.candidate_texts(*who, [hit.document_id for hit in hits], chunks)
    # What went away between the two calls is no candidate any more.
    there = [(hit, texts[place]) for place, hit in enumerate(hits, 1) if place in texts]
    if not there:
        return []
    answer = yield Work(lambda: reranker(question, [text for _, text in there]))
    scores = _scores(answer, len(there))
    order = sorted(range(len(there)), key=lambda n: (-scores[n], there[n][0].rank))
    return [replace(there[n][0], rank=rank) for rank, n in enumerate(order[:wanted], 1)]


def candidates_for(wanted: int, widen: object) -> int:
    """How many to put in order for so many places."""
    if isinstance(widen, bool) or not isinstance(widen, int) or widen < 1:
        raise InvalidArgument("widen must be a whole number from 1", hint=f"For example widen={WIDEN}.")
    return max(wanted, min(wanted * widen, MOST))


def refuse_twice(mode: object, *, lexical: object) -> None:
    """As the database does it for its own reranking."""
    if mode not in ("semantic", None) and lexical is not True:
        raise InvalidArgument(
            f"rerank must be none in mode {mode}",
            hint="What this mode finds is in order of words already. To rerank it nevertheless: "
            "rerank_lexical=True.",
        )


@contextmanager
def naming_rerankers() -> Iterator[None]:
    """Where the database names the ways it has itself, the caller's own is named beside them."""
    try:
        yield
    except InvalidArgument as error:
        if not error.message.startswith(("rerank must be none or", "rerank must be a text")):
            raise
        hint = f"{error.hint} In Python also a function that scores texts."
        raise InvalidArgument(error.message, detail=error.detail, hint=hint) from error


def _scores(answer: Any, count: int) -> list[float]:
    found = answer.tolist() if hasattr(answer, "tolist") else answer
    if not isinstance(found, Sequence) or isinstance(found, (str, bytes)) or len(found) != count:
        raise InvalidArgument(
            f"rerank must give a list of {count} scores, one for each text",
            hint="For example rerank=lambda question, texts: model.predict([(question, t) for t in texts]).",
        )
    if not all(isinstance(score, Real) and math.isfinite(score) for score in found):
        raise InvalidArgument(
            "rerank must give numbers, none of them NaN or infinite", hint="Higher is better."
        )
    return [float(score) for score in found]
