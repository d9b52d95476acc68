"""`langchain-graph-retriever`, Eager at depth 1, over those of its stores that run in a process.

The same documents, vectors and relationships, but no access control: only what the caller may see is loaded.
Set so that it returns the seeds and all that they lead to. The relationships are edges to ids, which it looks
up; for Chroma, which has no lists in its metadata, they are shredded, as its documentation says.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

from bench.corpora.corpus import RELATIONSHIPS, Corpus
from bench.results import Say
from bench.speed.database_calls import SEEDS
from bench.timing import Contender, tried

_BATCH = 5000
_LINKS = "links"
_ALL = SEEDS * (1 + RELATIONSHIPS)

Questions = list[list[float]]


def contenders(corpus: Corpus, questions: Questions, say: Say) -> Iterator[Contender]:
    """One for each store that is installed; says so of the others."""
    for store, adapter_of in (("in memory", _in_memory), ("Chroma", _chroma)):
        make = partial(_contender, f"graph retriever, {store}", adapter_of, corpus, questions)
        yield from tried(f"graph retriever, {store}", make, say)


def _contender(name: str, adapter_of: Callable[..., Any], corpus: Corpus, questions: Questions) -> Contender:
    return Contender(name, partial(_ask, _retriever(adapter_of, corpus, questions)), _documents)


class _Embeddings:
    """Vectors that are there already: of documents by their text, of questions by their number."""

    def __init__(self, corpus: Corpus, questions: Questions) -> None:
        self._places = {summary: number for number, summary in enumerate(corpus.summaries)}
        self._vectors = corpus.vectors
        self._questions = questions

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        found: list[list[float]] = self._vectors[[self._places[text] for text in texts]].tolist()
        return found

    def embed_query(self, text: str) -> list[float]:
        return self._questions[int(text)]


def _retriever(adapter_of: Callable[..., Any], corpus: Corpus, questions: Questions) -> Any:
    document = import_module("langchain_core.documents").Document
    visible = corpus.visible()
    shown = set(visible)
    documents = [
        document(
            id=corpus.ids[number],
            page_content=corpus.summaries[number],
            metadata={_LINKS: [corpus.ids[to] for _, to in corpus.relationships(number) if to in shown]},
        )
        for number in visible
    ]
    strategies = import_module("graph_retriever.strategies")
    return import_module("langchain_graph_retriever").GraphRetriever(
        store=adapter_of(_Embeddings(corpus, questions), documents),
        edges=[(_LINKS, "$id")],
        strategy=strategies.Eager(select_k=_ALL, start_k=SEEDS, adjacent_k=_ALL, max_depth=1),
    )


def _ask(retriever: Any, number: int) -> Any:
    return retriever.invoke(str(number))


def _in_memory(embeddings: _Embeddings, documents: list[Any]) -> Any:
    stores = import_module("langchain_core.vectorstores.in_memory")
    adapters = import_module("langchain_graph_retriever.adapters.in_memory")
    store = stores.InMemoryVectorStore(embeddings)
    store.add_documents(documents)
    return adapters.InMemoryAdapter(store)


def _chroma(embeddings: _Embeddings, documents: list[Any]) -> Any:
    # Its telemetry is switched off, and still complains that it cannot reach anybody.
    logging.getLogger("chromadb.telemetry").setLevel(logging.CRITICAL)
    chromadb = import_module("chromadb")
    # The adapter imports this name only when it is first asked, and with another text.
    if not hasattr(import_module("chromadb.api.types"), "IncludeEnum"):
        raise ImportError(f"its adapter does not work with chromadb {chromadb.__version__}")
    adapters = import_module("langchain_graph_retriever.adapters.chroma")
    shredder = import_module("langchain_graph_retriever.transformers").ShreddingTransformer()
    store = import_module("langchain_chroma").Chroma(
        embedding_function=embeddings,
        collection_metadata={"hnsw:space": "cosine"},
        client=chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False)),
        collection_name=f"bench-{len(documents)}",
    )
    shredded = list(shredder.transform_documents(documents))
    for first in range(0, len(shredded), _BATCH):
        store.add_documents(shredded[first : first + _BATCH])
    return adapters.ChromaAdapter(store, shredder, nested_metadata_fields={_LINKS})


def _documents(documents: list[Any]) -> tuple[list[str], list[str]]:
    seeds = [document.id for document in documents if document.metadata["_depth"] == 0]
    return seeds, [document.id for document in documents]
