"""Writers at the same time: they take turns, and whoever is interrupted has written nothing."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest

from docgraph.access import EmbeddingSpace
from docgraph.client import DocGraph
from docgraph.errors import EmbeddingSpaceInUse, SerializationFailed
from tests.conftest import Installed
from tests.sql.asking import Connection
from tests.sql.writing import chunks, edges, get, listed, put, report, rows

ROUNDS = 250


def together(*actions: Callable[[], object]) -> None:
    """Runs them in threads of their own; the first error is raised here."""
    errors: list[BaseException] = []

    def run(action: Callable[[], object]) -> None:
        try:
            action()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    if errors:
        raise errors[0]


def wait_until_blocked(superuser: Connection, pid: int) -> None:
    """Until another connection waits for a lock."""
    for _ in range(1000):
        ((blocked,),) = superuser.execute("SELECT cardinality(pg_blocking_pids(%s)) > 0", (pid,)).fetchall()
        if blocked:
            return
        time.sleep(0.01)
    raise AssertionError("it does not wait")


@pytest.fixture
def two(database: Installed) -> Iterator[tuple[Connection, Connection]]:
    with database.connect() as one, database.connect() as other:
        yield one, other


IDS = [f"d{number}" for number in range(8)]


def version(writer: str, count: int, ids: list[str]) -> list[dict[str, Any]]:
    """Documents that all say who wrote them, each with links to all, in a number of chunks of its own."""
    words = f"{writer} {count}"
    return [
        {
            "id": each,
            "title": words,
            "summary": words,
            "names": [words],
            "chunks": [{"text": words, "embedding": [1, count % 5, 0, 0]}] * (1 + count % 3),
            "links": [
                {"relation_type": "references", "to": to, "evidence": words} for to in IDS if to != each
            ],
        }
        for each in ids
    ]


def test_two_writers_of_the_same_documents_in_opposite_order(
    superuser: Connection, two: tuple[Connection, Connection]
) -> None:
    """No deadlock, nothing twice, and each document is whole: of one writer, of one call."""

    def write(connection: Connection, name: str) -> Callable[[], None]:
        choice = random.Random(name)

        def loop() -> None:
            for count in range(ROUNDS):
                found = choice.sample(IDS, choice.randint(1, len(IDS)))
                match choice.randint(0, 5):
                    case 0:
                        report(connection, "delete_documents", documents=found)
                    case 1:
                        given = [
                            {"from": found[0], "relation_type": "explains", "to": each} for each in found[1:]
                        ]
                        report(connection, "put_relationships", relationships=given)
                    case _:
                        put(connection, *version(name, count, found))

        return loop

    one, other = two
    together(write(one, "one"), write(other, "other"))
    final = version("last", 4, IDS)
    together(lambda: put(one, *final), lambda: put(other, *reversed(final)))
    for each in IDS:
        found = get(superuser, each)
        assert {found["title"], found["summary"], *found["names"]} == {"last 4"}
        assert [chunk["text"] for chunk in found["chunks"]] == ["last 4"] * 2
    inferred = {(edge[0], edge[2]) for edge in edges(superuser) if edge[4]}
    assert inferred == {(a, b) for a in IDS for b in IDS if a != b}


def test_while_they_write_a_reader_sees_whole_documents(
    superuser: Connection, two: tuple[Connection, Connection]
) -> None:
    writer, reader = two
    done = threading.Event()

    def write() -> None:
        for count in range(60):
            put(writer, *version("w", count, IDS))
        done.set()

    def read() -> None:
        while not done.is_set():
            found = get(reader, IDS[0])
            if found is not None:
                assert {chunk["text"] for chunk in found["chunks"]} == {found["title"]}
                assert len(found["chunks"]) == 1 + int(found["title"].split()[1]) % 3
                assert {row[5] for row in rows(reader, "list_relationships", document=IDS[0])} <= {
                    f"w {count}" for count in range(60)
                }

    together(write, read)


@pytest.mark.parametrize("first", ["reference", "target"])
def test_a_reference_and_its_target_that_arrive_at_the_same_time_connect(
    superuser: Connection, two: tuple[Connection, Connection], first: str
) -> None:
    """The second call begins before the first one has committed, and must not miss it."""
    link = {"relation_type": "references", "to": "T-1"}
    documents: list[dict[str, Any]] = [{"id": "a", "links": [link]}, {"id": "b", "names": ["T-1"]}]
    if first == "target":
        documents.reverse()
    one, other = two
    started = threading.Event()

    def late() -> None:
        started.wait(10)
        put(other, documents[1])

    def early() -> None:
        with one.transaction():
            put(one, documents[0])
            started.set()
            wait_until_blocked(superuser, other.info.backend_pid)

    together(early, late)
    assert edges(superuser) == [("a", "references", "b", False, True, None)]


@pytest.mark.parametrize("function", ["put_documents", "delete_documents", "set_document_access"])
def test_writers_of_different_tenants_do_not_wait(
    database: Installed, two: tuple[Connection, Connection], function: str
) -> None:
    database.grant("postgres", "other")
    one, other = two
    arguments: dict[str, dict[str, Any]] = {
        "put_documents": {"documents": [{"id": "a"}]},
        "delete_documents": {"documents": ["a"]},
        "set_document_access": {"documents": ["a"], "attributes": {"clearance": 0}},
    }
    put(one, {"id": "a"})
    other.execute("SET lock_timeout = '1s'")
    with one.transaction():
        report(one, function, **arguments[function])
        put(other, {"id": "b"}, tenant="other")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            put(other, {"id": "b"})
    put(other, {"id": "b"})


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
def test_in_a_stricter_level_the_second_writer_is_refused(
    database: Installed, superuser: Connection, two: tuple[Connection, Connection], level: str
) -> None:
    one, other = two
    put(one, {"id": "before"})
    with DocGraph(other) as client, other.transaction(force_rollback=True):
        other.execute(f"SET TRANSACTION ISOLATION LEVEL {level}".encode())
        assert client.get_document("a") is None  # which takes the snapshot
        put(one, {"id": "a", "title": "one"})
        with pytest.raises(SerializationFailed) as caught:
            client.put_documents([{"id": "a", "title": "other"}])
    assert isinstance(caught.value.__cause__, psycopg.errors.SerializationFailure)
    assert "again" in str(caught.value.hint)
    assert get(superuser, "a")["title"] == "one"
    with DocGraph(database.conninfo) as client:
        assert client.put_documents([{"id": "a", "title": "other"}]).changed == ("a",)


def test_a_writer_and_a_new_embedding_space(
    database: Installed, superuser: Connection, two: tuple[Connection, Connection]
) -> None:
    """The space waits for the writer, and then finds its vectors."""
    one, other = two
    space = EmbeddingSpace("new", 3, "l2", "simple", 10)

    stored_one = threading.Event()

    def early() -> None:
        with one.transaction():
            put(one, {"id": "a", "chunks": [{"text": "t", "embedding": [1, 0, 0, 0]}]})
            stored_one.set()
            wait_until_blocked(superuser, other.info.backend_pid)

    def late() -> None:
        stored_one.wait(10)
        with DocGraph(other) as client, pytest.raises(EmbeddingSpaceInUse):
            client.configure_embedding_space(space)

    together(early, late)
    assert chunks(superuser, "a") == [("t", "[1,0,0,0]")]


def test_a_writer_that_waited_for_a_new_space_writes_for_that_one(
    superuser: Connection, two: tuple[Connection, Connection]
) -> None:
    one, other = two

    def early() -> None:
        with one.transaction(), DocGraph(one) as client:
            client.configure_embedding_space(EmbeddingSpace("new", 2, "l2", "simple", 10))
            wait_until_blocked(superuser, other.info.backend_pid)

    def late() -> None:
        while not superuser.execute(
            "SELECT FROM pg_locks WHERE relation = 'docgraph.vector_chunks'::regclass AND granted"
            " AND mode = 'AccessExclusiveLock'"
        ).fetchall():
            time.sleep(0.01)
        with pytest.raises(psycopg.errors.InvalidParameterValue, match="must have 2 elements"):
            put(other, {"id": "a", "chunks": [{"text": "t", "embedding": [1, 0, 0, 0]}]})
        put(other, {"id": "a", "chunks": [{"text": "t", "embedding": [3, 4]}]})

    together(early, late)
    assert chunks(superuser, "a") == [("t", "[3,4]")]


def test_new_vectors_wait_for_a_writer_before_they_touch_a_document(
    superuser: Connection, two: tuple[Connection, Connection]
) -> None:
    """Each wants documents that the other would hold, in another order: no deadlock."""
    put(superuser, {"id": "a"}, {"id": "b"})
    report(superuser, "begin_reembedding", model="next", dimensions=2, metric="l2")
    digest = "0" * 64
    vectors = [
        {"tenant": "default", "document": each, "digest": digest, "embedding": [1, 0]} for each in "ab"
    ]
    secret = {"attributes": {"clearance": 1}, "access": {"clearance": 1}}
    one, other = two
    holds = threading.Event()

    def write() -> None:
        with one.transaction():
            report(one, "set_document_access", documents=["b"], **secret)
            holds.set()
            wait_until_blocked(superuser, other.info.backend_pid)
            report(one, "set_document_access", documents=["a"], **secret)
            report(one, "delete_documents", documents=["b"], access=secret["access"])

    def embed() -> None:
        holds.wait(10)
        assert report(other, "put_new_vectors", model="next", vectors=vectors) == 1

    together(write, embed)


def test_many_writers_at_once(database: Installed, superuser: Connection) -> None:
    """Eight connections, each with documents that refer to those of all others by name."""
    with ExitStack() as stack:
        connections = [stack.enter_context(database.connect()) for _ in range(8)]

        def write(number: int) -> Callable[[], None]:
            def loop() -> None:
                for count in range(10):
                    links = [{"relation_type": "r", "to": f"N-{n}-{count}"} for n in range(8) if n != number]
                    document = {"id": f"{number}-{count}", "names": [f"N-{number}-{count}"], "links": links}
                    put(connections[number], document)

            return loop

        together(*(write(number) for number in range(8)))
    assert len(listed(superuser)) == 80
    assert len(edges(superuser)) == 10 * 8 * 7
