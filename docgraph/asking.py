"""From questions in words to one call: they are embedded with the database's model, by either client."""

from __future__ import annotations

from collections.abc import Sequence
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
from docgraph.reranking import PLACES, WIDEN, candidates_for, refuse_twice, rerank
from docgraph.retrieving import ExecuteOptions, RetrieveOptions
from docgraph.stages import PipelineResult
from docgraph.stages.options import PipelineOptions
from docgraph.unknown import refuse_unknown


@dataclass(frozen=True, slots=True)
class Question:
    """In words or as a vector, not both."""

    text: str | None
    embedding: Numbers | None
    embedder: AnyEmbedder = None
    """In place of the one that the recorded model calls for."""

    @property
    def is_missing(self) -> bool:
        return self.text is None and self.embedding is None


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
        refuse_unknown("plan", options, [*_ASKED_WITH_SEEDS, *PlanOptions.__annotations__])
        if question.is_missing and seeds is None:
            raise InvalidArgument(
                "plan needs a question, or seeds",
                hint='For example plan("How do I ...?"), plan(embedding=[...]), or plan(seeds=["a.md"]).',
            )
        query = yield from self._query(question, options.get("mode"))
        found: RetrievalPlan = yield calls.plan_retrieval(*who, **query, seeds=seeds, **options)
        return found

    def search(
        self, who: tuple[str, Access], question: Question, options: SearchOptions
    ) -> Flow[list[SearchHit]]:
        refuse_unknown("search", options, [*_ASKED, *SearchOptions.__annotations__])
        _need("search", question)
        asked: dict[str, Any] = dict(options)
        if callable(asked.get("rerank")):
            return (yield from self._reranked(who, question, asked))
        if "widen" in asked:
            raise InvalidArgument(
                "widen is for a reranker of your own", hint="Give rerank=..., or leave it out."
            )
        query = yield from self._query(question, asked.get("mode"), words=asked.get("rerank") == "keyword")
        found: list[SearchHit] = yield calls.search_nodes(*who, **query | asked)
        return found

    def embed(self, text: str, embedder: AnyEmbedder) -> Flow[list[float]]:
        _check_words(text)
        (vector,) = yield from self._embed([text], embedder)
        return vector

    def _reranked(
        self, who: tuple[str, Access], question: Question, asked: dict[str, Any]
    ) -> Flow[list[SearchHit]]:
        reranker, widen, wanted = (
            asked.pop("rerank"),
            asked.pop("widen", WIDEN),
            asked.get("max_nodes", PLACES),
        )
        refuse_twice(asked.get("mode"), lexical=asked.get("rerank_lexical"))
        if question.text is None:
            raise InvalidArgument("rerank needs the question in words", hint="Give it beside the embedding.")
        query = yield from self._query(question, asked.get("mode"), words=True)
        if asked.get("mode") not in _BY_WORDS:
            query.pop("query_text")
        # What is no number of places, the call refuses.
        if type(wanted) is int and wanted >= 0:
            asked["max_nodes"] = candidates_for(wanted, widen)
        request = calls.search_nodes(*who, **query | asked)
        return (yield from rerank(who, question.text, reranker, wanted, request))

    def retrieve(
        self,
        who: tuple[str, Access],
        question: Question,
        seeds: Sequence[str] | None,
        options: RetrieveOptions,
    ) -> Flow[RetrievedContext]:
        refuse_unknown("retrieve", options, [*_ASKED_WITH_SEEDS, *RetrieveOptions.__annotations__])
        _need("retrieve", question)
        query = yield from self._query(question, *_modes(options))
        found: RetrievedContext = yield calls.retrieve(*who, **query, seeds=seeds, **options)
        return found

    def execute(
        self, who: tuple[str, Access], plan: AnyPlan, question: Question, options: ExecuteOptions
    ) -> Flow[RetrievedContext]:
        refuse_unknown("execute", options, ["plan", *_ASKED, *ExecuteOptions.__annotations__])
        _need("execute", question)
        query = yield from self._query(question, options.get("chunk_mode"))
        found: RetrievedContext = yield calls.retrieve_by_plan(*who, plan, **query, **options)
        return found

    def retrieve_all(
        self, who: tuple[str, Access], asked: Questions, seeds: Sequence[str] | None, options: RetrieveOptions
    ) -> Flow[list[RetrievedContext]]:
        refuse_unknown("retrieve_all", options, [*_ASKED_OF_MANY, *RetrieveOptions.__annotations__])
        modes = _modes(options)
        words = any(mode in _BY_WORDS for mode in modes)
        vectors: Vectors | None = None
        if modes != ("bm25", "bm25") or asked.embeddings is not None:
            vectors = yield from self._vectors(asked, beside=words)
        else:
            _check_texts(asked.texts)
        texts: dict[str, Any] = {"query_texts": asked.texts} if words else {}
        found: list[RetrievedContext] = yield calls.retrieve_many(
            *who, vectors, seeds=seeds, **texts, **options
        )
        return found

    def pipeline(
        self,
        who: tuple[str, Access],
        question: Question,
        seeds: Sequence[str] | None,
        options: PipelineOptions,
    ) -> Flow[PipelineResult]:
        refuse_unknown("pipeline", options, [*_ASKED_WITH_SEEDS, *PipelineOptions.__annotations__])
        if question.is_missing and seeds is None:
            raise InvalidArgument(
                "pipeline needs a question, or seeds",
                hint='For example pipeline("How do I ...?"), or pipeline(seeds=["a.md"]).',
            )
        if not question.is_missing and seeds is not None:
            raise InvalidArgument(
                "query and seeds are both given",
                hint="Seeds take the place of a search: leave one out.",
            )
        if callable(options.get("rerank")):
            raise InvalidArgument(
                'rerank must be "none" or "keyword" in a pipeline',
                hint="A model of your own reranks what `search` finds; pass that on as seeds.",
            )
        asked: dict[str, Any] = {"seeds": seeds}
        if seeds is None:
            asked = yield from self._query(
                question, options.get("mode"), words=options.get("rerank") == "keyword"
            )
        found: PipelineResult = yield calls.run_pipeline(*who, **asked, **options)
        return found

    def _query(self, question: Question, *modes: object, words: bool = False) -> Flow[dict[str, Any]]:
        """What of the question the database is sent: its vector, its words, or both, as the modes need it."""
        found: dict[str, Any] = {}
        if words or any(mode in _BY_WORDS for mode in modes):
            found["query_text"] = question.text
        if any(mode != "bm25" for mode in modes) or question.embedding is not None:
            found["query_embedding"] = yield from self._vector(question, beside=bool(found))
        else:
            _check_words(question.text)
        return found

    def _vector(self, question: Question, *, beside: bool = False) -> Flow[Numbers | None]:
        """`beside`: a vector of the caller's own may stand beside the words, which are asked for, too."""
        text = question.text
        if text is None:
            return question.embedding
        if question.embedding is not None and not beside:
            raise InvalidArgument(
                "query and embedding are both given", hint="Give the question, or its vector."
            )
        _check_words(text)
        if question.embedding is not None:
            return question.embedding
        (vector,) = yield from self._embed([text], question.embedder)
        return vector

    def _vectors(self, asked: Questions, *, beside: bool = False) -> Flow[Vectors | None]:
        """`beside` as in `_vector`."""
        texts = asked.texts
        if texts is None:
            return asked.embeddings
        if asked.embeddings is not None and not beside:
            raise InvalidArgument(
                "questions and embeddings are both given", hint="Give the questions, or their vectors."
            )
        _check_texts(texts)
        if asked.embeddings is not None:
            return asked.embeddings
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


def _check_words(text: object) -> None:
    if text is not None and not isinstance(text, str):
        raise InvalidArgument(
            f"query must be a text, not {type(text).__name__}", hint="A vector is given as embedding."
        )
    if text is not None and not text.strip():
        raise InvalidArgument(
            "query must not be blank", hint="Ask in words. A plan can do without: give embedding or seeds."
        )


def _check_texts(texts: object) -> None:
    if texts is None:
        return
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        raise InvalidArgument("questions must be a list of texts", hint="Vectors are given as embeddings.")
    for number, text in enumerate(texts, 1):
        if not text.strip():
            raise InvalidArgument(f"questions: number {number} is blank", hint="Leave it out.")


def _modes(options: RetrieveOptions) -> tuple[object, object]:
    """How seeds are found, and how chunks are compared."""
    mode = options.get("mode", "semantic")
    return mode, options.get("chunk_mode") or mode


def _need(method: str, question: Question) -> None:
    """A plan can begin with documents alone; chunks are chosen by a question."""
    if question.is_missing:
        before = "plan, " if method == "execute" else ""
        raise InvalidArgument(
            f"{method} needs a question",
            hint=f'For example {method}({before}"How do I ...?"), or {method}({before}embedding=[...]).',
        )


_BY_WORDS = ("bm25", "hybrid")
"""Modes in which words are compared."""
_ASKED = ("query", "embedding", "embedder", "tenant", "access")
_ASKED_WITH_SEEDS = ("query", "embedding", "seeds", "embedder", "tenant", "access")
_ASKED_OF_MANY = ("questions", "embeddings", "seeds", "embedder", "tenant", "access")
"""What methods take beside their options."""
