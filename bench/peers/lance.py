"""LanceDB in a folder, with an index of what its searches are limited by: prefilters, all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from bench.corpora import chunks
from bench.corpora.corpus import Corpus
from bench.peers.langchain import TOP, Questions, Search

INDEX = "IVF_HNSW_SQ"
"""Its documentation recommends it for low latency and high recall."""

_BATCH = 5000
_DOCUMENT, _CLASS = "document_id", "class"
_REFINED = 4
"""So many times as many as wanted are compared again without quantisation."""


def opened(folder: Path, documents: Corpus, questions: Questions) -> Search:
    """The chunks that the caller may see, for searches within documents.

    Without a vector index: among the few chunks that a filter leaves it would only cost recall.
    """
    table = _table(folder, documents, documents.visible())
    table.create_scalar_index(_DOCUMENT)
    table.optimize()
    return _searching(table, questions, _DOCUMENT, [_DOCUMENT, "ordinal", "text", "_distance"])


def by_class(folder: Path, documents: Corpus, questions: Questions) -> dict[str, Search]:
    """All chunks, for searches within classes: through the vector index, and past it."""
    table = _table(folder, documents, range(len(documents.ids)))
    table.create_scalar_index(_CLASS, index_type="BITMAP")
    table.create_index(metric="cosine", index_type=INDEX)
    table.optimize()
    shown = [_DOCUMENT, "ordinal", "_distance"]
    return {
        INDEX: _searching(table, questions, _CLASS, shown, indexed=True),
        "exact": _searching(table, questions, _CLASS, shown),
    }


def keys(found: list[dict[str, Any]]) -> list[str]:
    """The chunks of an answer."""
    return [chunks.key(row[_DOCUMENT], row["ordinal"]) for row in found]


def _searching(
    table: Any, questions: Questions, column: str, shown: list[str], *, indexed: bool = False
) -> Search:
    asked = [np.asarray(question, np.float32) for question in questions]

    def search(number: int, within: list[str] | None) -> Any:
        wanted = table.search(asked[number]).distance_type("cosine").select(shown).limit(TOP)
        wanted = wanted.refine_factor(_REFINED) if indexed else wanted.bypass_vector_index()
        if within is not None:
            wanted = wanted.where(f"{column} IN ({', '.join(map(repr, within))})", prefilter=True)
        return wanted.to_list()

    return search


def _table(folder: Path, documents: Corpus, numbers: Sequence[int]) -> Any:
    arrow = import_module("pyarrow")
    dimensions = documents.vectors.shape[1]
    schema = arrow.schema(
        [
            (_DOCUMENT, arrow.string()),
            ("ordinal", arrow.int32()),
            (_CLASS, arrow.string()),
            ("text", arrow.string()),
            ("vector", arrow.list_(arrow.float32(), dimensions)),
        ]
    )

    def rows() -> Iterator[Any]:
        coming = chunks.of(documents, numbers)
        while batch := list(islice(coming, _BATCH)):
            vectors = np.concatenate([chunk.vector for chunk in batch])
            yield arrow.record_batch(
                [
                    arrow.array([documents.ids[chunk.document] for chunk in batch]),
                    arrow.array([chunk.ordinal for chunk in batch], arrow.int32()),
                    arrow.array([documents.classes[chunk.document] for chunk in batch]),
                    arrow.array([chunk.text for chunk in batch]),
                    arrow.FixedSizeListArray.from_arrays(arrow.array(vectors), dimensions),
                ],
                schema=schema,
            )

    return import_module("lancedb").connect(folder).create_table("chunks", rows(), schema=schema)
