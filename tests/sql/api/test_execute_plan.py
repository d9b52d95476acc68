"""execute_plan: which chunks of planned documents become evidence, in which order, and with which score."""

from __future__ import annotations

import itertools
import json
from decimal import Decimal
from typing import Any

import pytest

from docgraph import calls
from tests.sql.api.evidenced import Evidence, chosen, document, evidence, put_library
from tests.sql.asking import Connection, ask
from tests.sql.planning import NORTH, plan
from tests.sql.writing import put, relate

TIES = ["B", "Z", "a", "é"]
"""Ids that collations would order otherwise than their bytes do."""


def test_a_row_says_where_it_is_from_and_why(undone: Connection) -> None:
    first = document("a.md", 1, 3, tokens=7)
    first["chunks"][0] |= {"section_path": ["One", "Two"], "start": 5, "end": 9}
    made = put_library(undone, [first], [document("b.md", 2)])
    seed, expanded = ("similarity", "seed 1, given", 0), ("similarity", "a.md explains this", 0)
    assert evidence(undone, made) == [
        Evidence(1, "a.md", "seed", 0, "a.md/0", 7, ["One", "Two"], 0.99995, 1, *seed),
        Evidence(1, "a.md", "seed", 1, "a.md/1", 7, [], 0.99955, 3, *seed),
        Evidence(2, "b.md", "expanded", 0, "b.md/0", 1, [], 0.9998, 2, *expanded),
    ]


def test_why_names_every_seed_and_relation_that_leads_there(undone: Connection) -> None:
    put(undone, *(document(name, steps) for steps, name in enumerate("abx")))
    relate(undone, ("b", "cites", "x"), ("a", "explains", "x"), ("a", "cites", "x"))
    put(undone, document("found", 1, summary_embedding=NORTH))
    made = plan(undone, seeds=["b", "a"], query_embedding=NORTH, seed_limit=1)
    assert {row.document_id: row.why for row in evidence(undone, made)} == {
        "b": "seed 1, given",
        "a": "seed 2, given",
        "found": "seed 3, found by search",
        "x": "b cites this; a cites this; a explains this",
    }


def test_the_order_is_that_of_the_plan_then_distance_then_chunk(undone: Connection) -> None:
    made = put_library(
        undone, [document("z", 9, 8, 9), document("a", 1, 1, 0)], [document("m", 2), document("b", 3)]
    )
    rows = evidence(undone, made, max_chunks=100)
    assert [(row.position, row.document_id, row.chunk) for row in rows] == [
        *((1, "z", 1), (1, "z", 0), (1, "z", 2)),
        *((2, "a", 2), (2, "a", 0), (2, "a", 1)),
        *((3, "b", 0), (4, "m", 0)),
    ]


class TestChoice:
    def test_the_nearest_of_all_documents_where_nothing_was_expanded(self, undone: Connection) -> None:
        """The reserve is for nobody then; of one document as many as per_document allows."""
        made = put_library(undone, [document("a", 1, 2, 3, 4, 9), document("b", 5, 6, 7, 8)])
        assert chosen(undone, made, max_chunks=5) == ["a/0", "a/1", "a/2", "b/0", "b/1"]
        assert chosen(undone, made, max_chunks=5, reserve=1) == ["a/0", "a/1", "a/2", "b/0", "b/1"]
        assert {row.chosen_by for row in evidence(undone, made, reserve=1)} == {"similarity"}
        assert chosen(undone, made, per_document=1) == ["a/0", "b/0"]
        assert chosen(undone, made, per_document=100) == [f"a/{n}" for n in range(4)] + [
            *(f"b/{n}" for n in range(4)),
            "a/4",
        ]

    @pytest.mark.parametrize(
        ("reserve", "expected"),
        [
            ("0", "s0 s1 s2 s3 s4 s5"),
            ("0.1", "s0 s1 s2 s3 s4 s5"),
            ("0.2", "s0 s1 s2 s3 x0 s4"),
            ("0.4", "s0 s1 x0 s2 y0 s3"),
            ("0.5", "s0 x0 s1 y0 s2 x1"),
            ("0.99", "s0 x0 y0 x1 y1 s1"),
            ("1", "x0 y0 x1 y1 s0 s1"),
        ],
    )
    def test_the_reserve_goes_to_what_was_expanded_one_each_before_any_gets_a_second(
        self, undone: Connection, reserve: str, expected: str
    ) -> None:
        """x and y are farther than every chunk of the seed; x is nearer than y with both of its chunks."""
        made = put_library(undone, [document("s", *range(6))], [document("x", 20, 21), document("y", 30, 40)])
        asked: dict[str, Any] = {"per_document": 6, "max_chunks": 6, "reserve": Decimal(reserve)}
        rows = sorted(evidence(undone, made, **asked), key=lambda row: row.chosen)
        assert " ".join(f"{row.document_id}{row.chunk}" for row in rows) == expected
        assert {row.chosen_by for row in rows if row.role == "expanded"} <= {"reserve"}
        assert {row.chosen_by for row in rows if row.role == "seed"} == {"similarity"}

    def test_what_is_near_by_itself_takes_no_place_of_others(self, undone: Connection) -> None:
        """x/0 is the nearest of all. Where the reserve's turn comes it has been chosen: the place is free."""
        made = put_library(undone, [document("s", 1, 2, 3)], [document("x", 0, 50)])
        rows = sorted(evidence(undone, made, max_chunks=4), key=lambda row: row.chosen)
        assert [(f"{row.document_id}{row.chunk}", row.chosen_by) for row in rows] == [
            ("x0", "similarity"),
            ("s0", "similarity"),
            ("s1", "similarity"),
            ("s2", "similarity"),
        ]
        rows = evidence(undone, made, max_chunks=5)
        assert [row.chosen_by for row in rows if row.text == "x/1"] == ["reserve"]

    def test_a_share_is_exact_however_it_is_written(self, undone: Connection) -> None:
        """0.1 * 10 is 1, and 0.7 * 10 is 7, as in decimal arithmetic."""
        made = put_library(undone, [document("s", *range(20))], [document("x", *range(30, 50))])
        for reserve, places in (("0.1", 1), ("0.7", 7), ("0.70", 7), ("0.3333333333", 3)):
            rows = evidence(undone, made, per_document=20, reserve=Decimal(reserve))
            assert len([row for row in rows if row.chosen_by == "reserve"]) == places

    @pytest.mark.parametrize("reserve", [0, Decimal("0.25"), Decimal("0.4"), 1])
    def test_what_is_chosen_under_a_smaller_limit_is_the_beginning_of_more(
        self, undone: Connection, reserve: Any
    ) -> None:
        made = put_library(
            undone,
            [document("s", 0, 4, 5), document("t", 9, 8)],
            [document("x", 1, 20, 21), document("y", 30, 2)],
        )
        most = chosen(undone, made, max_chunks=1000, reserve=reserve)
        assert len(most) == 10
        for limit in range(len(most)):
            assert chosen(undone, made, max_chunks=limit, reserve=reserve) == most[:limit]

    def test_equal_distances_are_ordered_by_the_bytes_of_the_id_then_chunk(self, undone: Connection) -> None:
        made = put_library(undone, [document(name, 5, 5, 5) for name in reversed(TIES)])
        expected = [f"{name}/{chunk}" for name in TIES for chunk in (0, 1)]
        assert chosen(undone, made, per_document=2) == expected
        for limit in range(9):
            assert chosen(undone, made, per_document=2, max_chunks=limit) == expected[:limit]

    def test_equal_distances_in_the_reserve(self, undone: Connection) -> None:
        made = put_library(undone, [document("s", 0)], [document(name, 5, 5) for name in TIES])
        one_each = [f"{name}/0" for name in TIES] + [f"{name}/1" for name in TIES]
        assert chosen(undone, made, reserve=1) == [*one_each, "s/0"]


class TestLimits:
    def test_no_chunk_at_all(self, undone: Connection) -> None:
        made = put_library(undone, [document("a", 1)], [document("b", 1)])
        assert evidence(undone, made, max_chunks=0) == []

    def test_the_highest(self, undone: Connection) -> None:
        """1,000 chunks, 100 of each of ten documents; there are more of both."""
        made = put_library(undone, [document(f"d{n:02}", *[1] * 101) for n in range(11)])
        rows = evidence(undone, made, max_chunks=1000, per_document=100)
        assert len(rows) == 1000
        assert {len(list(group)) for _, group in itertools.groupby(rows, lambda row: row.position)} == {100}
        assert rows[-1].document_id == "d09"

    def test_usual_ones(self, undone: Connection) -> None:
        """Ten, three of each document, four tenths for what was expanded."""
        seeds = [document(name, *range(9)) for name in "abc"]
        made = put_library(undone, seeds, [document(f"x{n}", 50, 51) for n in range(9)])
        usual = evidence(undone, made)
        assert usual == evidence(undone, made, max_chunks=10, per_document=3, reserve=Decimal("0.4"))
        assert usual == evidence(undone, made, selection="similarity")
        assert [row.text for row in usual if row.role == "seed"] == [
            f"{a}/{n}" for a in "abc" for n in (0, 1)
        ]
        assert [row.text for row in usual if row.chosen_by == "reserve"] == [f"x{n}/0" for n in range(4)]


class TestWhatIsMissing:
    def test_chunks_without_a_vector_are_no_evidence(self, undone: Connection) -> None:
        made = put_library(undone, [document("a", None, 7, None)], [document("b", None)])
        assert chosen(undone, made) == ["a/1"]

    def test_documents_without_chunks(self, undone: Connection) -> None:
        made = put_library(undone, [{"id": "a"}, document("b", 1)], [{"id": "c"}])
        assert [(row.position, row.missing) for row in evidence(undone, made)] == [(2, 0)]

    def test_an_empty_plan(self, undone: Connection) -> None:
        put(undone, document("a", 0))
        assert evidence(undone, plan(undone, seeds=[])) == []


@pytest.mark.parametrize(
    ("metric", "scores"),
    [("cosine", [1.0, 0.8, 0.0, -1.0]), ("ip", [8.0, 2.0, 0.0, -2.0]), ("l2", [0.0, -2.236068, -6.0, -8.0])],
)
def test_scores_of_every_metric(undone: Connection, metric: str, scores: list[float]) -> None:
    """More is nearer: for l2 it is minus the distance."""
    undone.execute("DELETE FROM docgraph.embedding_space")
    ask(undone, calls.CONFIGURE_EMBEDDING_SPACE, model="m", dimensions=4, metric=metric)
    vectors = {
        "cosine": [[2, 0, 0, 0], [4, 3, 0, 0], [0, 3, 0, 0], [-1, 0, 0, 0]],
        "ip": [[4, 0, 0, 0], [1, 9, 0, 0], [0, 3, 0, 0], [-1, 0, 0, 0]],
        "l2": [[2, 0, 0, 0], [4, 1, 0, 0], [2, 6, 0, 0], [-6, 0, 0, 0]],
    }[metric]
    chunks = [{"text": str(n), "token_count": 1, "embedding": vector} for n, vector in enumerate(vectors)]
    made = put_library(undone, [{"id": "a", "chunks": chunks[::-1]}])
    rows = evidence(undone, made, query_embedding=[2.0, 0.0, 0.0, 0.0], per_document=9)
    assert [row.text for row in rows] == ["0", "1", "2", "3"]
    assert [row.score for row in rows] == pytest.approx(scores, abs=2e-4)
    assert [row.score for row in rows] == [round(row.score, 6) for row in rows]
    assert [row.chosen for row in rows] == [1, 2, 3, 4]


def test_the_score_is_the_figure_of_the_order(undone: Connection) -> None:
    """Two vectors that differ by less than a millionth are equal: the chunk decides."""
    close = [{"text": "t", "token_count": 1, "embedding": [1.0, tiny, 0, 0]} for tiny in (0.0005, 0.0)]
    made = put_library(undone, [{"id": "a", "chunks": close}])
    assert [(row.chunk, row.score) for row in evidence(undone, made)] == [(0, 1.0), (1, 1.0)]


def test_an_array_may_begin_anywhere(undone: Connection) -> None:
    made = put_library(undone, [document("a", 3, 1)])
    statement = "SELECT chunk FROM docgraph.execute_plan('default', '{}', %s::jsonb, '[0:3]={1,0,0,0}')"
    rows = undone.execute(statement.encode(), (json.dumps(made),)).fetchall()
    assert rows == [(1,), (0,)]
