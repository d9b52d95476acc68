"""Chroma in the process's memory."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from importlib import import_module
from itertools import islice
from typing import Any

from bench.corpora import chunks
from bench.corpora.corpus import Corpus
from bench.peers.langchain import TOP, Questions, Search

_BATCH = 5000
_DOCUMENT, _CLASS = "document_id", "class"


def opened(documents: Corpus, questions: Questions) -> Search:
    """The chunks that the caller may see, for searches within documents."""
    collection = _collection(documents, documents.visible(), "visible")
    return _searching(collection, questions, _DOCUMENT, ["documents", "metadatas", "distances"])


def by_class(documents: Corpus, questions: Questions) -> Search:
    """All chunks, for searches within classes."""
    collection = _collection(documents, range(len(documents.ids)), "all")
    return _searching(collection, questions, _CLASS, ["metadatas", "distances"])


def keys(found: dict[str, Any]) -> list[str]:
    """The chunks of an answer."""
    return [chunks.key(each[_DOCUMENT], each["ordinal"]) for each in found["metadatas"][0]]


def _searching(collection: Any, questions: Questions, field: str, shown: list[str]) -> Search:
    def search(number: int, within: list[str] | None) -> Any:
        return collection.query(
            query_embeddings=[questions[number]],
            n_results=TOP,
            where=None if within is None else {field: {"$in": within}},
            include=shown,
        )

    return search


def _collection(documents: Corpus, numbers: Sequence[int], which: str) -> Any:
    # Its telemetry is switched off, and still complains that it cannot reach anybody.
    logging.getLogger("chromadb.telemetry").setLevel(logging.CRITICAL)
    chromadb = import_module("chromadb")
    client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection(
        f"{which}-{len(documents.ids)}", metadata={"hnsw:space": "cosine"}, embedding_function=None
    )
    coming = chunks.of(documents, numbers)
    while batch := list(islice(coming, _BATCH)):
        collection.add(
            ids=[chunks.key(documents.ids[chunk.document], chunk.ordinal) for chunk in batch],
            embeddings=[chunk.vector for chunk in batch],
            documents=[chunk.text for chunk in batch],
            metadatas=[
                {
                    _DOCUMENT: documents.ids[chunk.document],
                    _CLASS: documents.classes[chunk.document],
                    "ordinal": chunk.ordinal,
                }
                for chunk in batch
            ],
        )
    return collection
