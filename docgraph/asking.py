"""From questions in words to one call: they are embedded with the database's model, by either client.

A database that moves to another model meanwhile has vectors that the question's must not be compared with: it
is asked for its model once more afterwards, and all again where that is another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

from docgraph import calls
from docgraph.access import Access, EmbeddingSpace
from docgraph.adapting import Numbers, Vectors
from docgraph.calling import Request
from docgraph.context import RetrievedContext
from docgraph.errors import EmbeddingSpaceInUse, InvalidArgument, NotConfigured
from docgraph.ingest.flow import Flow, Work
from docgraph.ingest.types import AnyEmbedder, Embedder
from docgraph.naming import renaming
from docgraph.plan import RetrievalPlan
from docgraph.plan.rows import SearchHit
from docgraph.plan_calls import AnyPlan
from docgraph.planning import PlanOptions, SearchOptions
from docgraph.questions import NAMES, NAMES_OF_MANY, Question, Questions, check_texts, check_words, need
from docgraph.reranking import PLACES, WIDEN, candidates_for, refuse_twice, rerank
from docgraph.retrieving import ExecuteOptions, RetrieveOptions
from docgraph.stages import PipelineResult
from docgraph.stages.options import PipelineOptions
from docgraph.unknown import refuse_unknown

T = TypeVar("T")
E = TypeVar("E")

Embedded: TypeAlias = tuple[E, EmbeddingSpace | None]
"""What the database is sent, and the space for which something of it was embedded here, or None."""
_TRIES = 3


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
        return (
            yield from _answer(
                lambda: self._query(question, options.get("mode")),
                lambda query: _ask(calls.plan_retrieval(*who, **query, seeds=seeds, **options)),
            )
        )

    def search(
        self, who: tuple[str, Access], question: Question, options: SearchOptions
    ) -> Flow[list[SearchHit]]:
        refuse_unknown("search", options, [*_ASKED, *SearchOptions.__annotations__])
        need("search", question)
        asked: dict[str, Any] = dict(options)
        if callable(asked.get("rerank")):
            return (yield from self._reranked(who, question, asked))
        if "widen" in asked:
            raise InvalidArgument(
                "widen is for a reranker of your own", hint="Give rerank=..., or leave it out."
            )
        return (
            yield from _answer(
                lambda: self._query(question, asked.get("mode"), words=asked.get("rerank") == "keyword"),
                lambda query: _ask(calls.search_nodes(*who, **query | asked)),
            )
        )

    def embed(self, text: str, embedder: AnyEmbedder) -> Flow[list[float]]:
        check_words(text)
        (vector,), _ = yield from self._embed([text], embedder)
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
        text = question.text
        if text is None:
            raise InvalidArgument("rerank needs the question in words", hint="Give it beside the embedding.")
        # What is no number of places, the call refuses.
        if type(wanted) is int and wanted >= 0:
            asked["max_nodes"] = candidates_for(wanted, widen)

        def best(query: dict[str, Any]) -> Flow[list[SearchHit]]:
            if asked.get("mode") not in _BY_WORDS:
                query.pop("query_text")
            return rerank(who, text, reranker, wanted, calls.search_nodes(*who, **query | asked))

        return (yield from _answer(lambda: self._query(question, asked.get("mode"), words=True), best))

    def retrieve(
        self,
        who: tuple[str, Access],
        question: Question,
        seeds: Sequence[str] | None,
        options: RetrieveOptions,
    ) -> Flow[RetrievedContext]:
        refuse_unknown("retrieve", options, [*_ASKED_WITH_SEEDS, *RetrieveOptions.__annotations__])
        need("retrieve", question)
        return (
            yield from _answer(
                lambda: self._query(question, *_modes(options)),
                lambda query: _ask(calls.retrieve(*who, **query, seeds=seeds, **options)),
            )
        )

    def execute(
        self, who: tuple[str, Access], plan: AnyPlan, question: Question, options: ExecuteOptions
    ) -> Flow[RetrievedContext]:
        refuse_unknown("execute", options, ["plan", *_ASKED, *ExecuteOptions.__annotations__])
        need("execute", question)
        return (
            yield from _answer(
                lambda: self._query(question, options.get("chunk_mode")),
                lambda query: _ask(calls.retrieve_by_plan(*who, plan, **query, **options)),
            )
        )

    def retrieve_all(
        self, who: tuple[str, Access], asked: Questions, seeds: Sequence[str] | None, options: RetrieveOptions
    ) -> Flow[list[RetrievedContext]]:
        refuse_unknown("retrieve_all", options, [*_ASKED_OF_MANY, *RetrieveOptions.__annotations__])
        modes = _modes(options)
        words = any(mode in _BY_WORDS for mode in modes)
        texts: dict[str, Any] = {"query_texts": asked.texts} if words else {}
        return (
            yield from _answer(
                lambda: self._vectors(asked, beside=words, needed=modes != ("bm25", "bm25")),
                lambda vectors: _ask(calls.retrieve_many(*who, vectors, seeds=seeds, **texts, **options)),
                NAMES_OF_MANY,
            )
        )

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
        if seeds is not None:
            return (yield from _ask(calls.run_pipeline(*who, seeds=seeds, **options)))
        return (
            yield from _answer(
                lambda: self._query(question, options.get("mode"), words=options.get("rerank") == "keyword"),
                lambda query: _ask(calls.run_pipeline(*who, **query, **options)),
            )
        )

    def _query(
        self, question: Question, *modes: object, words: bool = False
    ) -> Flow[Embedded[dict[str, Any]]]:
        """What of the question the database is sent: its vector, its words, or both, as the modes need it."""
        found: dict[str, Any] = {}
        space = None
        if words or any(mode in _BY_WORDS for mode in modes):
            found["query_text"] = question.text
        if any(mode != "bm25" for mode in modes) or question.embedding is not None:
            found["query_embedding"], space = yield from self._vector(question, beside=bool(found))
        else:
            check_words(question.text)
        return found, space

    def _vector(self, question: Question, *, beside: bool = False) -> Flow[Embedded[Numbers | None]]:
        """`beside`: a vector of the caller's own may stand beside the words, which are asked for, too."""
        text = question.text
        if text is None:
            return question.embedding, None
        if question.embedding is not None and not beside:
            raise InvalidArgument(
                "query and embedding are both given", hint="Give the question, or its vector."
            )
        check_words(text)
        if question.embedding is not None:
            return question.embedding, None
        (vector,), space = yield from self._embed([text], question.embedder)
        return vector, space

    def _vectors(self, asked: Questions, *, beside: bool, needed: bool) -> Flow[Embedded[Vectors | None]]:
        """`beside` as in `_vector`; `needed`: vectors are compared."""
        texts = asked.texts
        if texts is None:
            return asked.embeddings, None
        if asked.embeddings is not None and not beside:
            raise InvalidArgument(
                "questions and embeddings are both given", hint="Give the questions, or their vectors."
            )
        check_texts(texts)
        if asked.embeddings is not None or not needed:
            return asked.embeddings, None
        return (yield from self._embed(texts, asked.embedder)) if texts else ([], None)

    def _embed(self, texts: Sequence[str], given: AnyEmbedder) -> Flow[Embedded[list[list[float]]]]:
        from docgraph.ingest.embedding import check_vectors  # noqa: PLC0415 - only for questions in words

        # Asked each time: the database may have moved to another model meanwhile.
        space: EmbeddingSpace | None = yield calls.embedding_space()
        embedder: Embedder = yield Work(lambda: self._embedder(space, given))
        vectors = []
        for text in texts:
            vectors.append((yield Work(partial(embedder.embed_query, text))))  # noqa: PERF401 - a generator
        return check_vectors(embedder, vectors, len(texts)), space

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


def _ask(request: Request[T]) -> Flow[T]:
    found: T = yield request
    return found


def _answer(
    embedded: Callable[[], Flow[Embedded[E]]], ask: Callable[[E], Flow[T]], names: Mapping[str, str] = NAMES
) -> Flow[T]:
    """Again, where the database has moved to another model, and was asked with a vector of the old one."""
    for _ in range(_TRIES):
        query, space = yield from embedded()
        with renaming(names):
            found = yield from ask(query)
        if space is None or (yield calls.embedding_space()) == space:
            return found
    raise EmbeddingSpaceInUse(
        "the embedding model of the database has changed each time while it was asked",
        hint="Make the call again when the move to another model is done.",
    )


def _modes(options: RetrieveOptions) -> tuple[object, object]:
    """How seeds are found, and how chunks are compared."""
    mode = options.get("mode", "semantic")
    return mode, options.get("chunk_mode") or mode


_BY_WORDS = ("bm25", "hybrid")
"""Modes in which words are compared."""
_ASKED = ("query", "embedding", "embedder", "tenant", "access")
_ASKED_WITH_SEEDS = ("query", "embedding", "seeds", "embedder", "tenant", "access")
_ASKED_OF_MANY = ("questions", "embeddings", "seeds", "embedder", "tenant", "access")
"""What methods take beside their options."""
