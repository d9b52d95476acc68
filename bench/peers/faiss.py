"""FAISS in the process's memory: vectors alone, as they are and with an HNSW index as large as pgvector's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from bench.corpora import chunks
from bench.corpora.corpus import Corpus
from bench.peers.langchain import TOP, Questions, Search

_NEIGHBOURS, _BUILDING = 16, 64


def by_class(documents: Corpus, questions: Questions, efforts: Sequence[int]) -> dict[int, Search]:
    """All chunks, for searches within classes, by each of these efSearch; by 0 without an index."""
    faiss = import_module("faiss")
    found = [*chunks.of(documents, range(len(documents.ids)))]
    index = faiss.IndexHNSWFlat(documents.vectors.shape[1], _NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = _BUILDING
    flat = faiss.IndexFlatIP(documents.vectors.shape[1])
    for each in (index, flat):
        each.add(np.stack([chunk.vector for chunk in found]))
    names = [chunks.key(documents.ids[chunk.document], chunk.ordinal) for chunk in found]
    classes = np.array([documents.classes[chunk.document] for chunk in found])
    asked = np.array(questions, np.float32)
    selectors: dict[str, Any] = {}

    def search(effort: int, number: int, within: list[str] | None) -> list[str]:
        settings = faiss.SearchParametersHNSW(efSearch=effort) if effort else faiss.SearchParameters()
        if within is not None:
            kept = ",".join(within)
            if kept not in selectors:
                selectors[kept] = faiss.IDSelectorBitmap(
                    np.packbits(np.isin(classes, within), bitorder="little")
                )
            settings.sel = selectors[kept]
        _, places = (index if effort else flat).search(asked[number : number + 1], TOP, params=settings)
        return [names[place] for place in places[0] if place >= 0]

    return {effort: partial(search, effort) for effort in (0, *efforts)}
