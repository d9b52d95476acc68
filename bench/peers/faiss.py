"""FAISS in the process's memory: vectors alone, as they are and with an HNSW index as large as pgvector's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.corpora import chunks
from bench.corpora.corpus import Corpus
from bench.peers.langchain import TOP, Questions, Search

_NEIGHBOURS, _BUILDING = 16, 64


def hnsw(vectors: NDArray[np.float32]) -> Any:
    faiss = import_module("faiss")
    index = faiss.IndexHNSWFlat(vectors.shape[1], _NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = _BUILDING
    index.add(vectors)
    return index


def exact(vectors: NDArray[np.float32]) -> Any:
    index = import_module("faiss").IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    return index


def by_class(
    index: Any, documents: Corpus, names: Sequence[str], questions: Questions, effort: int = 0
) -> Search:
    """Searches within classes, with this efSearch; the exact index takes none. `names` are of the chunks."""
    faiss = import_module("faiss")
    classes = np.repeat(np.array(documents.classes), chunks.EACH)
    asked = np.array(questions, np.float32)
    settings = partial(faiss.SearchParametersHNSW, efSearch=effort) if effort else faiss.SearchParameters
    selectors: dict[str, Any] = {}

    def search(number: int, within: list[str] | None) -> list[str]:
        given = settings()
        if within is not None:
            kept = ",".join(within)
            if kept not in selectors:
                selectors[kept] = faiss.IDSelectorBitmap(
                    np.packbits(np.isin(classes, within), bitorder="little")
                )
            given.sel = selectors[kept]
        _, places = index.search(asked[number : number + 1], TOP, params=given)
        return [names[place] for place in places[0] if place >= 0]

    return search
