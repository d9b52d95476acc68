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


def links(connection: Connection, function: str, *arguments: Any) -> list[tuple[int, str, str]] | None:
    """What a look at relationships gives, in order of place, type and id; None for none but NULL."""
    holders = ", ".join(["%s"] * len(arguments))
    (found,) = connection.execute(
        f"SELECT places, types, documents FROM docgraph.{function}('default', {holders})".encode(), arguments
    ).fetchall()
    if None in found:
        assert found == (None, None, None)
        return None
    return sorted(zip(*found, strict=True))


def leading_nowhere(visible: list[int]) -> list[tuple[list[int], list[str], list[str] | None]]:
    """Classes, seeds and types of which one lets nothing through."""
    return [([], ["a"], None), (visible, [], None), (visible, ["nowhere", "h"], None), (visible, ["a"], [])]


def test_all_links(undone: Connection, classes: dict[str, int]) -> None:
    """Of a seed that leads to more than so many, of whatever class and type, nothing is said."""
    put_relationship(undone, "a", "h", "explains")
    both = [classes["open"], classes["hidden"]]
    look = "all_links"
    a = [(1, "explains", "h"), (1, "references", "b"), (1, "references", "h")]
    assert links(undone, look, both, ["a"], None, 3) == a
    assert links(undone, look, both, ["b", "a"], None, 3) == [
        (1, "references", "h"),
        (2, "explains", "h"),
        (2, "references", "h"),
    ]
    assert links(undone, look, both[:1], ["a"], None, 3) == [(1, "references", "b")]
    assert links(undone, look, both, ["a"], ["explains", "other"], 3) == a[:1]
    for asked in leading_nowhere(both):
        assert links(undone, look, *asked, 3) == []
    for seeds in (["a"], ["b", "a"], ["b", "h", "a"]):
        assert links(undone, look, both, seeds, None, 2) is None
    for visible in ([], both[:1]):
        assert links(undone, look, visible, ["a"], None, 2) is None
    assert links(undone, look, both, ["a"], ["explains"], 2) is None
    assert links(undone, look, both, ["h"], None, 0) == []
    assert links(undone, look, both, ["b"], None, 0) is None
    assert links(undone, look, both, [], None, 0) == []


def test_first_links(undone: Connection, classes: dict[str, int]) -> None:
    """The first documents of each seed, and of all; of those every relationship that is asked for."""
    put_relationship(undone, "a", "h", "explains")
    both = [classes["open"], classes["hidden"]]
    look = "first_links"
    h, b = [(1, "explains", "h"), (1, "references", "h")], (1, "references", "b")
    assert links(undone, look, both, ["a"], None, 9, 9) == sorted([*h, b])
    assert links(undone, look, both, ["a"], None, 1, 9) == h
    assert links(undone, look, both, ["a"], None, 9, 1) == h
    assert links(undone, look, both, ["a"], ["references"], 1, 9) == [b]
    assert links(undone, look, both, ["a", "b"], None, 1, 1) == [*h, (2, "references", "h")]
    assert links(undone, look, both[:1], ["a"], None, 9, 9) == [b]
    truncated = "truncated FROM docgraph.first_links('default', %s, %s, NULL, %s, %s)"
    for per_seed, total, expected in (
        (2, 2, []),
        (1, 2, ["expanded_per_seed"]),
        (2, 1, ["documents"]),
        (1, 0, ["documents", "expanded_per_seed"]),
        (0, 0, ["expanded_per_seed"]),
    ):
        assert value(undone, truncated, both, ["a"], per_seed, total) == expected
    for asked in leading_nowhere(both):
        assert links(undone, look, *asked, 9, 9) == []


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


@pytest.mark.parametrize("per_seed", [9, 3])
@pytest.mark.parametrize(
    ("total", "truncated"), [(0, ["documents"]), (1, ["documents"]), (2, ["documents"]), (3, []), (4, [])]
)
def test_expand_once_gives_lists_of_one_length(
    undone: Connection, classes: dict[str, int], per_seed: int, total: int, truncated: list[str]
) -> None:
    """By either look: a leads to more than three documents, of which three can be seen."""
    for number in range(2):
        put_document(undone, f"c{number}")
        put_relationship(undone, "a", f"c{number}", "explains")
    step = "row_to_json(e) FROM docgraph.expand_once('default', %s, '{a,b}', NULL, %s, %s) AS e"
    both = [classes["open"], classes["hidden"]]
    found = value(undone, step, both, per_seed, total)
    ids = ["c0", "c1", "h"]
    assert found["ids"] == [each["document_id"] for each in found["documents"]] == ids[:total]
    assert [each.split()[1] for each in found["reasons"]] == ["explains", "explains", "references"][:total]
    assert found["truncated"] == truncated


def test_dominant_scope_of_nothing(undone: Connection) -> None:
    for scope in ("none", "ingestion", "doc_type", "cluster"):
        assert value(undone, "docgraph.dominant_scope('default', '{}', '{}', %s, 0.35)", scope) == []


@pytest.mark.parametrize("space", [True, False])
def test_plan_origin(undone: Connection, space: bool) -> None:
    """With or without an embedding space; where nothing was searched it says so."""
    if not space:
        undone.execute("DELETE FROM docgraph.embedding_space")
    revision = value(undone, "docgraph.revision()")
    expected = {"model": "test-model", "dimensions": 4, "metric": "cosine"} if space else None
    assert value(undone, "docgraph.plan_origin('ids', 'chunks', 'approximate', 60, true)") == {
        "mode": "ids",
        "search_in": None,
        "method": "exact",
        "embedding_space": None,
        "revision": revision,
    }
    assert value(undone, "docgraph.plan_origin('semantic', 'chunks', 'approximate', 60, false)") == {
        "mode": "semantic",
        "search_in": "chunks",
        "method": "approximate",
        "embedding_space": expected,
        "revision": revision,
    }
