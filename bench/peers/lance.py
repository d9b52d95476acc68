"""LanceDB in a folder: the chunks that the caller may see, with an index of their documents' ids.

Without a vector index: among the few chunks that a filter leaves it would only cost recall.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from bench.corpora import chunks
from bench.corpora.corpus import Corpus
from bench.peers.langchain import TOP, Questions, Search

_BATCH = 5000
_COLUMNS = ["document_id", "ordinal", "text", "_distance"]


def opened(folder: Path, documents: Corpus, questions: Questions) -> Search:
    """Loaded, and ready to search."""
    arrow = import_module("pyarrow")
    dimensions = documents.vectors.shape[1]
    schema = arrow.schema(
        [
            ("document_id", arrow.string()),
            ("ordinal", arrow.int32()),
            ("text", arrow.string()),
            ("vector", arrow.list_(arrow.float32(), dimensions)),
        ]
    )

    def rows() -> Iterator[Any]:
        coming = chunks.of(documents, documents.visible())
        while batch := list(islice(coming, _BATCH)):
            vectors = np.concatenate([chunk.vector for chunk in batch])
            yield arrow.record_batch(
                [
                    arrow.array([documents.ids[chunk.document] for chunk in batch]),
                    arrow.array([chunk.ordinal for chunk in batch], arrow.int32()),
                    arrow.array([chunk.text for chunk in batch]),
                    arrow.FixedSizeListArray.from_arrays(arrow.array(vectors), dimensions),
                ],
                schema=schema,
            )

    table = import_module("lancedb").connect(folder).create_table("chunks", rows(), schema=schema)
    table.create_scalar_index("document_id")
    table.optimize()
    asked = [np.asarray(question, np.float32) for question in questions]

    def search(number: int, within: list[str] | None) -> Any:
        wanted = table.search(asked[number]).distance_type("cosine").select(_COLUMNS).limit(TOP)
        if within is not None:
            wanted = wanted.where(f"document_id IN ({', '.join(map(repr, within))})", prefilter=True)
        return wanted.to_list()

    return search


def keys(found: list[dict[str, Any]]) -> list[str]:
    """The chunks of an answer."""
    return [chunks.key(row["document_id"], row["ordinal"]) for row in found]
