"""Deleting documents from among many."""

from __future__ import annotations

import time
from statistics import median

from bench.corpora.made import documents
from docgraph.client import DocGraph

_ROUNDS = 3


def measure(conninfo: str, stored: int, deleted: int, dimensions: int) -> dict[str, float]:
    """The median of three, each of other documents, spread over the whole."""
    times = []
    with DocGraph(conninfo) as client:
        client.put(documents(0, stored, 1, dimensions))
        ids = [document.id for document in documents(0, stored, 1, None, text_words=1)]
        step = stored // deleted
        for turn in range(_ROUNDS):
            chosen = ids[turn::step][:deleted]
            began = time.perf_counter()
            written = client.delete_documents(chosen)
            times.append(time.perf_counter() - began)
            if len(written.deleted) != deleted:
                raise RuntimeError(f"{len(written.deleted)} documents were deleted, not {deleted}")
    return {"documents": stored, "deleted": deleted, "seconds": median(times), "slowest_seconds": max(times)}
