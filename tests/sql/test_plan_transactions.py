"""Plans in every kind of transaction, cancelled in the middle, and while somebody else writes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from psycopg import IsolationLevel

from docgraph import DocGraph
from docgraph.errors import StatementCancelled
from tests.conftest import Installed
from tests.migrations.test_standby import let_it_follow, standby  # noqa: F401 - a fixture, asked for by its name
from tests.sql.api.planned import DOCUMENTS, IN_SQL, VECTOR
from tests.sql.asking import Connection

PLAN = f"""
SELECT docgraph.plan_retrieval(
    'default', '{{}}', {IN_SQL}, seeds => '{{travel.md}}', seed_limit => 1, dominant_scope => 'cluster'
)::text
"""
SEARCH = f"SELECT * FROM docgraph.search_nodes('default', '{{}}', {IN_SQL}, search_in => 'chunks')"
ROWS = f"SELECT * FROM docgraph.plan_documents(({PLAN})::jsonb)"
EXPANDED = ["visa.md", "forms.md"]


@pytest.fixture
def filled(database: Installed) -> Installed:
    with DocGraph(database.conninfo) as client:
        client.put_documents([document for document in DOCUMENTS if not document.tags])
    return database


@pytest.fixture
def session(filled: Installed) -> Iterator[Connection]:
    with filled.connect() as found:
        yield found


def answers(connection: Connection) -> list[Any]:
    return [connection.execute(each.encode()).fetchall() for each in (PLAN, SEARCH, ROWS)]


@pytest.mark.parametrize("level", IsolationLevel)
def test_every_isolation_level_gives_the_same(
    filled: Installed, session: Connection, level: IsolationLevel
) -> None:
    usual = answers(session)
    with psycopg.connect(filled.conninfo) as connection:
        connection.isolation_level = level
        connection.read_only = True
        assert answers(connection) == usual
        connection.rollback()
        connection.read_only = False
        assert answers(connection) == usual


def test_a_serializable_writer_beside_a_plan_is_no_conflict(filled: Installed) -> None:
    with psycopg.connect(filled.conninfo) as reader, psycopg.connect(filled.conninfo) as writer:
        for connection in (reader, writer):
            connection.isolation_level = IsolationLevel.SERIALIZABLE
        reader.read_only = True
        before = answers(reader)
        with DocGraph(writer) as client:
            client.delete_documents(["visa.md"])
        writer.commit()
        assert answers(reader) == before
        reader.commit()
        assert answers(reader) != before


def test_a_standby_gives_the_same_bytes(filled: Installed, request: pytest.FixtureRequest) -> None:
    following = request.getfixturevalue("standby")
    let_it_follow(filled, following)
    with filled.connect() as primary, psycopg.connect(following) as connection:
        assert connection.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)
        assert answers(connection) == answers(primary)


@pytest.mark.parametrize("planning", ["auto", "force_generic_plan", "force_custom_plan"])
def test_the_tenth_execution_is_equal_to_the_first(session: Connection, planning: str) -> None:
    usual = answers(session)
    session.execute(f"SET plan_cache_mode = {planning}".encode())
    for number, statement in enumerate((PLAN, SEARCH, ROWS)):
        session.execute(f"PREPARE p{number} AS {statement}".encode())
    for _ in range(10):
        assert [session.execute(f"EXECUTE p{number}".encode()).fetchall() for number in range(3)] == usual


def test_a_cursor_goes_on_with_what_was_there_when_it_was_opened(
    session: Connection, filled: Installed
) -> None:
    usual = [session.execute(each.encode()).fetchall() for each in (SEARCH, ROWS)]
    with filled.connect() as reader, reader.transaction():
        reader.execute(f"DECLARE found NO SCROLL CURSOR FOR {SEARCH}".encode())
        reader.execute(f"DECLARE planned SCROLL CURSOR FOR {ROWS}".encode())
        with DocGraph(filled.conninfo) as client:
            client.delete_documents(["visa.md"])
        for cursor, rows in zip(("found", "planned"), usual, strict=True):
            first = reader.execute(f"FETCH 1 FROM {cursor}".encode()).fetchall()
            assert first + reader.execute(f"FETCH ALL FROM {cursor}".encode()).fetchall() == rows
        assert answers(reader)[1:] != usual


@contextmanager
def locked(writer: Connection, table: str) -> Iterator[None]:
    """Nobody gets past this table before the transaction of the writer ends."""
    with writer.transaction():
        writer.execute(f"LOCK TABLE docgraph.{table} IN ACCESS EXCLUSIVE MODE".encode())
        yield


def wait_for_a_lock(superuser: Connection, application: str) -> None:
    waiting = """
        SELECT count(*) FROM pg_stat_activity
        WHERE application_name = %s AND wait_event_type = 'Lock' AND query ~ 'plan_retrieval'
    """
    until = time.monotonic() + 20
    while superuser.execute(waiting.encode(), (application,)).fetchone() != (1,):
        assert time.monotonic() < until
        time.sleep(0.005)


def test_a_cancelled_plan_is_an_exception_of_ours_and_the_next_call_works(
    filled: Installed, superuser: Connection
) -> None:
    with DocGraph(f"{filled.conninfo} options='-c statement_timeout=200ms'") as client:
        usual = client.plan(embedding=VECTOR, seeds=["travel.md"])
        with (
            locked(superuser, "document_relationships"),
            pytest.raises(StatementCancelled, match="statement timeout"),
        ):
            client.plan(embedding=VECTOR, seeds=["travel.md"])
        assert client.plan(embedding=VECTOR, seeds=["travel.md"]).to_json() == usual.to_json()


@pytest.mark.parametrize("table", ["document_nodes", "document_relationships"])
def test_a_plan_sees_one_moment_however_long_it_takes(
    filled: Installed, superuser: Connection, table: str
) -> None:
    """It waits in the middle; what is committed meanwhile is not in it, neither half nor whole."""
    with (
        DocGraph(f"{filled.conninfo} application_name=planning") as client,
        filled.connect() as writer,
        ThreadPoolExecutor(1) as pool,
    ):
        before = client.plan(embedding=VECTOR, seed_limit=1)
        assert [each.document_id for each in before.expanded_documents] == EXPANDED
        with locked(writer, table):
            running: Future[Any] = pool.submit(client.plan, embedding=VECTOR, seed_limit=1)
            wait_for_a_lock(superuser, "planning")
            with DocGraph(writer) as inside:
                inside.delete_documents(EXPANDED)
                inside.put_relationships(
                    [{"from": "leave.md", "relation_type": "explains", "to": "travel.md"}]
                )
        assert running.result(timeout=20).to_json() == before.to_json()
        after = client.plan(embedding=VECTOR, seed_limit=1)
        assert [each.document_id for each in after.expanded_documents] == ["travel.md"]
