"""The calls that are measured, each on a connection of its own: prepared, by the same driver."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from bench.client_side import DOCUMENTS, PER_SEED, planned
from bench.corpus import CLAIM
from bench.timing import Contender
from docgraph.adapting import Vector, VectorDumper, adapt

SEEDS = 5
METHODS = ("approximate", "exact")

_BARE = "SELECT document_id FROM docgraph.document_nodes ORDER BY summary_embedding <=> %b LIMIT %s"
_SEARCH = (
    "SELECT document_id FROM docgraph.search_nodes('default', %(access)s,"
    " query_embedding => %(query)s::double precision[], method => %(method)s, max_nodes => %(seeds)s)"
)
_PLAN = (
    "SELECT docgraph.plan_retrieval('default', %(access)s,"
    " query_embedding => %(query)s::double precision[], method => %(method)s, seed_limit => %(seeds)s,"
    " expanded_per_seed => %(per_seed)s, max_documents => %(documents)s)"
)

Questions = list[list[float]]
_CLAIM = json.dumps(CLAIM)

Call = Callable[[int], Any]


@contextmanager
def contenders(superuser: str, reader: str, questions: Questions) -> Iterator[list[Contender]]:
    """All that ask the database: bare as a superuser, through docgraph's functions as an ordinary login."""
    with ExitStack() as stack:
        found = [
            Contender("bare HNSW", _bare(stack, superuser, questions), _ids),
            Contender("bare exact scan", _bare(stack, superuser, questions, index=False), _ids),
        ]
        for method in METHODS:
            asked = _Asked(questions, method)
            found += [
                Contender(f"search, {method}", _search(stack, reader, asked), _ids),
                Contender(f"plan, {method}", _plan(stack, reader, asked), documents_of),
                Contender(f"client-side plan, {method}", _client_side(stack, reader, asked), documents_of),
            ]
        yield found


def documents_of(plan: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Of a plan: its seeds, and all documents."""
    seeds, expanded = (
        [one["document_id"] for one in plan[part]] for part in ("seed_documents", "expanded_documents")
    )
    return seeds, seeds + expanded


def _ids(rows: list[tuple[str]]) -> tuple[list[str], list[str]]:
    found = [document for (document,) in rows]
    return found, found


def _bare(stack: ExitStack, conninfo: str, questions: Questions, *, index: bool = True) -> Call:
    """pgvector as it is, by its own adapter, with no filter at all."""
    connection = stack.enter_context(psycopg.connect(conninfo, autocommit=True))
    register_vector(connection)
    if not index:
        connection.execute("SET enable_indexscan = off")
    return lambda number: connection.execute(
        _BARE, [HalfVector(questions[number]), SEEDS], prepare=True
    ).fetchall()


@dataclass(frozen=True, slots=True)
class _Asked:
    """The arguments of a call, the vector as docgraph's client sends it."""

    questions: Questions
    method: str

    def __getitem__(self, number: int) -> dict[str, object]:
        vector = adapt("query_embedding", "double precision[]", self.questions[number])
        return {
            "access": _CLAIM,
            "query": vector,
            "method": self.method,
            "seeds": SEEDS,
            "per_seed": PER_SEED,
            "documents": DOCUMENTS,
        }


def _search(stack: ExitStack, conninfo: str, asked: _Asked) -> Call:
    connection = _connection(stack, conninfo)
    return lambda number: connection.execute(_SEARCH, asked[number], prepare=True).fetchall()


def _plan(stack: ExitStack, conninfo: str, asked: _Asked) -> Call:
    connection = _connection(stack, conninfo)

    def call(number: int) -> Any:
        found = connection.execute(_PLAN, asked[number], prepare=True).fetchone()
        return found and found[0]

    return call


def _client_side(stack: ExitStack, conninfo: str, asked: _Asked) -> Call:
    connection = _connection(stack, conninfo)
    connection.autocommit = False
    # Of one state of the database, as a plan is.
    connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    connection.read_only = True
    return lambda number: planned(connection, asked[number])


def _connection(stack: ExitStack, conninfo: str) -> psycopg.Connection[Any]:
    connection = stack.enter_context(psycopg.connect(conninfo, autocommit=True))
    connection.adapters.register_dumper(Vector, VectorDumper)
    return connection
