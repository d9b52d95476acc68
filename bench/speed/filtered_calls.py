"""The searches that are measured where a caller sees a part of all there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from pgvector.psycopg import HalfVector, register_vector

from bench.corpora.chunks import key
from bench.corpora.visible import Asked
from bench.peers import chroma, faiss, lance
from bench.peers.langchain import TOP, Questions, Search
from bench.results import Say
from bench.timing import Contender
from docgraph.access import Access
from docgraph.client import DocGraph

EFFORTS = (10, 40, 100, 200, 400)
"""As ef_search."""
_WITH_FILTERS = (40, 400)
"""What pgvector and docgraph use unless told, and what FAISS needs where a filter hides most of its index."""
_ITERATIVE = ("off", "strict_order", "relaxed_order")
_SEARCH = (
    "SELECT document_id, ordinal FROM docgraph.vector_chunks"
    " WHERE access_class = ANY (%s) ORDER BY embedding <=> %b LIMIT %s"
)
_ALL = "SELECT document_id, ordinal FROM docgraph.vector_chunks ORDER BY embedding <=> %b LIMIT %s"

Read = Callable[[Any], list[str]]
Peers = dict[str, tuple[Search, Read]]
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
        """pgvector with a condition, in each of its ways to go on where an index gives too few."""
        for mode in _ITERATIVE:
            connection = self._connection(f"SET hnsw.iterative_scan = {mode}")
            yield _contender(f"pgvector, {mode}", partial(self._select, connection, [access_class]), _pairs)

    def with_effort(self) -> Iterator[Contender]:
        """pgvector without a condition."""
        for effort in EFFORTS:
            connection = self._connection(f"SET hnsw.ef_search = {effort}")
            yield _contender(f"pgvector, ef_search {effort}", partial(self._select, connection, None), _pairs)

    def _connection(self, setting: str) -> psycopg.Connection[Any]:
        connection = self.stack.enter_context(psycopg.connect(self.superuser, autocommit=True))
        register_vector(connection)
        # The library knows its settings once it is loaded.
        connection.execute("SELECT '[1]'::vector")
        connection.execute(setting.encode())
        return connection

    def _search(self, client: DocGraph, method: str, number: int) -> Any:
        return client.search_nodes(
            query_embedding=self.questions[number], search_in="chunks", method=method, max_nodes=TOP
        )

    def _select(
        self, connection: psycopg.Connection[Any], classes: list[int] | None, number: int
    ) -> list[Any]:
        given = [HalfVector(self.questions[number]), TOP]
        if classes is None:
            return connection.execute(_ALL, given, prepare=True).fetchall()
        return connection.execute(_SEARCH, [classes, *given], prepare=True).fetchall()


def peers(folder: Path, asked: Asked, say: Say) -> tuple[Peers, Peers]:
    """Those that are installed, loaded; and those with other efforts."""
    usual: Peers = {}
    others: Peers = {}

    def load_lance() -> None:
        for name, search in lance.by_class(folder, asked.documents, asked.questions).items():
            usual[f"LanceDB, {name}"] = (search, lance.keys)

    def load_chroma() -> None:
        usual["Chroma"] = (chroma.by_class(asked.documents, asked.questions), chroma.keys)

    def load_faiss() -> None:
        for effort, search in faiss.by_class(asked.documents, asked.questions, EFFORTS).items():
            (usual if effort in _WITH_FILTERS else others)[f"FAISS, efSearch {effort}"] = (search, list)

    for name, load in (("LanceDB", load_lance), ("Chroma", load_chroma), ("FAISS", load_faiss)):
        with say.peer(name):
            load()
    return usual, others


def contenders(found: Peers, classes: list[str] | None) -> Iterator[Contender]:
    """Peers that look at some classes, or at all."""
    for name, (search, read) in found.items():
        yield _contender(name, partial(_with, search, classes), read)


def _with(search: Search, classes: list[str] | None, number: int) -> Any:
    return search(number, classes)


def _contender(name: str, call: Callable[[int], Any], read: Read) -> Contender:
    return Contender(name, call, lambda answer: (read(answer), []))


def _hits(hits: list[Any]) -> list[str]:
    return [key(hit.document_id, hit.chunk) for hit in hits]


def _pairs(rows: list[tuple[str, int]]) -> list[str]:
    return [key(*row) for row in rows]
