"""Whether somebody who may not see a document can tell from the clock that it is there.

The same calls of an ordinary login by turns, about a document that is hidden from it, and about one that is
not there. No answer tells them apart. The time may, and here stands how well: there is no target, for
docgraph promises nothing of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
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
from docgraph.documents import Chunk, Document

_DIMENSIONS = 64
_DOCUMENTS = 2000
"""Of each kind: those that the login sees, and those that are hidden from it."""
_SEEN, _HIDDEN = "seen", "hidden"

Call = Callable[[DocGraph, int], Any]
_THERE: dict[str, tuple[Call, Call]] = {
    "get_document": (
        lambda client, number: client.get_document(_id(_HIDDEN, number)),
        lambda client, number: client.get_document(_id("absent", number)),
    ),
    "plan_retrieval, as a seed": (
        lambda client, number: client.plan(seeds=[_id(_SEEN, number), _id(_HIDDEN, number)]),
        lambda client, number: client.plan(seeds=[_id(_SEEN, number), _id("absent", number)]),
    ),
    "expand_dependency_tree, as a seed": (
        lambda client, number: client.expand_dependency_tree(seeds=[_id(_HIDDEN, number)]),
        lambda client, number: client.expand_dependency_tree(seeds=[_id("absent", number)]),
    ),
    "fetch_node_texts, as a seed": (
        lambda client, number: client.fetch_node_texts(seeds=[_id(_HIDDEN, number)], max_chars=100),
        lambda client, number: client.fetch_node_texts(seeds=[_id("absent", number)], max_chars=100),
    ),
    "search_nodes, by a word of it alone": (
        lambda client, number: client.search(f"only{_HIDDEN}{number}", mode="bm25"),
        lambda client, number: client.search(f"onlyabsent{number}", mode="bm25"),
    ),
    "search_nodes, by a vector of it": (
        lambda client, number: client.search_nodes(query_embedding=_vector(_HIDDEN, number), method="exact"),
        lambda client, number: client.search_nodes(query_embedding=_vector("absent", number), method="exact"),
    ),
}
"""What is asked about a document that is hidden, and about one that is not there."""


def measure(server: str, size: Size, say: Say) -> Measured:
    space = EmbeddingSpace("bench", _DIMENSIONS, "cosine", "simple", 100.0)
    rows: list[Sequence[Cell]] = []
    with machine.database(server, "timing", space) as database:
        with DocGraph(database, access=Access(tags=[_SEEN, _HIDDEN])) as client:
            for kind in (_SEEN, _HIDDEN):
                client.put(_document(kind, number) for number in range(_DOCUMENTS))
            client.rebuild_lexical()
        with reader(database, [_SEEN]) as login, DocGraph(login, access=Access(tags=[_SEEN])) as client:
            for name, calls in _THERE.items():
                rows.append((name, size.timings, *_compare(client, calls, size.timings)))
                say(f"{name}: measured")
    columns = ("call", "times", "hidden p50 ms", "absent p50 ms", "slower where hidden")
    note = (
        "slower where hidden: of how many pairs of calls the one about the hidden document took longer; 0.5"
        " is what chance gives, 1 or 0 would tell the two apart at once."
    )
    return Measured([Table("What the clock tells of hidden documents", columns, rows, note)])


def _compare(client: DocGraph, calls: tuple[Call, Call], times: int) -> tuple[float, float, float]:
    spent: tuple[list[float], list[float]] = ([], [])
    for number in range(times):
        # Who is first is drawn by lot.
        for which in np.random.default_rng([23, number]).permutation(2):
            began = time.perf_counter()
            calls[which](client, number % _DOCUMENTS)
            spent[which].append(time.perf_counter() - began)
    hidden, absent = (np.array(one) for one in spent)
    slower = float(np.mean([np.mean(each > absent) for each in hidden]))
    return 1000 * median(hidden), 1000 * median(absent), slower


def _id(kind: str, number: int) -> str:
    return f"{kind}/{number:05}.md"


def _vector(kind: str, number: int) -> list[float]:
    found: list[float] = np.random.default_rng([len(kind), number]).standard_normal(_DIMENSIONS).tolist()
    return found


def _document(kind: str, number: int) -> Document:
    text = words(np.random.default_rng([len(kind), number, 1]), 100)
    return Document(
        id=_id(kind, number),
        title=f"{kind} {number}",
        tags=[kind],
        summary=f"only{kind}{number} {text}",
        summary_embedding=_vector(kind, number),
        chunks=[Chunk(text=text, token_count=100, embedding=_vector(kind, number))],
    )
