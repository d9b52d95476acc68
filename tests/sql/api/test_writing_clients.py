"""Both clients: the same answers, as plain values; what they commit, and what they leave to the caller."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import psycopg
import pytest

from docgraph import Access, AsyncDocGraph, DocGraph
from docgraph.documents import Chunk, Document, Link
from docgraph.errors import AccessDenied, EmbeddingSpaceInUse, InvalidArgument, NotConfigured
from docgraph.stored import DocumentRow, Reference, Relationship, StoredChunk, StoredDocument, Written
from tests.conftest import Installed
from tests.sql.asking import Connection
from tests.sql.writing import listed

HR = Access(tags=["hr"])
DOCUMENT = Document(
    "a",
    chunks=[Chunk("Of a.", 2, [1.0, 0.0, 0.0, 0.0], ["A"], 0, 5), Chunk("More.", 1)],
    title="A",
    metadata={"k": [1, None]},
    names=["A-1"],
    links=[Link("references", "b", "see b")],
    tags=["hr"],
    content_hash="ab" * 32,
)
WAITS = Reference("a", "references", "b")


def steps(client: Any) -> Iterator[tuple[Callable[[], Any], Any]]:
    """Calls in their order, and what each answers."""
    yield lambda: client.begin_ingestion("run", "/srv"), None
    yield (
        lambda: client.put_documents([DOCUMENT], access=HR, ingestion="run"),
        Written(added=("a",), waiting=(WAITS,)),
    )
    yield lambda: client.unchanged_documents([DOCUMENT], access=HR), ["a"]
    yield (
        lambda: client.put_documents(iter([DOCUMENT, {"id": "b"}]), access=HR),
        Written(added=("b",), unchanged=("a",)),
    )
    yield (
        lambda: client.get_document("a", access=HR),
        StoredDocument(
            id="a",
            title="A",
            doc_type="",
            source="",
            summary="",
            summary_embedded=False,
            section_titles=(),
            metadata={"k": [1, None]},
            names=("A-1",),
            ingestion="run",
            content_hash="ab" * 32,
            repository="",
            snapshot="",
            tags=("hr",),
            labels=(),
            clearance=0,
            chunks=(
                StoredChunk(0, "Of a.", 2, ("A",), 0, 5, embedded=True),
                StoredChunk(1, "More.", 1, (), None, None, embedded=False),
            ),
        ),
    )
    yield lambda: client.get_document("a"), None
    yield lambda: client.finish_ingestion("run", "finished", {"added": 1}, access=HR), {"waiting": 0}
    row = DocumentRow("a", "A", "", "", "", "", ("hr",), (), 0, "ab" * 32)
    yield lambda: client.list_documents(ingested_from="/srv", access=HR), [row]
    yield lambda: client.list_documents(after="a", page=1, access=HR), pytest.approx
    inferred = Relationship("a", "references", "b", False, True, "see b", False)
    yield lambda: client.list_relationships("a", access=HR), [inferred]
    yield lambda: client.list_relationships("b", "in", access=HR), [inferred]
    yield lambda: client.list_relationships("a", after=("references", "b"), access=HR), []
    given = {"from": "a", "relation_type": "explains", "to": "z"}
    found = Reference("a", "explains", "z")
    yield (
        lambda: client.put_relationships([{**given, "evidence": "so"}], access=HR),
        Written(added=(found,), waiting=(found,)),
    )
    yield lambda: client.put_relationships([given], access=HR), Written(unchanged=(found,), waiting=(found,))
    yield lambda: client.delete_relationships([given], access=HR), Written(deleted=(found,))
    yield lambda: client.delete_relationships([given], access=HR), Written(absent=(found,))
    yield (
        lambda: client.set_document_access(["a", "z"], {"tags": []}, access=HR),
        Written(changed=("a",), absent=("z",)),
    )
    yield lambda: client.delete_documents({"a", "z"}), Written(deleted=("a",), absent=("z",))


def check(found: Any, expected: Any) -> None:
    if expected is pytest.approx:  # a row whose hash the database made
        assert [row.document_id for row in found] == ["b"]
        assert isinstance(found[0], DocumentRow)
    elif isinstance(expected, Written):
        assert found.wal
        assert Written(*(getattr(found, name) for name in Written.__slots__[:-1])) == expected
    else:
        assert found == expected


def test_sync(database: Installed) -> None:
    with DocGraph(database.conninfo) as client:
        for call, expected in steps(client):
            check(call(), expected)


def test_async(database: Installed) -> None:
    async def ask_all() -> None:
        async with AsyncDocGraph(database.conninfo) as client:
            for call, expected in steps(client):
                check(await call(), expected)

    asyncio.run(ask_all())


def test_positions_only_grow(client: DocGraph, superuser: Connection) -> None:
    """Each is at or after the end of the commit: nothing else writes here."""
    positions = [client.put_documents([{"id": str(number)}]).wal for number in range(5)]
    positions.append(client.wal_position())
    rows = superuser.execute(
        "SELECT array_agg(p ORDER BY p::pg_lsn) FROM unnest(%s::text[]) AS p", (positions,)
    )
    assert rows.fetchall() == [(positions,)]
    before = client.wal_position()
    found = client.put_documents([{"id": "x"}]).wal
    assert superuser.execute("SELECT %s::pg_lsn > %s::pg_lsn", (found, before)).fetchall() == [(True,)]


def test_a_position_is_one_that_a_standby_gets_to(client: DocGraph, superuser: Connection) -> None:
    """What is not on disk yet counts only for those who do not wait for the disk either."""
    message = "SELECT pg_logical_emit_message(false, 'docgraph', 'belongs to no commit')"
    superuser.execute("SET synchronous_commit = on")
    client.put_documents([{"id": "a"}])
    superuser.execute(message)
    reached = superuser.execute("SELECT docgraph.wal_position()::pg_lsn <= pg_current_wal_flush_lsn()")
    assert reached.fetchall() == [(True,)]
    superuser.execute("SET synchronous_commit = off")
    superuser.execute(message)
    reached = superuser.execute("SELECT pg_current_wal_insert_lsn() <= docgraph.wal_position()::pg_lsn")
    assert reached.fetchall() == [(True,)]


class TestConnectionOfTheCallers:
    """A transaction that is open is not committed for it, and there is no position to wait for."""

    def test_rolled_back(self, database: Installed, superuser: Connection) -> None:
        with database.connect() as connection, DocGraph(connection) as client:
            with connection.transaction(force_rollback=True):
                done = client.put_documents([{"id": "a"}])
                assert done == Written(added=("a",))
                assert client.get_document("a") is not None
                assert listed(superuser) == []
            assert listed(superuser) == []
            assert client.get_document("a") is None

    def test_committed(self, database: Installed, superuser: Connection) -> None:
        with psycopg.connect(database.conninfo) as connection, DocGraph(connection) as client:
            connection.execute("SELECT")  # which opens a transaction
            assert client.put_documents([{"id": "a"}]).wal is None
            assert listed(superuser) == []
            connection.commit()
            assert listed(superuser) == ["a"]
            assert client.wal_position()

    def test_without_a_transaction_each_call_is_one(self, database: Installed, superuser: Connection) -> None:
        with psycopg.connect(database.conninfo) as connection, DocGraph(connection) as client:
            assert client.put_documents([{"id": "a"}]).wal is None
            assert listed(superuser) == ["a"]

    def test_a_refused_call_in_a_transaction_undoes_only_itself(
        self, database: Installed, superuser: Connection
    ) -> None:
        with database.connect() as connection, DocGraph(connection) as client:
            with connection.transaction():
                client.put_documents([{"id": "a"}])
                with pytest.raises(InvalidArgument), connection.transaction():
                    client.put_documents([{"id": "b"}, {"id": "b"}])
            assert listed(superuser) == ["a"]

    def test_async(self, database: Installed, superuser: Connection) -> None:
        async def write() -> None:
            connection = await psycopg.AsyncConnection.connect(database.conninfo)
            async with connection, AsyncDocGraph(connection) as client:
                await connection.execute("SELECT")
                assert (await client.put_documents([{"id": "a"}])).wal is None
                await connection.rollback()
                await client.put_documents([{"id": "b"}])

        asyncio.run(write())
        assert listed(superuser) == ["b"]


ERRORS: list[tuple[type[Exception], Callable[[Any], Any]]] = [
    (AccessDenied, lambda client: client.put_documents([{"id": "a", "tags": ["hr"]}])),
    (AccessDenied, lambda client: client.put_documents([], tenant="elsewhere")),
    (AccessDenied, lambda client: client.get_document("a", tenant="elsewhere")),
    (EmbeddingSpaceInUse, lambda client: client.put_documents([], model="another")),
    (InvalidArgument, lambda client: client.put_documents([{"id": "a"}], ingestion="unknown")),
    (InvalidArgument, lambda client: client.put_documents([Document("")])),
    (InvalidArgument, lambda client: client.put_documents({"id": "a"})),
    (InvalidArgument, lambda client: client.put_documents("a")),
    (InvalidArgument, lambda client: client.put_documents(None)),
    (InvalidArgument, lambda client: client.put_documents([Document("a", metadata={"x": object()})])),
    (InvalidArgument, lambda client: client.put_documents([Document("a", title="\ud800")])),
    (InvalidArgument, lambda client: client.put_documents([Document("a", title="a\0b")])),
    (InvalidArgument, lambda client: client.put_documents([Document("a", [Chunk("a", 1, [float("nan")])])])),
    (InvalidArgument, lambda client: client.delete_documents("a.md")),
    (InvalidArgument, lambda client: client.delete_documents([1])),
    (InvalidArgument, lambda client: client.list_documents(page=1.0)),
    (InvalidArgument, lambda client: client.list_documents(page=True)),
    (InvalidArgument, lambda client: client.get_document(1)),
    (InvalidArgument, lambda client: client.list_relationships("a", "both")),
]


def test_errors_are_the_same(client: DocGraph, database: Installed, superuser: Connection) -> None:
    async def refused_async(call: Callable[[Any], Awaitable[Any]], kind: type[Exception]) -> str:
        async with AsyncDocGraph(database.conninfo) as other:
            with pytest.raises(kind) as caught:
                await call(other)
            return str(caught.value)

    for kind, call in ERRORS:
        with pytest.raises(kind) as caught:
            call(client)
        assert type(caught.value) is kind
        assert asyncio.run(refused_async(call, kind)) == str(caught.value)
    assert listed(superuser) == []


def test_before_the_embedding_space_is_configured(database: Installed, superuser: Connection) -> None:
    superuser.execute("DELETE FROM docgraph.embedding_space")
    with DocGraph(database.conninfo) as client:
        for call in (
            lambda: client.put_documents([]),
            lambda: client.delete_documents(["a"]),
            lambda: client.set_document_access(["a"], {}),
            lambda: client.put_relationships([]),
            lambda: client.delete_relationships([]),
            lambda: client.begin_ingestion("a", "b"),
            lambda: client.finish_ingestion("a", "failed", {}),
        ):
            with pytest.raises(NotConfigured, match="docgraph init"):
                call()
        assert client.list_documents() == []


def test_the_keys_of_a_document_are_those_that_the_database_takes(client: DocGraph) -> None:
    """With every field set, so that none of them is refused as an unknown key."""
    fields = inspect.signature(Document).parameters
    full = Document(
        "a",
        chunks=[Chunk("t", 1, [1, 0, 0, 0], ["s"], 0, 1)],
        summary_embedding=(0, 1, 0, 0),
        links=[Link("r", "b", "e")],
        relationships=[Link("r", "b", "e")],
        content_hash="ab" * 32,
    )
    assert full.to_dict().keys() == fields.keys()
    assert client.put_documents([full]).added == ("a",)
