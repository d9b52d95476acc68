"""put_documents: chunks are replaced as little as will do, and vectors are kept where the text is."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from docgraph import calls
from docgraph.access import EmbeddingSpace
from docgraph.client import DocGraph
from tests.conftest import Installed
from tests.sql.asking import Connection, nothing_written, refusal
from tests.sql.writing import chunks, get, put, row_versions

A, B, C = [1, 0, 0, 0], [0, 1, 0, 0], [0.5, 0.5, 0.5, 0.5]
FROM_A, FROM_B, FROM_C = "[1,0,0,0]", "[0,1,0,0]", "[0.5,0.5,0.5,0.5]"


def doc(*found: Any, **more: Any) -> dict[str, Any]:
    """A document with these chunks: a text, or a text and what its embedding is."""
    each = [(c, None) if isinstance(c, str) else c for c in found]
    given = [{"text": t} | ({} if e is None else {"embedding": e}) for t, e in each]
    return {"id": "d", "chunks": given, **more}


def test_without_a_vector(undone: Connection) -> None:
    put(undone, doc("a", ("b", B)))
    assert chunks(undone, "d") == [("a", None), ("b", FROM_B)]


def test_a_vector_as_text_is_the_same_vector(undone: Connection) -> None:
    vector = [0.1, -0.2, 3, 4e-2]
    put(undone, doc(("a", vector), ("b", "[0.1,-0.2,3,4e-2]")))
    (_, found), (_, other) = chunks(undone, "d")
    assert found == other


REPLACED: dict[str, tuple[list[Any], list[Any]]] = {
    "fewer": (["a"], ["a"]),
    "none": ([], []),
    "more": (["a", "b", "c", "d"], ["a", "b", "c", "d"]),
    "in another order": (["c", "a", "b"], ["c", "a", "b"]),
    "one twice": (["b", "b", "b"], ["b", "b", "b"]),
    "one in the middle": (["a", "x", "b", "c"], ["a", "x", "b", "c"]),
}


@pytest.mark.parametrize("name", REPLACED)
def test_chunks_are_what_the_document_says_last(undone: Connection, name: str) -> None:
    given, expected = REPLACED[name]
    put(undone, doc("a", "b", "c"), {"id": "other", "chunks": [{"text": "o"}]})
    put(undone, doc(*given))
    found = get(undone, "d")["chunks"]
    assert [(c["ordinal"], c["text"]) for c in found] == list(enumerate(expected))
    assert chunks(undone, "other") == [("o", None)]


def test_keep_follows_the_text_wherever_it_moves(undone: Connection) -> None:
    put(undone, doc(("a", A), ("b", B), ("c", C)))
    put(undone, doc(("c", "keep"), ("new", A), ("a", "keep"), ("b", "keep"), ("b", "keep")))
    assert chunks(undone, "d") == [
        ("c", FROM_C),
        ("new", FROM_A),
        ("a", FROM_A),
        ("b", FROM_B),
        ("b", FROM_B),
    ]


def test_keep_is_bit_for_bit(undone: Connection) -> None:
    """Normalising once more could round once more."""
    vector = [0.1, 0.2, 0.30001, -0.7]
    put(undone, doc(("a", vector), summary="s", summary_embedding=vector))
    query = "SELECT embedding::text FROM docgraph.vector_chunks UNION ALL SELECT summary_embedding::text"
    query += " FROM docgraph.document_nodes"
    before = undone.execute(query.encode()).fetchall()
    for title in ("one", "two", "three"):
        put(undone, doc(("a", "keep"), summary="s", summary_embedding="keep", title=title))
    assert undone.execute(query.encode()).fetchall() == before
    assert before[0] == before[1]


def test_keep_knows_a_text_in_either_spelling(undone: Connection) -> None:
    put(undone, doc(("e\u0301", A), summary="e\u0301", summary_embedding=B))
    put(undone, doc(("é", "keep"), summary="é", summary_embedding="keep", title="t"))
    assert chunks(undone, "d") == [("é", FROM_A)]
    assert get(undone, "d")["summary_embedded"] is True


NOT_KEPT: dict[str, tuple[dict[str, Any], str]] = {
    "of a document that is not there": ({**doc(("a", "keep")), "id": "new"}, "chunks[0].embedding"),
    "of another text": (doc(("b", "keep"), ("A", "keep")), "chunks[1].embedding"),
    "of a text without a vector": (doc("a", ("plain", "keep")), "chunks[1].embedding"),
    "of the text of another document": (doc(("o", "keep")), "chunks[0].embedding"),
    "of another summary": (doc(summary="other", summary_embedding="keep"), "summary_embedding"),
    "of no summary": (doc(summary_embedding="keep"), "summary_embedding"),
}


@pytest.mark.parametrize("name", NOT_KEPT)
def test_keep_is_refused_where_there_is_nothing_to_keep(undone: Connection, name: str) -> None:
    document, place = NOT_KEPT[name]
    put(undone, doc(("a", A), ("b", B), "plain", summary="s", summary_embedding=A))
    put(undone, {"id": "other", "chunks": [{"text": "o", "embedding": A}]})
    with nothing_written(undone):
        error = refusal(
            undone, calls.PUT_DOCUMENTS, documents=json.dumps([{"id": "fine"}, {**document, "title": "t"}])
        )
    assert error.diag.sqlstate == "22023"
    assert error.diag.message_primary == (
        f'documents[1].{place} is "keep", but no vector of that text is stored'
    )
    assert error.diag.message_hint


def test_a_chunk_that_stays_is_not_written(undone: Connection) -> None:
    put(undone, doc(("a", A), ("b", B), ("c", C)))
    before = {row[2]: row[:2] for row in row_versions(undone)["vector_chunks"]}
    put(undone, doc(("a", A), ("x", B), ("c", "keep"), title="t"))
    after = {row[2]: row[:2] for row in row_versions(undone)["vector_chunks"]}
    same = [text for text in after if before.get(text) == after[text]]
    assert len(same) == 2


TOKENS = [("a", 1), ("abcd", 1), ("abcde", 2), ("é" * 4, 2), ("🦆" * 3, 3), ("x" * 4001, 1001)]


@pytest.mark.parametrize(("text", "expected"), TOKENS)
def test_tokens_that_nobody_counted_are_a_quarter_of_the_bytes(
    undone: Connection, text: str, expected: int
) -> None:
    put(undone, doc(text))
    assert get(undone, "d")["chunks"][0]["token_count"] == expected


def test_numbers_are_whole_however_they_are_written(undone: Connection) -> None:
    put(
        undone,
        documents_of('{"text": "a", "token_count": 7.0, "start": 0.0, "end": 1e2}'),
        {"id": "e", "clearance": 1.0},
        access={"clearance": 2.0},
    )
    (found,) = get(undone, "d")["chunks"]
    assert (found["token_count"], found["start"], found["end"]) == (7, 0, 100)
    put(undone, documents_of('{"text": "a", "token_count": 0, "start": 5, "end": 5}'))
    (found,) = get(undone, "d")["chunks"]
    assert (found["token_count"], found["start"], found["end"]) == (0, 5, 5)


def documents_of(chunk: str) -> dict[str, Any]:
    return {"id": "d", "chunks": [json.loads(chunk)]}


def norm(text: str) -> float:
    return math.sqrt(sum(value * value for value in json.loads(text)))


@pytest.mark.parametrize("vector", [[3, 4, 0, 0], [0.001, 0, 0, 0], [3e4, 3e4, 3e4, 3e4], [-1, 2, -3, 4]])
def test_cosine_vectors_are_stored_with_length_one(undone: Connection, vector: list[float]) -> None:
    put(undone, doc(("a", vector), summary="s", summary_embedding=vector))
    ((_, found),) = chunks(undone, "d")
    assert norm(found) == pytest.approx(1, abs=1e-3)
    ((summary,),) = undone.execute("SELECT summary_embedding::text FROM docgraph.document_nodes").fetchall()
    assert summary == found
    length = math.sqrt(sum(value * value for value in vector))
    assert json.loads(found) == pytest.approx([value / length for value in vector], abs=1e-3)


@pytest.mark.parametrize("metric", ["l2", "ip"])
def test_other_vectors_are_stored_as_they_are(database: Installed, metric: str) -> None:
    with DocGraph(database.conninfo) as client, database.connect() as superuser:
        client.configure_embedding_space(EmbeddingSpace("m", 2, metric, "simple", 10))
        put(superuser, doc(("a", [3, 4]), ("b", [60000, 0]), ("c", [0, 0.002]), ("d", [-0.5, 0.25])))
        assert [json.loads(found) for _, found in chunks(superuser, "d")] == [
            pytest.approx(expected, rel=1e-3) for expected in ([3, 4], [60000, 0], [0, 0.002], [-0.5, 0.25])
        ]


HALF_OUT = [[0.00099992, 0.00001296], [42426.4, 42426.4]]
"""Within the bounds as they come, beyond them in half precision."""


@pytest.mark.parametrize("vector", HALF_OUT)
def test_a_vector_that_rounding_carries_out_of_the_bounds(database: Installed, vector: list[float]) -> None:
    assert 0.001 <= math.hypot(*vector) <= 60000
    with DocGraph(database.conninfo) as client, database.connect() as superuser:
        client.configure_embedding_space(EmbeddingSpace("m", 2, "l2", "simple", 10))
        error = refusal(superuser, calls.PUT_DOCUMENTS, documents=json.dumps([doc(("a", vector))]))
        assert error.diag.sqlstate == "22023"
        assert str(error.diag.message_primary).startswith("documents[0].chunks[0].embedding must have")
        client.configure_embedding_space(EmbeddingSpace("m", 2, "cosine", "simple", 10))
        put(superuser, doc(("a", vector)))
