"""Where a call spends its time: on the way, and in which function of the server.

PostgreSQL counts the time of each function while it is told to, which takes time itself:
what counts are shares.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import fmean
from typing import Any

import psycopg
from psycopg import sql

from bench import machine
from bench.corpora import chunks, corpus
from bench.reader import reader
from bench.results import Measured, Say, Table
from bench.speed import chunk_calls
from bench.speed.sizes import Size
from bench.timing import WARM
from docgraph.access import EmbeddingSpace
from docgraph.client import DocGraph

_SHOWN = 20
"""Functions in a table; all others are one row."""

_FUNCTIONS = """
SELECT funcname::text, calls::integer, total_time, self_time
FROM pg_stat_user_functions
WHERE schemaname = 'docgraph'
ORDER BY (funcname = %s) DESC, self_time DESC
"""

Call = Callable[[DocGraph, int], Any]
Function = tuple[str, int, float, float]
"""Name, calls, milliseconds with those it calls, and without."""


def measure(server: str, size: Size, say: Say) -> Measured:
    space = EmbeddingSpace("bench", size.dimensions, "cosine", "english", 100.0)
    count = size.chunks[0]
    documents = corpus.make(corpus.TENANT, count // chunks.EACH, size.dimensions, seed=0)
    asked = corpus.questions(size.rounds + WARM, size.dimensions)
    measured = Measured()
    with machine.database(server, "account", space) as database:
        with chunks.loading(database, count) as connection:
            chunks.load(connection, documents)
        with DocGraph(database) as client:
            client.rebuild_lexical()
        say(f"{count:,} chunks loaded and indexed")
        with reader(database, corpus.CLAIM["tags"]) as login:
            for name, (function, call) in _calls(login, asked).items():
                with chunk_calls.reading(login) as client:
                    plain = 1000 * fmean(_seconds(client, call, size.rounds))
                counted, found = _counted(database, login, function, call, size.rounds)
                measured.tables.append(_account(name, size.rounds + WARM, plain, counted, found))
    return measured


def _calls(login: str, asked: list[list[float]]) -> dict[str, tuple[str, Call]]:
    """What is looked into, and the function that is called for it."""
    with chunk_calls.reading(login) as client:
        plans = [client.plan(embedding=question, method="approximate") for question in asked]
    worded = corpus.worded(len(asked))

    def retrieve(client: DocGraph, number: int) -> object:
        return client.retrieve(embedding=asked[number], method="approximate")

    def by_both(client: DocGraph, number: int) -> object:
        return client.retrieve(
            worded[number], embedding=asked[number], mode="hybrid", method="approximate", selection="bridge"
        )

    def execute(client: DocGraph, number: int) -> object:
        return client.execute_plan(plans[number], query_embedding=asked[number])

    return {
        "retrieve": ("retrieve", retrieve),
        "retrieve, hybrid, bridge": ("retrieve", by_both),
        "execute_plan": ("execute_plan", execute),
    }


def _seconds(client: DocGraph, call: Call, rounds: int) -> list[float]:
    """Of each call, warm."""
    for number in range(rounds, rounds + WARM):
        call(client, number)
    found = []
    for number in range(rounds):
        began = time.perf_counter()
        call(client, number)
        found.append(time.perf_counter() - began)
    return found


def _counted(
    database: str, login: str, function: str, call: Call, rounds: int
) -> tuple[float, list[Function]]:
    """The milliseconds of a call while functions are counted, and what was counted."""
    with psycopg.connect(database, autocommit=True) as connection:
        own = sql.Identifier(connection.info.dbname)
        connection.execute(sql.SQL("ALTER DATABASE {} SET track_functions = 'all'").format(own))
        try:
            connection.execute("SELECT pg_stat_reset()")
            with chunk_calls.reading(login) as client:
                mean = 1000 * fmean(_seconds(client, call, rounds))
        finally:
            connection.execute(sql.SQL("ALTER DATABASE {} RESET track_functions").format(own))
        while True:
            # Who leaves hands in what was counted, a little later.
            found = connection.execute(_FUNCTIONS, [function]).fetchall()
            if found and found[0][1] == rounds + WARM:
                return mean, found
            time.sleep(0.1)


def _account(name: str, calls: int, plain: float, counted: float, found: list[Function]) -> Table:
    """A row for each function, with its own time: without that of the functions it calls."""
    way = counted - found[0][2] / calls
    rows: list[tuple[str, float | None, float | None, float]] = [
        ("the client, the way there and back, reading the statement", None, None, way),
        *((function, n / calls, total / calls, own / calls) for function, n, total, own in found),
    ]
    others = rows[_SHOWN:]
    rows[_SHOWN:] = [(f"{len(others)} others", None, None, sum(row[3] for row in others))]
    return Table(
        f"Where {name} spends its time",
        ("where", "times a call", "ms, with what it calls", "ms, its own", "share"),
        [(*row, row[3] / counted) for row in rows],
        f"Means of {calls} calls: {counted:.3f} ms each while PostgreSQL counts, {plain:.3f} otherwise."
        f" Largest function: {max(found, key=lambda each: each[3])[0]}.",
    )
