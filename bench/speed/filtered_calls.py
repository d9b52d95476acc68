"""The searches that are measured where a caller sees a part of all there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

import psycopg
from pgvector.psycopg import HalfVector, register_vector

from bench.corpora.chunks import key
from bench.corpora.visible import Asked
from bench.peers import chroma, faiss, lance
from bench.peers.langchain import TOP, Keys, Questions, Search
from bench.results import Say
from bench.speed.loads import Loads
from bench.timing import Contender, tried
from docgraph.access import Access
from docgraph.client import DocGraph

EFFORTS = (10, 40, 100, 200, 400)
"""As ef_search."""
_WITH_FILTERS = (40, 400)
"""What pgvector and docgraph use unless told, and ten times as much."""
_GOING_ON = {
    "off": {"hnsw.iterative_scan": "off"},
    "strict_order": {"hnsw.iterative_scan": "strict_order"},
    "relaxed_order": {"hnsw.iterative_scan": "relaxed_order"},
    "relaxed_order, ef_search 400": {
        "hnsw.iterative_scan": "relaxed_order",
        "hnsw.ef_search": "400",
        "hnsw.max_scan_tuples": "100000",
    },
}
"""Settings of pgvector for where its index gives too few."""
_SEARCH = (
    "SELECT document_id, ordinal FROM docgraph.vector_chunks"
    " WHERE access_class = ANY (%s) ORDER BY embedding <=> %b LIMIT %s"
)
_EXACT = _SEARCH.replace("embedding <=> %b", "(embedding <=> %b) + 0")
"""By the index of the access classes: that of the vectors does not give this order."""
_ALL = "SELECT document_id, ordinal FROM docgraph.vector_chunks ORDER BY embedding <=> %b LIMIT %s"

Peers = dict[str, tuple[Search, Keys]]
"""Searches, and how their answers read."""


@dataclass(frozen=True, slots=True)
class Database:
    """Searches in it, each by a connection of its own."""

    stack: ExitStack
    superuser: str
    login: str
    questions: Questions

    def docgraph(self, tags: list[str], methods: Sequence[str]) -> Iterator[Contender]:
        """As an ordinary login that says what it sees."""
        for method in methods:
            client = self.stack.enter_context(DocGraph(self.login, access=Access(tags=tags)))
            yield _contender(f"docgraph, {method}", partial(self._search, client, method), _hits)

    def by_hand(self, access_class: int) -> Iterator[Contender]:
        """pgvector with a condition: as it advises where few rows fit, and going on in its index."""
        given = [access_class]
        exact = partial(self._select, self._connection({}), _EXACT, given)
        yield _contender("pgvector, exact", exact, _pairs)
        for mode, settings in _GOING_ON.items():
            search = partial(self._select, self._connection(settings), _SEARCH, given)
            yield _contender(f"pgvector, {mode}", search, _pairs)

    def with_effort(self) -> Iterator[Contender]:
        """pgvector without a condition."""
        for effort in EFFORTS:
            search = partial(self._select, self._connection({"hnsw.ef_search": str(effort)}), _ALL, None)
            yield _contender(f"pgvector, ef_search {effort}", search, _pairs)

    def _connection(self, settings: Mapping[str, str]) -> psycopg.Connection[Any]:
        connection = self.stack.enter_context(psycopg.connect(self.superuser, autocommit=True))
        register_vector(connection)
        # The library knows its settings once it is loaded.
        connection.execute("SELECT '[1]'::vector")
        for name, value in settings.items():
            connection.execute("SELECT set_config(%s, %s, false)", [name, value])
        return connection

    def _search(self, client: DocGraph, method: str, number: int) -> Any:
        return client.search_nodes(
            query_embedding=self.questions[number], search_in="chunks", method=method, max_nodes=TOP
        )

    def _select(
        self, connection: psycopg.Connection[Any], query: str, classes: list[int] | None, number: int
    ) -> list[Any]:
        given = [HalfVector(self.questions[number]), TOP]
        within = [] if classes is None else [classes]
        return connection.execute(query.encode(), [*within, *given], prepare=True).fetchall()


def peers(loads: Loads, asked: Asked, say: Say) -> tuple[Peers, Peers]:
    """Those that are installed, loaded; and those with other efforts."""
    usual: Peers = {}
    others: Peers = {}
    documents, questions = asked.documents, asked.questions
    with say.peer("LanceDB"), loads.of("LanceDB"):
        for name, search in lance.by_class(loads.folder, documents, questions).items():
            usual[f"LanceDB, {name}"] = (search, lance.keys)
    with say.peer("Chroma"), loads.of("Chroma"):
        usual["Chroma"] = (chroma.by_class(documents, questions), chroma.keys)
    with say.peer("FAISS"):
        with loads.of("FAISS, exact"):
            exact = faiss.exact(asked.vectors)
        with loads.of("FAISS, HNSW"):
            graph = faiss.hnsw(asked.vectors)
        usual["FAISS, exact"] = (faiss.by_class(exact, documents, asked.names, questions), list)
        for effort in EFFORTS:
            search = faiss.by_class(graph, documents, asked.names, questions, effort)
            (usual if effort in _WITH_FILTERS else others)[f"FAISS, efSearch {effort}"] = (search, list)
    return usual, others


def contenders(found: Peers, classes: list[str] | None, say: Say) -> Iterator[Contender]:
    """Peers that look at some classes, or at all."""
    for name, (search, read) in found.items():
        yield from tried(name, partial(_contender, name, partial(_with, search, classes), read), say)


def _with(search: Search, classes: list[str] | None, number: int) -> Any:
    return search(number, classes)


def _contender(name: str, call: Callable[[int], Any], read: Keys) -> Contender:
    return Contender(name, call, lambda answer: (read(answer), []))


def _hits(hits: list[Any]) -> list[str]:
    return [key(hit.document_id, hit.chunk) for hit in hits]


def _pairs(rows: list[tuple[str, int]]) -> list[str]:
    return [key(*row) for row in rows]
