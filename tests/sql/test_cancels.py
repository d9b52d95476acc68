"""Cancelled at any moment: a call has done all or nothing, and the connection works on.

DOCGRAPH_CANCELS says at how many moments, 12 if it is not set.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import psycopg
import pytest

from docgraph import calls
from tests.conftest import Installed
from tests.sql.asking import Connection, ask, contents
from tests.sql.writing import put

CANCELS = int(os.environ.get("DOCGRAPH_CANCELS", "12"))
DOCUMENTS, CHUNKS = 20, 20


def documents(words: str) -> list[dict[str, Any]]:
    return [
        {
            "id": f"d{n}",
            "summary": f"{words} {n}",
            "summary_embedding": [1, n, 0, 0],
            "links": [{"relation_type": "references", "to": f"d{(n * 7 + 1) % DOCUMENTS}"}],
            "chunks": [{"text": f"{words} {n} {m}", "embedding": [1, n, m, 0]} for m in range(CHUNKS)],
        }
        for n in range(DOCUMENTS)
    ]


WRITES: dict[str, Callable[[Connection], object]] = {
    "put": lambda connection: put(connection, *documents("other words")),
    "delete": lambda connection: ask(
        connection, calls.DELETE_DOCUMENTS, documents=[f"d{n}" for n in range(DOCUMENTS)]
    ),
    "rebuild": lambda connection: ask(connection, calls.REBUILD_LEXICAL),
}
READS: dict[str, Callable[[Connection], object]] = {
    "retrieve": lambda connection: ask(connection, calls.RETRIEVE, seeds=None, max_chunks=1000),
    "expand": lambda connection: ask(connection, calls.EXPAND_DEPENDENCY_TREE, seeds=["d0"], max_depth=10),
    "search": lambda connection: ask(
        connection, calls.SEARCH_NODES, query_embedding=None, query_text="words", mode="bm25", max_nodes=200
    ),
}


@pytest.fixture(scope="module")
def stored(shared: Installed) -> Iterator[tuple[Connection, Connection]]:
    """A superuser to look and to cancel by, and who is cancelled."""
    with shared.connect() as superuser, shared.connect() as cancelled:
        yield superuser, cancelled


def interrupted(
    superuser: Connection, cancelled: Connection, call: Callable[[Connection], object], after: float
) -> bool:
    """Whether it was cancelled before it was done."""

    def cancel() -> None:
        time.sleep(after)
        superuser.execute("SELECT pg_cancel_backend(%s)", [cancelled.info.backend_pid])

    thread = threading.Thread(target=cancel)
    thread.start()
    try:
        call(cancelled)
    except psycopg.errors.QueryCanceled:
        return True
    finally:
        thread.join()
        # A cancel that comes when all is done may hit what comes next, which is this.
        try:
            cancelled.execute("SELECT pg_sleep(0.01)")
        except psycopg.errors.QueryCanceled:
            cancelled.execute("SELECT 1")
    return False


def took(connection: Connection, call: Callable[[Connection], object]) -> float:
    began = time.perf_counter()
    call(connection)
    return time.perf_counter() - began


@pytest.mark.parametrize("name", WRITES)
def test_a_cancelled_write_is_whole_or_nothing(stored: tuple[Connection, Connection], name: str) -> None:
    superuser, cancelled = stored
    put(superuser, *documents("words"))
    before = held(superuser)
    with superuser.transaction(force_rollback=True):
        seconds = took(superuser, WRITES[name])
        after = held(superuser)
    chance, outcomes = Random(name), set()
    for _ in range(CANCELS):
        was_cancelled = interrupted(superuser, cancelled, WRITES[name], chance.uniform(0, 1.2 * seconds))
        found = held(superuser)
        assert found == (before if was_cancelled else after)
        outcomes.add(was_cancelled)
        put(superuser, *documents("words"))
        assert held(superuser) == before
    assert True in outcomes


@pytest.mark.parametrize("name", READS)
def test_a_cancelled_read_leaves_a_connection_that_works(
    stored: tuple[Connection, Connection], name: str
) -> None:
    superuser, cancelled = stored
    put(superuser, *documents("words"))
    expected, chance = READS[name](superuser), Random(name)
    seconds = took(cancelled, READS[name])
    for _ in range(CANCELS):
        interrupted(superuser, cancelled, READS[name], chance.uniform(0, seconds))
        assert READS[name](cancelled) == expected


def held(superuser: Connection) -> dict[str, str]:
    """What documents hold; not the numbers of words and vectors, which nobody sees."""
    found = contents(superuser)
    return {name: found[name] for name in ("document_nodes", "vector_chunks", "document_relationships")}
