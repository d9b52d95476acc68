"""Documents come and go for a long time, with questions between: what is found, and in how much room."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from statistics import fmean, median

import psycopg

from bench import machine
from bench.corpora import corpus
from bench.corpora.made import documents
from bench.footprint import ALL, of_process, of_server
from bench.results import Cell, Measured, Say, Table, Target
from bench.safety.sizes import Size
from docgraph.access import EmbeddingSpace
from docgraph.client import DocGraph

_DIMENSIONS = 64
_CHUNKS = 5
_STORED = 2000
"""Documents at any time; each turn replaces some of them by others."""
_TURN = 50
_QUESTIONS = 5
_REPORTS = 20
_SEEDS = 5
_RECALL = 0.9
_GROWTH = 1.5
"""How many times as large the tables may be at the end as after a tenth of the time."""


def measure(server: str, size: Size, say: Say) -> Measured:
    space = EmbeddingSpace("bench", _DIMENSIONS, "cosine", "english", 100.0)
    with machine.database(server, "soak", space) as database:
        rows = _soak(database, size.seconds, say)
    columns = (
        "minute",
        "documents written",
        "recall",
        "p50 ms",
        "client MB",
        "server's process MB",
        "tables MB",
    )
    early, late = rows[len(rows) // 10], rows[-1]
    return Measured(
        [Table(f"{size.seconds / 60:.0f} minutes of coming and going", columns, rows)],
        [
            Target("soak: lowest recall", min(float(row[2] or 0) for row in rows), ">=", _RECALL),
            *(
                Target(
                    f"soak: growth of the {what}", float(late[n] or 0) / float(early[n] or 1), "<=", _GROWTH
                )
                for n, what in ((4, "client"), (5, "server's process"), (6, "tables"))
                if late[n] is not None
            ),
        ],
    )


def _soak(database: str, seconds: float, say: Say) -> list[Sequence[Cell]]:
    chance = random.Random(43)  # noqa: S311 - the same every time
    asked = corpus.questions(100, _DIMENSIONS)
    rows: list[Sequence[Cell]] = []
    written, recalls, times = 0, [], []
    with DocGraph(database) as client, psycopg.connect(database, autocommit=True) as connection:
        client.put(documents(0, _STORED, _CHUNKS, _DIMENSIONS))
        stored = [f"notes/{number:07}.md" for number in range(_STORED)]
        following = _STORED
        began = vacuumed = time.monotonic()
        while (spent := time.monotonic() - began) < seconds:
            chance.shuffle(stored)
            gone, stored = stored[:_TURN], stored[_TURN:]
            if len(client.delete_documents(gone).deleted) != _TURN:
                raise RuntimeError("a document that was stored is not there any more")
            report = client.put(documents(following, _TURN, _CHUNKS, _DIMENSIONS))
            if report.failed or report.added != _TURN:
                raise RuntimeError(f"put failed: {report.problems[:3]}")
            stored += [f"notes/{number:07}.md" for number in range(following, following + _TURN)]
            following, written = following + _TURN, written + _TURN
            for vector in chance.sample(asked, _QUESTIONS):
                at = time.perf_counter()
                client.retrieve(embedding=vector, method="approximate")
                times.append(1000 * (time.perf_counter() - at))
                recalls.append(_recall(client, vector))
            if time.monotonic() - vacuumed > seconds / _REPORTS:
                connection.execute("VACUUM")
                vacuumed = time.monotonic()
            if spent >= seconds * len(rows) / _REPORTS:
                row = (
                    round(spent / 60, 1),
                    written,
                    fmean(recalls),
                    median(times),
                    of_process("self", ALL),
                    _server_mb(connection),
                )
                rows.append((*row, _tables_mb(connection)))
                say(f"minute {row[0]:.1f}: recall {row[2]:.3f}, p50 {row[3]:.1f} ms")
                recalls, times = [], []
        listed: list[str] = []
        while page := client.list_documents(after=listed[-1] if listed else None, page=1000):
            listed += [one.document_id for one in page]
        if listed != sorted(stored):
            raise RuntimeError("what is listed is not what is stored")
    return rows


def _recall(client: DocGraph, vector: list[float]) -> float:
    exact, near = (
        {
            one.document_id
            for one in client.search_nodes(query_embedding=vector, method=method, max_nodes=_SEEDS)
        }
        for method in ("exact", "approximate")
    )
    return len(exact & near) / len(exact)


def _server_mb(connection: psycopg.Connection[tuple[object, ...]]) -> float | None:
    return of_server(*machine.backends(connection.info.dsn))


def _tables_mb(connection: psycopg.Connection[tuple[object, ...]]) -> float:
    ((size,),) = connection.execute(
        "SELECT sum(pg_total_relation_size(oid))::float8 / 1048576 FROM pg_class"
        " WHERE relnamespace = 'docgraph'::regnamespace AND relkind = 'r'"
    ).fetchall()
    return float(str(size))
