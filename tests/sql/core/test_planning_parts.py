"""The steps of planning by themselves, with arguments that the functions which call them never give."""

from __future__ import annotations

from typing import Any

import pytest

from tests.documents import put_class, put_document, put_relationship
from tests.sql.asking import Connection


@pytest.fixture
def classes(undone: Connection) -> dict[str, int]:
    """a and b are open, h is hidden; a leads to both, b to h."""
    put_document(undone, "a")
    put_document(undone, "b", embedding=None)
    put_document(undone, "h", embedding="[0,1,0,0]", tags=("board",))
    for origin, target in (("a", "b"), ("a", "h"), ("b", "h")):
        put_relationship(undone, origin, target)
    return {"open": put_class(undone), "hidden": put_class(undone, tags=("board",))}


def value(connection: Connection, expression: str, *arguments: Any) -> Any:
    row = connection.execute(f"SELECT {expression}".encode(), arguments).fetchone()
    assert row is not None
    return row[0]


def test_visible_among(undone: Connection, classes: dict[str, int]) -> None:
    among = "docgraph.visible_among('default', %s::bigint[], %s::text[])"
    both = [classes["open"], classes["hidden"]]
    assert value(undone, among, both, ["h", "b", "nowhere", "a", "h"]) == ["h", "b", "a"]
    assert value(undone, among, both[:1], ["h", "b", "a"]) == ["b", "a"]
    assert value(undone, among, [], ["a"]) == []
    assert value(undone, among, both, []) == []
    assert value(undone, "docgraph.visible_among('elsewhere', %s, '{a}')", both) == []


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_nearest(undone: Connection, classes: dict[str, int], method: str) -> None:
    """Only what has a vector, of the classes given; without classes nothing."""
    near = "docgraph.nearest_documents('default', %s, '[1,0,0,0]', 'cosine', 'chunks', %s, %s, %s)"
    both = [classes["hidden"], classes["open"]]
    assert value(undone, near, both, method, 9, []) == ["a", "h"]
    assert value(undone, near, both, method, 9, ["a"]) == ["h"]
    assert value(undone, near, both, method, 1, []) == ["a"]
    assert value(undone, near, both, method, 0, []) == []
    assert value(undone, near, both[1:], method, 9, []) == ["a"]
    assert value(undone, near, [], method, 9, []) == []


def test_expand_once(undone: Connection, classes: dict[str, int]) -> None:
    step = "array_agg(d ->> 'document_id') FROM docgraph.expand_once('default', %s, %s, NULL, %s, %s) AS e,"
    step += " jsonb_array_elements(e.documents) AS d"
    both = [classes["open"], classes["hidden"]]
    assert value(undone, step, both, ["a"], 10, 10) == ["b", "h"]
    assert value(undone, step, both, ["a", "b"], 10, 10) == ["h"]
    assert value(undone, step, both[:1], ["a"], 10, 10) == ["b"]
    for visible, seeds, per_seed, total in (
        ([], ["a"], 9, 9),
        (both, [], 9, 9),
        (both, ["a"], 0, 9),
        (both, ["a"], 9, 0),
    ):
        assert value(undone, step, visible, seeds, per_seed, total) is None


def test_dominant_scope_of_nothing(undone: Connection) -> None:
    for scope in ("none", "ingestion", "doc_type", "cluster"):
        assert value(undone, "docgraph.dominant_scope('default', '{}', %s, 0.35)", scope) == []


@pytest.mark.parametrize("space", [True, False])
def test_plan_origin(undone: Connection, space: bool) -> None:
    """With or without an embedding space; where nothing was searched it says so."""
    if not space:
        undone.execute("DELETE FROM docgraph.embedding_space")
    revision = value(undone, "docgraph.revision()")
    expected = {"model": "test-model", "dimensions": 4, "metric": "cosine"} if space else None
    assert value(undone, "docgraph.plan_origin('ids', 'chunks', 'approximate')") == {
        "mode": "ids",
        "search_in": None,
        "method": "exact",
        "embedding_space": None,
        "revision": revision,
    }
    assert value(undone, "docgraph.plan_origin('semantic', 'chunks', 'approximate')") == {
        "mode": "semantic",
        "search_in": "chunks",
        "method": "approximate",
        "embedding_space": expected,
        "revision": revision,
    }
