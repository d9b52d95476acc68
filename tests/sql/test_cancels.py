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
from tests.sql.asking import Connection, ask
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
    "put": lambda connection: put(connection, *documents("andere Worte")),
    "delete": lambda connection: ask(
        connection, calls.DELETE_DOCUMENTS, documents=[f"d{n}" for n in range(DOCUMENTS)]
    ),
    "rebuild": lambda connection: ask(connection, calls.REBUILD_LEXICAL, text_search="simple"),
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
    begin(superuser)
    before = held(superuser)
    with superuser.transaction(force_rollback=True):
        seconds = took(superuser, WRITES[name])
        after = held(superuser)
    assert before != after
    chance, outcomes = Random(name), set()
    for _ in range(CANCELS):
        was_cancelled = interrupted(superuser, cancelled, WRITES[name], chance.uniform(0, 1.2 * seconds))
        found = held(superuser)
        assert found == (before if was_cancelled else after)
        outcomes.add(was_cancelled)
        if not was_cancelled:
            begin(superuser)
            assert held(superuser) == before
    assert True in outcomes


@pytest.mark.parametrize("name", READS)
def test_a_cancelled_read_leaves_a_connection_that_works(
    stored: tuple[Connection, Connection], name: str
) -> None:
    superuser, cancelled = stored
    begin(superuser)
    expected, chance = READS[name](superuser), Random(name)
    took(cancelled, READS[name])
    seconds, outcomes = took(cancelled, READS[name]), set()
    for _ in range(CANCELS):
        outcomes.add(interrupted(superuser, cancelled, READS[name], chance.uniform(0, seconds)))
        assert READS[name](cancelled) == expected
    assert True in outcomes


def begin(superuser: Connection) -> None:
    """What is there before each call."""
    put(superuser, *documents("words"))
    usual = {"average_length": None, "text_search": "english", "k1": None, "b": None}
    ask(superuser, calls.REBUILD_LEXICAL, **usual)


def held(superuser: Connection) -> list[object]:
    """What documents hold, and what is looked up by; no numbers of words and classes: nobody sees them."""
    tables = ("document_nodes", "vector_chunks", "document_relationships")
    queries = [*(_STORED.replace("stored", name) for name in tables), _CLASSES, _WORDS, _COUNTS]
    return [superuser.execute(query.encode()).fetchall() for query in queries]


_STORED = """
SELECT (to_jsonb(s) - '{access_class,from_access_class,to_access_class}'::text[])::text
FROM docgraph.stored s
ORDER BY 1
"""
_CLASSES = """
SELECT c.fingerprint, array_agg(d.document_id ORDER BY d.document_id)
FROM docgraph.access_classes c
LEFT JOIN docgraph.document_nodes d ON d.tenant_id = c.tenant_id AND d.access_class = c.access_class
GROUP BY 1
ORDER BY 1
"""
_WORDS = "SELECT document_id, ordinal, lexemes::text, title FROM docgraph.lexical_index ORDER BY 1, 2"
_COUNTS = """
SELECT t.term, c.in_chunks, sum(c.entries)
FROM docgraph.lexical_counts c
LEFT JOIN docgraph.lexical_terms t ON t.tenant_id = c.tenant_id AND t.term_number = c.term_number
GROUP BY 1, 2
HAVING sum(c.entries) > 0
ORDER BY 1, 2
"""
