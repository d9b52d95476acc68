"""Whether somebody who may not see a document can tell from the clock that it is there.

The same calls of an ordinary login by turns, about a document that is hidden from it, and about one that is
not there. No answer tells them apart. The time may, and here stands how well: there is no target, for
docgraph promises nothing of it.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import median
from typing import Any

import numpy as np

from bench import machine
from bench.corpora.made import words
from bench.reader import reader
from bench.results import Cell, Measured, Say, Table
from bench.safety.sizes import Size
from docgraph.access import Access, EmbeddingSpace
from docgraph.client import DocGraph
from docgraph.documents import Chunk, Document, Link

_DIMENSIONS = 64
_DOCUMENTS = 2000
"""Of each kind: those that the login sees, and those that are hidden from it."""
_WARM = 20
_SEEN, _LINKED, _HIDDEN, _ABSENT = "seen", "linked", "hidden", "absent"
"""Kinds of documents: those that the login sees; those of them that lead to a hidden one; those that are
hidden from it; and those that there are not."""

Call = Callable[[DocGraph, str, int], Any]


def _asked(call: Call, one: str = _HIDDEN, other: str = _ABSENT) -> tuple[Call, str, str]:
    return call, one, other


_CALLS: dict[str, tuple[Call, str, str]] = {
    "get_document": _asked(lambda client, kind, number: client.get_document(_id(kind, number))),
    "plan_retrieval, as a seed": _asked(
        lambda client, kind, number: client.plan(seeds=[_id(_SEEN, number), _id(kind, number)])
    ),
    "plan_retrieval, from a seed that leads to it": _asked(
        lambda client, kind, number: client.plan(seeds=[_id(kind, number)]), _LINKED, _SEEN
    ),
    "expand_dependency_tree, as a seed": _asked(
        lambda client, kind, number: client.expand_dependency_tree(seeds=[_id(kind, number)])
    ),
    "expand_dependency_tree, from a seed that leads to it": _asked(
        lambda client, kind, number: client.expand_dependency_tree(seeds=[_id(kind, number)]), _LINKED, _SEEN
    ),
    "fetch_node_texts, as a seed": _asked(
        lambda client, kind, number: client.fetch_node_texts(seeds=[_id(kind, number)], max_chars=100)
    ),
    "search_nodes, by a word of it alone": _asked(
        lambda client, kind, number: client.search(f"only{kind}{number}", mode="bm25")
    ),
    "search_nodes, by its vector, exact": _asked(
        lambda client, kind, number: client.search_nodes(
            query_embedding=_vector(kind, number), method="exact"
        )
    ),
    "search_nodes, by its vector, approximate": _asked(
        lambda client, kind, number: client.search_nodes(
            query_embedding=_vector(kind, number), method="approximate"
        )
    ),
    "control: get_document of one that is seen": _asked(
        lambda client, kind, number: client.get_document(_id(kind, number)), _SEEN, _ABSENT
    ),
}
"""What is asked about a document of one kind, and of another."""


def measure(server: str, size: Size, say: Say) -> Measured:
    space = EmbeddingSpace("bench", _DIMENSIONS, "cosine", "simple", 100.0)
    rows: list[Sequence[Cell]] = []
    with machine.database(server, "timing", space) as database:
        with DocGraph(database, access=Access(tags=[_SEEN, _HIDDEN])) as client:
            for kind in (_HIDDEN, _SEEN, _LINKED):
                report = client.put(_document(kind, number) for number in range(_DOCUMENTS))
                if report.added != _DOCUMENTS:
                    raise RuntimeError(f"put failed: {report.problems[:3]}")
            client.rebuild_lexical()
            if len(client.plan(seeds=[_id(_LINKED, 0)]).documents) != 2:
                raise RuntimeError("no hidden document is where it should be")
        with reader(database, [_SEEN]) as login, DocGraph(login, access=Access(tags=[_SEEN])) as client:
            for name, (call, one, other) in _CALLS.items():
                rows.append((name, size.timings, *_compare(client, call, (one, other), size.timings)))
                say(f"{name}: measured")
    columns = ("call", "times", "hidden p50 ms", "absent p50 ms", "slower where hidden", "±")
    return Measured([Table("What the clock tells of hidden documents", columns, rows)])


def _compare(
    client: DocGraph, call: Call, kinds: tuple[str, str], times: int
) -> tuple[float, float, float, float]:
    spent: tuple[list[float], list[float]] = ([], [])
    for number in range(_WARM):
        for kind in kinds:
            call(client, kind, number)
    gc.collect()
    gc.freeze()
    try:
        for number in range(times):
            # Who is first is drawn by lot.
            for which in np.random.default_rng([23, number]).permutation(2):
                began = time.perf_counter()
                call(client, kinds[which], number % _DOCUMENTS)
                spent[which].append(time.perf_counter() - began)
    finally:
        gc.unfreeze()
    one, other = (np.array(each) for each in spent)
    slower = float(np.mean([np.mean(each > other) for each in one]))
    # The deviation of that share where both are alike (Mann and Whitney).
    either_way = 1.96 * sqrt((2 * times + 1) / (12 * times * times))
    return 1000 * median(one), 1000 * median(other), slower, either_way


def _id(kind: str, number: int) -> str:
    return f"{kind}/{number:05}.md"


def _vector(kind: str, number: int) -> list[float]:
    found: list[float] = _chance(kind, number).standard_normal(_DIMENSIONS).tolist()
    return found


def _chance(kind: str, number: int, more: int = 0) -> np.random.Generator:
    return np.random.default_rng([*kind.encode(), number, more])


def _document(kind: str, number: int) -> Document:
    text = words(_chance(kind, number, 1), 100)
    return Document(
        id=_id(kind, number),
        title=f"{kind} {number}",
        tags=[_HIDDEN if kind == _HIDDEN else _SEEN],
        relationships=[Link("mentions", _id(_HIDDEN, number))] if kind == _LINKED else (),
        summary=f"only{kind}{number} {text}",
        summary_embedding=_vector(kind, number),
        chunks=[Chunk(text=text, token_count=100, embedding=_vector(kind, number))],
    )
