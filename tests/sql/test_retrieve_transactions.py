"""Evidence in every kind of transaction, on a standby, cancelled half-way, and while somebody else writes."""

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
from tests.sql.api.evidenced import document, near
from tests.sql.asking import Connection, nothing_written
from tests.sql.test_plan_transactions import locked
from tests.sql.writing import put, relate, report

NORTH = "'{1,0,0,0}'"
MADE = "docgraph.plan_retrieval('default', '{}', seeds => '{a}')"
RETRIEVE = f"SELECT docgraph.retrieve('default', '{{}}', {NORTH}, seeds => '{{a}}', seed_limit => 1)::text"
MANY = (
    "SELECT query, result::text FROM docgraph.retrieve_many("
    "'default', '{}', '{{1,0,0,0},{0,1,0,0},{1,0,0,0}}', seeds => '{a}', search_in => 'chunks')"
)
EXECUTE = f"SELECT * FROM docgraph.execute_plan('default', '{{}}', {MADE}, {NORTH})"
ASSEMBLE = f"SELECT * FROM docgraph.assemble_context('default', '{{}}', {MADE}, {NORTH}, budget_tokens => 30)"
BY_PLAN = f"SELECT docgraph.retrieve_by_plan('default', '{{}}', {MADE}, {NORTH})::text"
STATEMENTS = {"retrieve": RETRIEVE, "retrieve_many": MANY, "execute_plan": EXECUTE}
STATEMENTS |= {"assemble_context": ASSEMBLE, "retrieve_by_plan": BY_PLAN}


@pytest.fixture
def filled(database: Installed) -> Installed:
    """a brings in x and y; s is what a search finds. All of them say that they are old."""
    with database.connect() as connection:
        put_state(connection, "old", "x", "y")
    return database


def put_state(connection: Connection, age: str, *targets: str) -> None:
    """Every document, and what a leads to: as they all are before, or as they all are after."""
    documents = [
        document(name, n, 20 + n, summary=f"{name} is {age}", title=age, summary_embedding=near(n + 3))
        for n, name in enumerate("asxyz")
    ]
    for each in documents:
        each["chunks"][0]["text"] += f" {age}"
    put(connection, {**documents[0], "relationships": []}, *documents[1:])
    relate(connection, *(("a", "explains", each) for each in targets))


def answers(connection: Connection) -> list[Any]:
    return [connection.execute(each.encode()).fetchall() for each in STATEMENTS.values()]


@pytest.mark.parametrize("level", IsolationLevel)
def test_every_isolation_level_gives_the_same_and_writes_nothing(
    filled: Installed, superuser: Connection, level: IsolationLevel
) -> None:
    usual = answers(superuser)
    assert all(usual)
    with psycopg.connect(filled.conninfo) as connection, nothing_written(superuser):
        connection.isolation_level = level
        connection.read_only = True
        assert answers(connection) == usual
        connection.rollback()
        connection.read_only = False
        assert answers(connection) == usual
        assert connection.execute("SELECT pg_current_xact_id_if_assigned()").fetchone() == (None,)


def test_in_a_transaction_that_is_read_only(superuser: Connection, filled: Installed) -> None:
    """As a reader, and as psql says it."""
    login = filled.reader("evidence_reader")
    with filled.connect(login) as connection, connection.transaction():
        connection.execute("SET TRANSACTION READ ONLY")
        assert answers(connection) == answers(superuser)


def test_a_serializable_writer_beside_it_is_no_conflict(filled: Installed) -> None:
    with psycopg.connect(filled.conninfo) as reader, psycopg.connect(filled.conninfo) as writer:
        for connection in (reader, writer):
            connection.isolation_level = IsolationLevel.SERIALIZABLE
        reader.read_only = True
        before = answers(reader)
        put_state(writer, "new", "z")
        writer.commit()
        assert answers(reader) == before
        reader.commit()
        assert answers(reader) != before


def test_a_standby_gives_the_same_bytes(filled: Installed, request: pytest.FixtureRequest) -> None:
    following = request.getfixturevalue("standby")
    let_it_follow(filled, following)
    with filled.connect() as primary, psycopg.connect(following, autocommit=True) as connection:
        assert connection.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)
        assert answers(connection) == answers(primary)


@pytest.mark.parametrize("planning", ["auto", "force_generic_plan", "force_custom_plan"])
def test_the_tenth_execution_is_equal_to_the_first(
    superuser: Connection, filled: Installed, planning: str
) -> None:
    with filled.connect() as session:
        usual = answers(session)
        session.execute(f"SET plan_cache_mode = {planning}".encode())
        for name, statement in STATEMENTS.items():
            session.execute(f"PREPARE {name} AS {statement}".encode())
        for _ in range(10):
            assert [session.execute(f"EXECUTE {name}".encode()).fetchall() for name in STATEMENTS] == usual


@pytest.mark.parametrize("statement", [EXECUTE, ASSEMBLE, MANY], ids=["execute", "assemble", "many"])
def test_a_cursor_goes_on_with_what_was_there_when_it_was_opened(
    superuser: Connection, filled: Installed, statement: str
) -> None:
    usual = superuser.execute(statement.encode()).fetchall()
    with filled.connect() as reader, reader.transaction():
        reader.execute(f"DECLARE found CURSOR FOR {statement}".encode())
        put_state(superuser, "new", "z")
        first = reader.execute("FETCH 1 FROM found").fetchall()
        assert first + reader.execute("FETCH ALL FROM found").fetchall() == usual
        assert reader.execute(statement.encode()).fetchall() != usual


def wait_for_a_lock(superuser: Connection, connection: Connection) -> None:
    until = time.monotonic() + 20
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s AND wait_event_type = 'Lock'"
    while superuser.execute(waiting.encode(), (connection.info.backend_pid,)).fetchone() != (1,):
        assert time.monotonic() < until
        time.sleep(0.005)


@contextmanager
def waiting_for(
    filled: Installed, superuser: Connection, table: str, statement: str
) -> Iterator[tuple[Connection, Future[Any]]]:
    """A call that stands before a table, and the writer that has locked it; afterwards it may go on."""
    with filled.connect() as reader, filled.connect() as writer, ThreadPoolExecutor(1) as pool:
        with locked(writer, table):
            running = pool.submit(lambda: reader.execute(statement.encode()).fetchall())
            wait_for_a_lock(superuser, reader)
            yield writer, running
        running.result(timeout=20)


@pytest.mark.parametrize("table", ["vector_chunks", "document_relationships", "document_nodes"])
@pytest.mark.parametrize("name", STATEMENTS)
def test_concurrent_ingestion_is_in_it_wholly_or_not_at_all(
    filled: Installed, superuser: Connection, name: str, table: str
) -> None:
    """It waits between two of its steps, while every document and every relationship is changed."""
    statement = STATEMENTS[name]
    before = superuser.execute(statement.encode()).fetchall()
    assert "old" in repr(before)
    with waiting_for(filled, superuser, table, statement) as (writer, running):
        put_state(writer, "new", "z")
        report(writer, "delete_documents", documents=["x", "y"])
    assert running.result() == before
    after = superuser.execute(statement.encode()).fetchall()
    assert "old" not in repr(after)
    assert after != before


@pytest.mark.parametrize("name", STATEMENTS)
def test_what_is_made_private_meanwhile_is_as_it_was_when_the_call_began(
    filled: Installed, superuser: Connection, name: str
) -> None:
    """And the very next call does not have it."""
    statement = STATEMENTS[name]
    before = superuser.execute(statement.encode()).fetchall()
    with waiting_for(filled, superuser, "vector_chunks", statement) as (writer, running):
        given = {"documents": ["x"], "attributes": {"tags": ["board"]}}
        report(writer, "set_document_access", access={"tags": ["board"]}, **given)
    assert running.result() == before
    assert "x/0" in repr(before)
    assert "x/0" not in repr(superuser.execute(statement.encode()).fetchall())


def test_writers_and_readers_side_by_side_never_mix(filled: Installed, superuser: Connection) -> None:
    """Many times, without locks: each answer is of one state, its plan, its summaries and its chunks."""
    ages = ("old", "new")
    with filled.connect() as reader, filled.connect() as writer, ThreadPoolExecutor(1) as pool:

        def write() -> None:
            for number in range(40):
                with writer.transaction():
                    put_state(writer, ages[number % 2], *("xy" if number % 2 else "z"))

        running = pool.submit(write)
        seen = set()
        while not running.done():
            ((text,),) = reader.execute(RETRIEVE.encode()).fetchall()
            found = {age for age in ages if age in text}
            assert len(found) == 1
            seen |= found
        running.result()
    assert seen == set(ages)


@pytest.mark.parametrize("table", ["vector_chunks", "document_nodes"])
def test_a_cancelled_call_is_an_exception_of_ours_and_the_next_one_works(
    filled: Installed, superuser: Connection, table: str
) -> None:
    vector = [1.0, 0.0, 0.0, 0.0]
    with DocGraph(f"{filled.conninfo} options='-c statement_timeout=200ms'") as client:
        usual = client.retrieve(embedding=vector, seeds=["a"])
        with locked(superuser, table), pytest.raises(StatementCancelled, match="statement timeout"):
            client.execute(usual.plan, embedding=vector)
        assert client.retrieve(embedding=vector, seeds=["a"]).to_json() == usual.to_json()
