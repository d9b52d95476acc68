"""search_nodes: the nearest documents or chunks that may be seen, in one total order."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from docgraph import calls
from tests.conftest import Installed
from tests.properties.planner import distance, stored
from tests.sql.asking import Connection, ask, nothing_written, refusal
from tests.sql.planning import NORTH, found, hits
from tests.sql.writing import put

SAME = ["Z", "a", "A", "é", "e\u0301", "_", "a ", "\U0001f600", "aa"]
"""Ids that collations would order otherwise than their bytes do."""


def put_summaries(connection: Connection, vectors: Mapping[str, Sequence[float] | None]) -> None:
    put(connection, *({"id": each, "summary_embedding": v} for each, v in vectors.items() if v))
    put(connection, *({"id": each} for each, v in vectors.items() if not v))


def put_chunks(connection: Connection, vectors: Mapping[str, Sequence[Sequence[float] | None]]) -> None:
    put(
        connection,
        *(
            {
                "id": each,
                "chunks": [
                    {"text": f"{number}", **({"embedding": vector} if vector else {})}
                    for number, vector in enumerate(found)
                ],
            }
            for each, found in vectors.items()
        ),
    )


def test_documents_by_their_summary(undone: Connection) -> None:
    put_summaries(undone, {"far": [-1, 0, 0, 0], "near": [1, 0.1, 0, 0], "side": [0, 2, 0, 0]})
    put_chunks(undone, {"only chunks": [[1, 0, 0, 0]]})
    assert hits(undone) == [
        (1, "near", None, "exact"),
        (2, "side", None, "exact"),
        (3, "far", None, "exact"),
    ]


def test_chunks_by_theirs(undone: Connection) -> None:
    put_chunks(undone, {"a": [[0, 1, 0, 0], [1, 0, 0, 0]], "b": [[1, 1, 0, 0], None, [-1, 0, 0, 0]]})
    put_summaries(undone, {"only a summary": [1, 0, 0, 0]})
    assert hits(undone, search_in="chunks") == [
        (1, "a", 1, "exact"),
        (2, "b", 0, "exact"),
        (3, "a", 0, "exact"),
        (4, "b", 2, "exact"),
    ]
    assert hits(undone, search_in="chunks", max_nodes=2) == [(1, "a", 1, "exact"), (2, "b", 0, "exact")]


def test_what_has_no_embedding_is_not_found(undone: Connection) -> None:
    put_summaries(undone, {"with": [1, 0, 0, 0], "without": None})
    put_chunks(undone, {"chunks": [None, [1, 0, 0, 0]]})
    assert found(undone) == ["with"]
    assert hits(undone, search_in="chunks") == [(1, "chunks", 1, "exact")]


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_ties_are_in_order_of_the_bytes_of_the_id(undone: Connection, method: str) -> None:
    put_summaries(undone, {each: [1, 1, 0, 0] for each in SAME})
    assert found(undone, method=method) == sorted(SAME, key=str.encode)
    assert found(undone, method="exact", max_nodes=3) == sorted(SAME, key=str.encode)[:3]


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_ties_of_chunks_are_in_order_of_document_and_place(undone: Connection, method: str) -> None:
    put_chunks(undone, {each: [[1, 1, 0, 0]] * 12 for each in ("b", "B")})
    expected = [(each, number) for each in ("B", "b") for number in range(12)]
    rows = hits(undone, search_in="chunks", method=method, max_nodes=24)
    assert [row[1:3] for row in rows] == expected
    assert [row[0] for row in rows] == list(range(1, 25))


def test_distances_that_differ_by_less_than_a_millionth_are_ties(undone: Connection) -> None:
    put_summaries(undone, {"b": [1, 0, 0, 0], "a": [2000, 1, 0, 0], "c": [200, 1, 0, 0]})
    assert found(undone) == ["a", "b", "c"]


@pytest.mark.parametrize("search_in", ["summaries", "chunks"])
@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_limits(undone: Connection, search_in: str, method: str) -> None:
    for batch in range(2):
        put(
            undone,
            *(
                {
                    "id": f"{number:03}",
                    "summary_embedding": [1, number / 100, 0, 0],
                    "chunks": [{"text": "t", "embedding": [1, number / 100, 0, 0]}],
                }
                for number in range(batch * 101, batch * 101 + 101)
            ),
        )
    for most in (0, 1, 2, 200):
        rows = hits(undone, search_in=search_in, method=method, max_nodes=most)
        assert [row[0] for row in rows] == list(range(1, most + 1))
    assert len(hits(undone, search_in=search_in, method=method)) == 10
    assert found(undone, search_in=search_in, method="exact", max_nodes=3) == ["000", "001", "002"]


@pytest.mark.parametrize("search_in", ["summaries", "chunks"])
@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("cosine", ["long", "near", "side", "behind"]),
        ("l2", ["near", "side", "behind", "long"]),
        ("ip", ["long", "near", "side", "behind"]),
    ],
)
def test_metrics(undone: Connection, search_in: str, metric: str, expected: list[str]) -> None:
    """Inner product: the longer the nearer."""
    ask(undone, calls.CONFIGURE_EMBEDDING_SPACE, metric=metric, dimensions=4)
    vectors: dict[str, list[float]] = {
        "long": [9, 1, 0, 0],
        "near": [2, 0.5, 0, 0],
        "side": [0, 2, 0, 0],
        "behind": [-2, 0.5, 0, 0],
    }
    put_summaries(undone, vectors)
    put_chunks(undone, {f"chunk {each}": [vector] for each, vector in vectors.items()})
    names = expected if search_in == "summaries" else [f"chunk {each}" for each in expected]
    for method in ("exact", "approximate"):
        assert found(undone, search_in=search_in, method=method) == names


@pytest.mark.parametrize("query", [[0.001, 0.0, 0.0, 0.0], [59_999.0, 1.0, 0.0, 0.0]])
def test_for_cosine_only_the_direction_counts(undone: Connection, query: list[float]) -> None:
    put_summaries(undone, {"c": [1, 0.3, 0, 0], "b": [0.001, 0.0002, 0, 0], "a": [50_000, 7500, 0, 0]})
    assert found(undone, query_embedding=query) == ["a", "b", "c"]


@pytest.mark.parametrize("metric", ["cosine", "l2", "ip"])
def test_exact_is_what_comparing_everything_gives(undone: Connection, metric: str) -> None:
    """By the arithmetic of the stored vectors, done once more here."""
    drawn = random.Random(metric)
    ask(undone, calls.CONFIGURE_EMBEDDING_SPACE, metric=metric, dimensions=4)
    vectors = {f"d{number}": [drawn.uniform(-1, 1) for _ in range(4)] for number in range(100)}
    put_summaries(undone, vectors)
    for _ in range(10):
        query = [drawn.uniform(-1, 1) for _ in range(4)]
        expected = sorted(
            vectors,
            key=lambda each: (
                distance(stored(tuple(vectors[each]), metric), stored(tuple(query), metric), metric),
                each.encode(),
            ),
        )
        assert found(undone, query_embedding=query, max_nodes=30) == expected[:30]


HIDDEN: dict[str, dict[str, Any]] = {
    "tag": {"tags": ["law"]},
    "label": {"labels": ["secret"]},
    "clearance": {"clearance": 1},
    "another tenant": {},
}


@pytest.mark.parametrize("method", ["exact", "approximate"])
@pytest.mark.parametrize("search_in", ["summaries", "chunks"])
def test_what_is_hidden_is_never_found(undone: Connection, search_in: str, method: str) -> None:
    wide = {"tags": ["law"], "labels": ["secret"], "clearance": 1}
    parts = {"summary_embedding": NORTH, "chunks": [{"text": "t", "embedding": NORTH}]}
    ceiling = dict.fromkeys(("repositories", "snapshots", *wide))
    ask(undone, calls.GRANT_ACCESS, tenant="elsewhere", login=undone.info.user, **ceiling)
    put(undone, {"id": "seen", **parts})
    for why, attributes in HIDDEN.items():
        tenant = "elsewhere" if why == "another tenant" else "default"
        put(undone, {"id": why, **parts, **attributes}, access=wide, tenant=tenant)
    how = {"search_in": search_in, "method": method}
    assert found(undone, **how) == ["seen"]
    assert found(undone, access={"tags": ["law"]}, **how) == ["seen", "tag"]
    assert found(undone, access=wide, **how) == ["clearance", "label", "seen", "tag"]
    assert found(undone, tenant="elsewhere", **how) == ["another tenant"]


def test_before_an_embedding_space_is_configured(undone: Connection) -> None:
    undone.execute("DELETE FROM docgraph.embedding_space")
    error = refusal(undone, calls.SEARCH_NODES)
    assert error.diag.sqlstate == "KG003"
    assert error.diag.message_primary == "this database has no embedding space yet"
    assert "configure_embedding_space" in (error.diag.message_hint or "")


def test_without_a_ceiling(shared: Installed, boss: Connection) -> None:
    """In a tenant that is there, and in one that is not: the same words."""
    shared.reader("search_stranger", "elsewhere")
    with shared.connect("search_stranger") as connection, nothing_written(boss):
        said = set()
        for tenant in ("default", "nowhere"):
            error = refusal(connection, calls.SEARCH_NODES, tenant=tenant)
            assert error.diag.sqlstate == "42501"
            said.add((error.diag.message_primary, error.diag.message_hint))
        assert len(said) == 1
