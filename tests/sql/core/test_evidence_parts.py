"""The steps of execution by themselves, with arguments that the functions which call them never give."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sql.api.evidenced import BOARD, document
from tests.sql.asking import PLAN, Connection
from tests.sql.core.test_planning_parts import value
from tests.sql.writing import put

CHOSEN = """
SELECT positions, chunks, places, scores, chosen_by, unranked, over_document, over_all
FROM docgraph.choose_chunks(
    tenant => %(tenant)s, visible => %(visible)s::bigint[], plan => %(plan)s,
    documents => %(documents)s::text[], seeds => %(seeds)s, query => '[1,0,0,0]', metric => 'cosine',
    question => NULL, chunk_mode => 'semantic', rrf_k => 60,
    max_chunks => %(max_chunks)s, per_document => %(per_document)s, reserve => 0.5, selection => 'similarity'
)
"""
NOTHING: tuple[Any, ...] = ([], [], [], [], [], 0, 0, 0)


@pytest.fixture
def classes(undone: Connection) -> dict[str, list[int]]:
    """a and b are open, h is hidden."""
    put(undone, document("a", 0, 1), document("b", 2, None), document("h", 0, tags=["board"]), access=BOARD)
    found = "ARRAY(SELECT access_class FROM docgraph.access_classes WHERE tags = %s::text[])"
    return {"open": value(undone, found, []), "hidden": value(undone, found, ["board"])}


def chosen(connection: Connection, visible: list[int], documents: list[str], **more: Any) -> Any:
    usual = {"tenant": "default", "plan": PLAN, "seeds": 1, "max_chunks": 9, "per_document": 9}
    arguments = {**usual, "visible": visible, "documents": documents, **more}
    return connection.execute(CHOSEN.encode(), arguments).fetchone()


def test_what_is_chosen(undone: Connection, classes: dict[str, list[int]]) -> None:
    both = classes["open"] + classes["hidden"]
    assert chosen(undone, both, ["a", "b", "h"]) == (
        [1, 3, 1, 2],
        [0, 0, 1, 0],
        [1, 2, 3, 4],
        [1.0, 1.0, 0.99995, 0.9998],
        ["similarity", "reserve", "similarity", "reserve"],
        1,
        0,
        0,
    )
    assert chosen(undone, classes["open"], ["h", "b", "nowhere", "a"])[:2] == ([4, 4, 2], [0, 1, 0])
    assert chosen(undone, classes["hidden"], ["a", "b", "h"])[:2] == ([3], [0])


def test_where_there_is_nothing_to_choose(undone: Connection, classes: dict[str, list[int]]) -> None:
    assert chosen(undone, [], ["a", "b", "h"]) == NOTHING
    assert chosen(undone, classes["open"], []) == NOTHING
    assert chosen(undone, classes["open"], ["a"], tenant="elsewhere") == NOTHING
    assert chosen(undone, classes["open"], ["h", "nowhere"]) == NOTHING


def test_what_is_left_out_is_counted(undone: Connection, classes: dict[str, list[int]]) -> None:
    """Of what the call may see, and what has a vector."""
    both = classes["open"] + classes["hidden"]
    for most, over in ((0, 4), (1, 3), (4, 0), (9, 0)):
        assert chosen(undone, both, ["a", "b", "h"], max_chunks=most)[5:] == (1, 0, over)
    assert chosen(undone, both, ["a", "b", "h"], per_document=1)[5:] == (1, 1, 0)
    assert chosen(undone, classes["open"], ["a", "b", "h"], per_document=1, max_chunks=1)[5:] == (1, 1, 1)


@pytest.mark.parametrize(
    ("positions", "places", "seeds", "most", "reserve", "turns", "chosen_by"),
    [
        ([], [], 0, 9, "0.5", [], ""),
        ([1, 1, 2], [1, 2, 1], 1, 0, "0.4", [], ""),
        ([1, 1, 2], [1, 2, 1], 1, 9, "0", [1, 2, 3], "sss"),
        ([1, 1, 2], [1, 2, 1], 1, 9, "0.5", [1, 3, 2], "srs"),
        ([1, 1, 2], [1, 2, 1], 1, 9, "1", [3, 1, 2], "rss"),
        ([1, 1, 2], [1, 2, 1], 0, 9, "1", [1, 3, 2], "rrr"),
        ([1, 1, 2], [1, 2, 1], 2, 9, "1", [1, 2, 3], "sss"),
        ([2, 1, 2, 3], [1, 1, 2, 1], 1, 9, "0.5", [1, 2, 3, 4], "sssr"),
        ([1, 2, 2, 3], [1, 1, 2, 1], 1, 3, "1", [2, 4, 3], "rrr"),
    ],
)
def test_order_by_similarity(
    boss: Connection,
    positions: list[int],
    places: list[int],
    seeds: int,
    most: int,
    reserve: str,
    turns: list[int],
    chosen_by: str,
) -> None:
    row = boss.execute(
        "SELECT turns, chosen_by FROM docgraph.order_by_similarity("
        "%s::integer[], %s::integer[], %s, %s, %s::numeric)",
        (positions, places, seeds, most, reserve),
    ).fetchone()
    assert row == (turns, [{"s": "similarity", "r": "reserve"}[each] for each in chosen_by])
