"""Chroma in the process's memory: the chunks that the caller may see."""

from __future__ import annotations

import logging
from importlib import import_module
from itertools import islice
from typing import Any

from bench.corpora import chunks
from bench.corpora.corpus import Corpus
from bench.peers.langchain import TOP, Questions, Search

_BATCH = 5000


def opened(documents: Corpus, questions: Questions) -> Search:
    """Loaded, and ready to search."""
    # Its telemetry is switched off, and still complains that it cannot reach anybody.
    logging.getLogger("chromadb.telemetry").setLevel(logging.CRITICAL)
    chromadb = import_module("chromadb")
    client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection(
        f"chunks-{len(documents.ids)}", metadata={"hnsw:space": "cosine"}, embedding_function=None
    )
    coming = chunks.of(documents, documents.visible())
    while batch := list(islice(coming, _BATCH)):
        collection.add(
            ids=[chunks.key(documents.ids[chunk.document], chunk.ordinal) for chunk in batch],
            embeddings=[chunk.vector for chunk in batch],
            documents=[chunk.text for chunk in batch],
            metadatas=[
                {"document_id": documents.ids[chunk.document], "ordinal": chunk.ordinal} for chunk in batch
            ],
        )

    def search(number: int, within: list[str] | None) -> Any:
        return collection.query(
            query_embeddings=[questions[number]],
            n_results=TOP,
            where=None if within is None else {"document_id": {"$in": within}},
            include=["documents", "metadatas", "distances"],
        )

    return search


def keys(found: dict[str, Any]) -> list[str]:
    """The chunks of an answer."""
    return [chunks.key(each["document_id"], each["ordinal"]) for each in found["metadatas"][0]]
