"""`put`: any number of documents as they come, whatever stops it, and what it says of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph.documents import Chunk, Document, Link
from docgraph.errors import EmbeddingSpaceInUse, InvalidArgument, NotConfigured
from docgraph.ingest.putting import BATCH_DOCUMENTS
from docgraph.ingest.report import Report
from tests.conftest import Cluster, Installed
from tests.ingest.conftest import Do
from tests.ingest.rows import documents, stored

STREAM = """
import sys
from docgraph import DocGraph

def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])

def made(first, last):
    for n in range(first, last):
        yield {"id": f"d{n}", "chunks": [{"text": f"text {n} " * 500}]}

with DocGraph(sys.argv[1]) as client:
    client.put(made(0, 500))
    before = peak()
    report = client.put(made(500, 3000))
    print(before, peak(), report.added)
"""


def _numbered(last: int, first: int = 0) -> list[Document]:
    return [
        Document(
            id=f"d{n}",
            title=f"Document {n}",
            chunks=[Chunk(f"text {n}", 2, [1, n, 0, 0])],
            links=[Link("references", f"d{n + 1}")],
        )
        for n in range(first, last)
    ]


def test_thousands_in_constant_memory(database: Installed) -> None:
    """In a process of its own: the peak after a sixth of them is that of all."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", STREAM, database.conninfo],
        check=False, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    before, after, added = map(int, done.stdout.split())
    assert added == 2_500
    assert after - before < 8_000  # kB; as a list the documents alone are 13 MB more
    assert len(documents(database.conninfo)) == 3_000


def test_what_the_report_says(do: Do) -> None:
    first = do("put", _numbered(250))
    assert (first.added, first.changed, first.unchanged, first.failed) == (250, 0, 0, 0)
    assert (first.chunks, first.embedded, first.done) == (250, 0, 250)
    assert first.wal is not None

    some = [*_numbered(100), *_numbered(260, 250)]
    some[0] = Document(id="d0", title="Another title", chunks=[Chunk("a", 1), Chunk("b", 1)])
    second = do("put", some)
    assert (second.added, second.changed, second.unchanged) == (10, 1, 99)
    assert second.chunks == 12
    assert second.waiting == 1  # d260 is not there; d250 is by now
    assert second.problems == []


def test_it_is_told_how_far_it_is(do: Do) -> None:
    seen: list[int] = []
    do("put", iter(_numbered(2 * BATCH_DOCUMENTS + 1)), progress=lambda report: seen.append(report.added))
    assert seen == [BATCH_DOCUMENTS, 2 * BATCH_DOCUMENTS, 2 * BATCH_DOCUMENTS + 1]


def test_both_clients_write_and_report_the_same(do: Do, database: Installed, another: Any) -> None:
    """Against a database that the plain call filled."""
    other = another()
    with other.connect() as connection:
        from psycopg.types.json import Jsonb

        connection.execute(
            "SELECT docgraph.put_documents('default', '{}', %s)",
            [Jsonb([document.to_dict() for document in _numbered(120)])],
        )
    do("put", _numbered(120))
    assert stored(database.conninfo) == stored(other.conninfo)


def test_interrupted_and_continued(do: Do, database: Installed) -> None:
    def failing() -> Iterator[Document]:
        yield from _numbered(230)
        raise KeyError("the source is gone")

    with pytest.raises(KeyError, match="the source is gone"):
        do("put", failing())
    kept = len(documents(database.conninfo))
    assert kept % BATCH_DOCUMENTS == 0, "whole batches"
    assert kept == 230 // BATCH_DOCUMENTS * BATCH_DOCUMENTS

    report = do("put", _numbered(300))
    assert (report.unchanged, report.added) == (kept, 300 - kept)
    assert len(documents(database.conninfo)) == 300


def test_interrupted_from_outside(do: Do, database: Installed) -> None:
    """As by Ctrl-C, in the middle of the work."""

    def stop(report: Report) -> None:
        if report.added >= 2 * BATCH_DOCUMENTS:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        do("put", _numbered(5 * BATCH_DOCUMENTS), progress=stop)
    assert len(documents(database.conninfo)) == 2 * BATCH_DOCUMENTS


def test_the_same_run_again(do: Do, database: Installed) -> None:
    do("begin_ingestion", "nightly", "/srv/handbook")
    assert do("put", _numbered(150), ingestion="nightly").added == 150
    before = stored(database.conninfo)
    assert do("put", _numbered(150), ingestion="nightly").unchanged == 150
    assert stored(database.conninfo) == before
    assert do("finish_ingestion", "nightly", "finished", {"added": 150}) == {"waiting": 1}
    with pytest.raises(InvalidArgument, match="ingestion must be"):
        do("put", _numbered(151), ingestion="nightly")
    do("begin_ingestion", "nightly", "/srv/handbook")
    assert do("put", _numbered(151), ingestion="nightly").added == 1


def test_one_id_twice_in_a_stream_is_a_change(do: Do, client: Any) -> None:
    twice = [Document(id="a", title="first"), Document(id="b"), Document(id="a", title="second")]
    report = do("put", twice)
    assert (report.added, report.changed, report.failed) == (2, 1, 0)
    assert client.get_document("a").title == "second"


def test_a_database_without_an_embedding_space(cluster: Cluster, empty: str) -> None:
    from docgraph import migrate
    from docgraph.access import Ceiling
    from docgraph.client import DocGraph

    migrate.upgrade(empty)
    asked: list[int] = []

    def source() -> Iterator[Document]:
        asked.append(1)
        yield Document(id="a")

    with DocGraph(empty) as client:
        client.grant_access(Ceiling("postgres", None, None, None, None, None))
        with pytest.raises(NotConfigured, match="docgraph init"):
            client.put(source())
    assert not asked, "it is said before any document is made"


def test_vectors_of_another_model_are_refused(do: Do, database: Installed) -> None:
    with pytest.raises(EmbeddingSpaceInUse, match=r'"other".*"test-model"'):
        do("put", _numbered(3), model="other")
    assert documents(database.conninfo) == []


def test_a_document_too_many_for_one_call_is_no_matter(do: Do) -> None:
    """The bound of 200 documents a call is the batches' affair."""
    assert do("put", ({"id": f"n{n}"} for n in range(201))).added == 201


def test_the_planner_is_told_that_tables_fill(client: Any, database: Installed) -> None:
    """Without statistics every look-up would read a whole tenant until autovacuum comes by."""
    client.put(_numbered(BATCH_DOCUMENTS))
    with database.connect() as connection:
        unknown = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'docgraph'::regnamespace AND reltuples <= 0 "
            "AND relname IN ('document_nodes', 'vector_chunks', 'document_names', 'document_references', "
            "'document_relationships')"
        ).fetchall()
    assert unknown == []


def test_texts_without_a_vector_are_counted_and_said(do: Do) -> None:
    """No search finds them, and put makes none."""
    with_vector = Document(
        id="a", summary="s", summary_embedding=[1, 0, 0, 0], chunks=[Chunk("a", 1, [1, 0, 0, 0])]
    )
    assert do("put", [with_vector]).notes == []
    bare = {"id": "b", "summary": "s", "chunks": [{"text": "one"}, {"text": "two"}]}
    refused = {"id": "c", "chunks": [{"text": "x"}], "clearance": 9}
    report = do("put", [bare, refused])
    assert (report.added, report.failed, report.without_vector) == (1, 1, 3)
    (note,) = report.notes
    assert note.startswith("3 texts (chunks, summaries) stored without an embedding: no search finds them.")
    assert do("put", [bare]).notes == []  # unchanged
    for place in ("summaries", "chunks"):
        hits = do("search", embedding=[1, 0, 0, 0], search_in=place)
        assert {hit.document_id for hit in hits} == {"a"}
