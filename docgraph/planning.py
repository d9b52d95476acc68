"""From a question in words to a plan or a search: embed it with the database's model, and make one call."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypedDict

from docgraph import calls
from docgraph.access import Access, EmbeddingSpace
from docgraph.adapting import Numbers
from docgraph.errors import InvalidArgument, NotConfigured
from docgraph.ingest.flow import Flow, Work
from docgraph.ingest.types import AnyEmbedder, Embedder
from docgraph.plan import RetrievalPlan
from docgraph.plan.rows import SearchHit


class _How(TypedDict, total=False):
    mode: str
    """"semantic" is the default, and the only one yet."""
    search_in: str
    """"summaries" or "chunks"."""
    method: str
    """"auto", "exact" or "approximate"."""


class SearchOptions(_How, total=False):
    """What a search takes beside the question. What is not given, the database decides."""

    max_nodes: int


class SearchArguments(SearchOptions, total=False):
    """What `search_nodes` takes beside tenant and access."""

    query_embedding: Numbers | None
    query_text: str | None


class PlanOptions(_How, total=False):
    """What a plan takes beside question and seeds. What is not given, the database decides."""

    seed_limit: int
    """Seeds that the search may find."""
    relation_types: Collection[str] | None
    """None is all, an empty list is none."""
    expanded_per_seed: int
    max_documents: int
    dominant_scope: str
    """"none", "ingestion", "doc_type" or "cluster"."""
    scope_distance: float | Decimal


class PlanArguments(PlanOptions, total=False):
    """What `plan_retrieval` takes beside tenant and access."""

    query_embedding: Numbers | None
    query_text: str | None
    seeds: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Question:
    """In words or as a vector, not both."""

    text: str | None
    embedding: Numbers | None
    embedder: AnyEmbedder = None
    """In place of the one that the recorded model calls for."""


class Asking:
    """Asks for one client. The embedder of the recorded model stays loaded."""

    def __init__(self) -> None:
        self._kept: Embedder | None = None

    def plan(
        self, who: tuple[str, Access], question: Question, seeds: Sequence[str] | None, options: PlanOptions
    ) -> Flow[RetrievalPlan]:
        _refuse_unknown("plan", options, PlanOptions, "query, embedding, seeds, embedder")
        vector = yield from self._vector(question)
        found: RetrievalPlan = yield calls.plan_retrieval(
            *who, query_embedding=vector, seeds=seeds, **options
        )
        return found

    def search(
        self, who: tuple[str, Access], question: Question, options: SearchOptions
    ) -> Flow[list[SearchHit]]:
        _refuse_unknown("search", options, SearchOptions, "query, embedding, embedder")
        vector = yield from self._vector(question)
        found: list[SearchHit] = yield calls.search_nodes(*who, query_embedding=vector, **options)
        return found

    def _vector(self, question: Question) -> Flow[Numbers | None]:
        text = question.text
        if text is None:
            return question.embedding
        if question.embedding is not None:
            raise InvalidArgument(
                "query and embedding are both given", hint="Give the question, or its vector."
            )
        if not isinstance(text, str):
            raise InvalidArgument(
                f"query must be a text, not {type(text).__name__}", hint="A vector is given as embedding."
            )
        if not text.strip():
            raise InvalidArgument(
                "query must not be blank", hint="Ask in words, or give seeds without a query."
            )
        from docgraph.ingest.embedding import check_vectors  # noqa: PLC0415 - only for questions in words

        # Asked each time: the database may have moved to another model meanwhile.
        space: EmbeddingSpace | None = yield calls.embedding_space()
        embedder: Embedder = yield Work(lambda: self._embedder(space, question.embedder))
        vector = yield Work(lambda: embedder.embed_query(text))
        return check_vectors(embedder, [vector], 1)[0]

    def _embedder(self, space: EmbeddingSpace | None, given: AnyEmbedder) -> Embedder:
        from docgraph.ingest.embedding import resolve_embedder  # noqa: PLC0415 - as above

        if space is None:
            raise NotConfigured("this database has no embedding space yet", hint="Run: docgraph init")
        if given is not None:
            return resolve_embedder(given, model=space.model, dimensions=space.dimensions)
        kept = self._kept
        if kept is None or (kept.name, kept.dimensions) != (space.model, space.dimensions):
            kept = self._kept = resolve_embedder(None, model=space.model, dimensions=space.dimensions)
        return kept


def _refuse_unknown(method: str, options: Mapping[str, Any], known: Any, beside: str) -> None:
    unknown = sorted(options.keys() - known.__annotations__.keys())
    if unknown:
        raise InvalidArgument(
            f"{method} does not take {unknown[0]}",
            hint=f"It takes {beside}, tenant, access, {', '.join(known.__annotations__)}.",
        )
