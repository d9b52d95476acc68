"""From questions in words to one call: they are embedded with the database's model, by either client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from docgraph import calls
from docgraph.access import Access, EmbeddingSpace
from docgraph.adapting import Numbers, Vectors
from docgraph.context import RetrievedContext
from docgraph.errors import InvalidArgument, NotConfigured
from docgraph.ingest.flow import Flow, Work
from docgraph.ingest.types import AnyEmbedder, Embedder
from docgraph.plan import RetrievalPlan
from docgraph.plan.rows import SearchHit
from docgraph.plan_calls import AnyPlan
from docgraph.planning import PlanOptions, SearchOptions
from docgraph.retrieving import ExecuteOptions, RetrieveOptions


@dataclass(frozen=True, slots=True)
class Question:
    """In words or as a vector, not both."""

    text: str | None
    embedding: Numbers | None
    embedder: AnyEmbedder = None
    """In place of the one that the recorded model calls for."""


@dataclass(frozen=True, slots=True)
class Questions:
    """Several, in words or as vectors, not both."""

    texts: Sequence[str] | None
    embeddings: Vectors | None
    embedder: AnyEmbedder = None


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

    def retrieve(
        self,
        who: tuple[str, Access],
        question: Question,
        seeds: Sequence[str] | None,
        options: RetrieveOptions,
    ) -> Flow[RetrievedContext]:
        _refuse_unknown("retrieve", options, RetrieveOptions, "query, embedding, seeds, embedder")
        vector = yield from self._vector(question)
        found: RetrievedContext = yield calls.retrieve(*who, query_embedding=vector, seeds=seeds, **options)
        return found

    def execute(
        self, who: tuple[str, Access], plan: AnyPlan, question: Question, options: ExecuteOptions
    ) -> Flow[RetrievedContext]:
        _refuse_unknown("execute", options, ExecuteOptions, "plan, query, embedding, embedder")
        vector = yield from self._vector(question)
        found: RetrievedContext = yield calls.retrieve_by_plan(*who, plan, vector, **options)
        return found

    def retrieve_all(
        self, who: tuple[str, Access], asked: Questions, seeds: Sequence[str] | None, options: RetrieveOptions
    ) -> Flow[list[RetrievedContext]]:
        _refuse_unknown("retrieve_all", options, RetrieveOptions, "questions, embeddings, seeds, embedder")
        vectors = yield from self._vectors(asked)
        found: list[RetrievedContext] = yield calls.retrieve_many(*who, vectors, seeds=seeds, **options)
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
                "query must not be blank", hint="Ask in words, or leave it out and give embedding or seeds."
            )
        (vector,) = yield from self._embed([text], question.embedder)
        return vector

    def _vectors(self, asked: Questions) -> Flow[Vectors | None]:
        texts = asked.texts
        if texts is None:
            return asked.embeddings
        if asked.embeddings is not None:
            raise InvalidArgument(
                "questions and embeddings are both given", hint="Give the questions, or their vectors."
            )
        if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
            raise InvalidArgument(
                "questions must be a list of texts", hint="Vectors are given as embeddings."
            )
        for number, text in enumerate(texts, 1):
            if not text.strip():
                raise InvalidArgument(f"questions: number {number} is blank", hint="Leave it out.")
        return (yield from self._embed(texts, asked.embedder)) if texts else []

    def _embed(self, texts: Sequence[str], given: AnyEmbedder) -> Flow[list[list[float]]]:
        from docgraph.ingest.embedding import check_vectors  # noqa: PLC0415 - only for questions in words

        # Asked each time: the database may have moved to another model meanwhile.
        space: EmbeddingSpace | None = yield calls.embedding_space()
        embedder: Embedder = yield Work(lambda: self._embedder(space, given))
        vectors = []
        for text in texts:
            vectors.append((yield Work(partial(embedder.embed_query, text))))  # noqa: PERF401 - a generator
        return check_vectors(embedder, vectors, len(texts))

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
