"""Moving to another model: the same documents with other vectors, and nothing lost on the way."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from docgraph.access import Access
from docgraph.client import DocGraph
from docgraph.documents import Chunk, Document, Link
from docgraph.errors import EmbeddingSpaceInUse, ReembeddingIncomplete
from docgraph.ingest import reembedding
from docgraph.verify import verify
from tests.conftest import Installed
from tests.ingest.conftest import Do
from tests.ingest.embedders import WordEmbedder
from tests.ingest.rows import Row, stored

_VECTORS = {"document_nodes", "vector_chunks"}

OLD = WordEmbedder()
COUNT = 30


def _document(number: int, words: str = "about harbours") -> Document:
    texts = [f"piece {number} {words}", f"second piece {number}"]
    return Document(
        id=f"d{number:02}",
        title=f"Document {number}",
        summary=f"summary {number}",
        summary_embedding=OLD.embed_query(f"summary {number}"),
        # One in ten has a chunk without a vector, and keeps it so.
        chunks=[
            Chunk(text, 3, None if number % 10 == 9 and text == texts[1] else OLD.embed_query(text))
            for text in texts
        ],
        links=[Link("references", f"d{(number + 1) % COUNT:02}", "the next one")],
        labels=["secret"] if number % 5 == 0 else [],
    )


TEXTS = COUNT * 3 - COUNT // 10
SEEING = Access(labels=["secret"])


@pytest.fixture
def filled(client: DocGraph) -> DocGraph:
    client.put([_document(number) for number in range(COUNT)], access=SEEING)
    return client


def _without_vectors(conninfo: str) -> dict[str, list[Row]]:
    return {
        table: sorted((row[:-1] for row in rows), key=repr) if table in _VECTORS else rows
        for table, rows in stored(conninfo).items()
    }


def _vectors(conninfo: str) -> dict[tuple[str, int], str | None]:
    return {(row[1], row[2]): row[-1] for row in stored(conninfo)["vector_chunks"]}


def test_everything_but_the_vectors_stays(do: Do, database: Installed, filled: DocGraph) -> None:
    before = _without_vectors(database.conninfo)
    new = WordEmbedder("other-model", 6)
    seen: list[int] = []
    assert do("reembed", new, progress=seen.append) == TEXTS
    assert seen[-1] == TEXTS
    assert _without_vectors(database.conninfo) == before
    space = do("embedding_space")
    assert (space.model, space.dimensions, space.metric) == ("other-model", 6, "cosine")


def test_the_vectors_are_those_that_the_new_model_would_have_given(
    do: Do, database: Installed, filled: DocGraph
) -> None:
    do("reembed", WordEmbedder("other-model", 6))
    after = _vectors(database.conninfo)
    assert {place for place, vector in after.items() if vector is None} == {
        (f"d{number:02}", 1) for number in range(9, COUNT, 10)
    }
    # Put anew with the new model the same vectors stand there.
    new = WordEmbedder("other-model", 6)
    again = Document(
        id="again",
        title="Document 3",
        chunks=[Chunk("piece 3 about harbours", 3, new.embed_query("Document 3\npiece 3 about harbours"))],
    )
    do("put", [again], model="other-model")
    assert _vectors(database.conninfo)["again", 0] == after["d03", 0]


def test_the_schema_is_as_it_should_be_afterwards(do: Do, filled: DocGraph) -> None:
    do("reembed", WordEmbedder("other-model", 6), metric="l2")
    assert list(verify(filled.database)) == []


def test_the_same_space_again_is_nothing_to_do(do: Do, database: Installed, filled: DocGraph) -> None:
    before = stored(database.conninfo)
    same = WordEmbedder()
    assert do("reembed", same) == 0
    assert same.texts == []
    assert stored(database.conninfo) == before


class Watching(WordEmbedder):
    """Before each batch it looks, as a reader and a writer of the old space do."""

    def __init__(self, conninfo: str) -> None:
        super().__init__("other-model", 6)
        self.conninfo = conninfo
        self.looked = 0

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        with DocGraph(self.conninfo) as other:
            space = other.embedding_space()
            assert space
            assert space.model == "test-model"
            assert other.get_document("d01")
            assert other.put([_document(1)], model="test-model").unchanged == 1
            with other.database.connection() as connection:
                nearest = connection.execute(
                    "SELECT document_id FROM docgraph.vector_chunks WHERE embedding IS NOT NULL "
                    "ORDER BY embedding <=> %s::text::halfvec, document_id LIMIT 1",
                    [str(OLD.embed_query("piece 7 about harbours"))],
                ).fetchone()
            assert nearest == ("d07",)
        self.looked += 1
        return super().embed_documents(texts)


def test_the_old_space_serves_until_the_switch(do: Do, database: Installed, filled: DocGraph) -> None:
    embedder = Watching(database.conninfo)
    assert do("reembed", embedder) == TEXTS
    assert embedder.looked


def test_interrupted_and_resumed(
    do: Do, database: Installed, filled: DocGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reembedding, "_PAGE", 10)
    before = stored(database.conninfo)
    failing = WordEmbedder("other-model", 6, fail_after=35)
    with pytest.raises(ConnectionError, match="the model is gone"):
        do("reembed", failing)
    assert len(failing.texts) == 30
    assert stored(database.conninfo) == before, "nothing is seen of it"
    resumed = WordEmbedder("other-model", 6)
    assert do("reembed", resumed) == TEXTS - 30
    assert sorted(failing.texts + resumed.texts) == sorted(set(failing.texts) | set(resumed.texts))
    assert len(resumed.texts) == TEXTS - 30, "what was made is not made again"


class Changing(WordEmbedder):
    """While it works, somebody changes a document that it has done, and adds another."""

    def __init__(self, conninfo: str) -> None:
        super().__init__("other-model", 6)
        self.conninfo = conninfo

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        if len(self.texts) == 40:
            with DocGraph(self.conninfo) as other:
                other.put([_document(1, "about lighthouses"), _document(77)])
                other.delete_documents(["d02"])
        return super().embed_documents(texts)


def test_texts_that_change_meanwhile(
    do: Do, database: Installed, filled: DocGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reembedding, "_PAGE", 10)
    embedder = Changing(database.conninfo)
    do("reembed", embedder)
    assert any("lighthouses" in text for text in embedder.texts)
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT count(*), count(*) FILTER (WHERE embedding IS NULL) FROM docgraph.vector_chunks"
        ).fetchone()
        # Each vector is that of the text which stands beside it now.
        text = "Document 1\npiece 1 about lighthouses"
        alike = connection.execute(
            "SELECT embedding <=> %s::text::halfvec < 0.0001 FROM docgraph.vector_chunks "
            "WHERE document_id = 'd01' AND ordinal = 0",
            [str(embedder.embed_query(text))],
        ).fetchone()
    assert rows == ((COUNT - 1 + 1) * 2, COUNT // 10)
    assert alike == (True,)


def test_a_hidden_tenant_is_not_left_behind(do: Do, database: Installed, filled: DocGraph) -> None:
    """Of a tenant that the login may not see whole nothing is told, and nothing lost."""
    login = "elsewhere_writer"
    database.reader(login, "hidden")
    with database.connect() as connection:
        connection.execute(f"GRANT docgraph_writer TO {login}")
    with database.connect(login) as connection, DocGraph(connection, tenant="hidden") as elsewhere:
        elsewhere.put([_document(1)])
    before = stored(database.conninfo)
    with pytest.raises(ReembeddingIncomplete, match="not every text has a vector"):
        do("reembed", WordEmbedder("other-model", 6))
    assert stored(database.conninfo) == before
    database.grant("postgres", "hidden")
    assert do("reembed", WordEmbedder("other-model", 6)) == 3, "only what was missing"


def test_writers_with_the_old_model_are_refused_afterwards(do: Do, filled: DocGraph) -> None:
    do("reembed", WordEmbedder("other-model", 6))
    with pytest.raises(EmbeddingSpaceInUse, match=r'"test-model".*"other-model"'):
        do("put", [_document(50)], model="test-model")


def test_a_writer_in_the_moment_of_the_switch(do: Do, database: Installed, filled: DocGraph) -> None:
    """Whatever he brings is either moved with the rest or refused; never is a vector of two kinds stored."""
    outcomes: list[str] = []
    stop = threading.Event()

    def write() -> None:
        with DocGraph(database.conninfo) as writer:
            for number in range(100, 100_000):
                try:
                    writer.put_documents([_document(number)], model="test-model", access=SEEING)
                    outcomes.append("stored")
                except EmbeddingSpaceInUse:
                    outcomes.append("refused")
                    return
                # Who never pauses would be ahead in every round.
                if stop.wait(0.1):
                    return

    thread = threading.Thread(target=write)
    thread.start()
    try:
        do("reembed", WordEmbedder("other-model", 6))
    finally:
        # The writer is refused at the latest now.
        thread.join(20)
        stop.set()
        thread.join()
    assert outcomes[-1] == "refused"
    with database.connect() as connection:
        sizes = connection.execute(
            "SELECT DISTINCT vector_dims(embedding::vector) FROM docgraph.vector_chunks "
            "WHERE embedding IS NOT NULL"
        ).fetchall()
    assert sizes == [(6,)]
