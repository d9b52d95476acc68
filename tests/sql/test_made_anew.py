"""Tables that are made anew while somebody reads: an answer, or an error, never half of one."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from docgraph.calls import Call
from tests.conftest import Installed
from tests.sql.asking import ALL_CALLS, Connection, ask
from tests.sql.planning import NORTH
from tests.sql.writing import put

WORDS: dict[str, Any] = {"mode": "bm25", "query_text": "leave", "query_embedding": None}
READERS: dict[str, dict[str, Any]] = {
    name: {}
    for name in (
        *(
            "candidate_texts",
            "execute_plan",
            "assemble_context",
            "retrieve_by_plan",
            "expand_dependency_tree",
        ),
        *("fetch_node_texts", "get_document", "list_documents", "list_relationships", "plan_retrieval"),
        *("retrieve", "retrieve_many", "search_nodes", "texts_to_reembed", "unchanged_documents"),
    )
} | {"run_pipeline": {"seeds": None, **WORDS}}


def search(connection: Connection) -> int:
    return len(ask(connection, ALL_CALLS["search_nodes"], **WORDS))


@pytest.fixture
def filled(database: Installed) -> Installed:
    with database.connect() as superuser:
        put(
            superuser,
            *({"id": f"d{n}", "summary": "parental leave", "summary_embedding": NORTH} for n in range(10)),
        )
    return database


@contextmanager
def remaking(database: Installed, statement: str) -> Iterator[None]:
    """While it runs; it is committed at the end."""
    with database.connect() as superuser, superuser.transaction():
        superuser.execute(statement.encode())
        yield


REBUILD = "SELECT * FROM docgraph.rebuild_lexical()"
REWRITE = "ALTER TABLE docgraph.document_nodes ALTER COLUMN title TYPE text USING title || ''"
"""As switch_embedding_space does it."""


@pytest.mark.parametrize("statement", [REBUILD, REWRITE])
@pytest.mark.parametrize("call", [ALL_CALLS["search_nodes"], ALL_CALLS["list_documents"]])
def test_who_waited_gets_an_error_and_then_the_answer(
    filled: Installed, statement: str, call: Call[Any]
) -> None:
    """Its snapshot is older than the new tables, and would show them empty."""
    arguments = WORDS if call.function == "search_nodes" else {}
    found: list[Any] = []

    def read() -> None:
        with filled.connect() as reader:
            try:
                found.append(len(ask(reader, call, **arguments)))
            except psycopg.Error as error:
                found.append(error)
            found.append(len(ask(reader, call, **arguments)))

    with remaking(filled, statement):
        thread = threading.Thread(target=read)
        thread.start()
        wait_for_a_waiter(filled)
    thread.join(timeout=60)
    first, again = found
    assert again == 10
    assert isinstance(first, psycopg.errors.SerializationFailure)
    assert "Make the call again" in str(first.diag.message_hint)


@pytest.mark.parametrize("name", READERS)
def test_a_transaction_from_before_gets_an_error(filled: Installed, name: str) -> None:
    with filled.connect() as reader:
        reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT FROM pg_class")
        with remaking(filled, REBUILD):
            pass
        with pytest.raises(psycopg.errors.SerializationFailure):
            ask(reader, ALL_CALLS[name], **READERS[name])
        reader.execute("ROLLBACK")
        assert search(reader) == 10


def test_who_makes_them_anew_goes_on_reading(filled: Installed) -> None:
    with filled.connect() as superuser, superuser.transaction():
        superuser.execute(REBUILD.encode())
        assert search(superuser) == 10
        put(superuser, {"id": "more", "summary": "leave"})
        assert search(superuser) == 10 + 1 - 1  # ten are shown at most


@pytest.mark.parametrize("name", READERS)
def test_readers_take_the_table_of_documents_first(filled: Installed, name: str) -> None:
    """As those do who lock all of them: otherwise each would have what the other waits for."""
    with filled.connect() as superuser, superuser.transaction():
        superuser.execute("LOCK TABLE docgraph.document_nodes IN ACCESS EXCLUSIVE MODE")
        with filled.connect() as reader:

            def read() -> None:
                with pytest.raises(psycopg.errors.QueryCanceled):
                    ask(reader, ALL_CALLS[name], **READERS[name])

            thread = threading.Thread(target=read)
            pid = reader.info.backend_pid
            thread.start()
            wait_for_a_waiter(filled)
            held = superuser.execute(
                "SELECT relation::regclass::text, granted FROM pg_locks"
                " WHERE pid = %s AND relation::regclass::text ~ '^docgraph[.](document|vector|lexical)'",
                (pid,),
            ).fetchall()
            superuser.execute("SELECT pg_cancel_backend(%s)", (pid,))
            thread.join(timeout=60)
    assert held == [("docgraph.document_nodes", False)]


def wait_for_a_waiter(database: Installed) -> None:
    with database.connect() as superuser:
        for _ in range(600):
            ((count,),) = superuser.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            ).fetchall()
            if count:
                return
            time.sleep(0.05)
    raise AssertionError("nobody waits")
