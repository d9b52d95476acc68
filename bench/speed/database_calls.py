"""The calls that are measured: prepared, by the same driver, one connection for each login."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import psycopg
from pgvector.psycopg import HalfVector, register_vector

from bench.corpora.corpus import CLAIM
from bench.speed.client_side import SEARCH, planned
from bench.timing import Contender
from docgraph.adapting import Vector, VectorDumper, adapt

SEEDS = 5
METHODS = ("approximate", "exact")

_BARE = "SELECT document_id FROM docgraph.document_nodes ORDER BY summary_embedding <=> %b LIMIT %s"
_PLAN = (
    "SELECT docgraph.plan_retrieval('default', %(access)s,"
    " query_embedding => %(query)s::double precision[], method => %(method)s, seed_limit => %(seeds)s)"
)

Questions = list[list[float]]
_CLAIM = json.dumps(CLAIM)

Connection = psycopg.Connection[Any]


@contextmanager
def contenders(superuser: str, reader: str, questions: Questions) -> Iterator[list[Contender]]:
    """All that ask the database: bare as a superuser, through docgraph's functions as an ordinary login."""
    with (
        psycopg.connect(superuser, autocommit=True) as bare,
        psycopg.connect(superuser, autocommit=True) as bare_scan,
        psycopg.connect(reader, autocommit=True) as ordinary,
    ):
        register_vector(bare)
        register_vector(bare_scan)
        bare_scan.execute("SET enable_indexscan = off")
        ordinary.adapters.register_dumper(Vector, VectorDumper)
        # Of what runs in a transaction: that of the client side.
        ordinary.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        ordinary.read_only = True
        found = [
            Contender("bare HNSW", partial(_bare, bare, questions), _ids),
            Contender("bare exact scan", partial(_bare, bare_scan, questions), _ids),
        ]
        for method in METHODS:
            asked = _Asked(questions, method)
            found += [
                Contender(f"search, {method}", partial(_search, ordinary, asked), _ids),
                Contender(f"plan, {method}", partial(_plan, ordinary, asked), documents_of),
                Contender(
                    f"client-side plan, {method}", partial(_client_side, ordinary, asked), documents_of
                ),
            ]
        yield found


def documents_of(plan: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Of a plan: its seeds, and all documents."""
    seeds, expanded = (
        [one["document_id"] for one in plan[part]] for part in ("seed_documents", "expanded_documents")
    )
    return seeds, seeds + expanded


def _ids(rows: list[tuple[str, ...]]) -> tuple[list[str], list[str]]:
    found = [row[0] for row in rows]
    return found, found


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
        }


def _bare(connection: Connection, questions: Questions, number: int) -> list[Any]:
    """pgvector as it is, by its own adapter, with no filter at all."""
    return connection.execute(_BARE, [HalfVector(questions[number]), SEEDS], prepare=True).fetchall()


def _search(connection: Connection, asked: _Asked, number: int) -> list[Any]:
    return connection.execute(SEARCH, asked[number], prepare=True).fetchall()


def _plan(connection: Connection, asked: _Asked, number: int) -> Any:
    found = connection.execute(_PLAN, asked[number], prepare=True).fetchone()
    return found and found[0]


def _client_side(connection: Connection, asked: _Asked, number: int) -> dict[str, Any]:
    # One state of the database, as a plan is made of.
    with connection.transaction():
        return planned(connection, asked[number])
