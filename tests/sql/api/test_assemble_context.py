"""assemble_context: what documents are about, then evidence, within a budget; and the bill."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.sql.api.evidenced import (
    BOARD,
    Piece,
    document,
    executed,
    pieces,
    put_library,
    written,
)
from tests.sql.asking import Connection
from tests.sql.planning import Plan, plan
from tests.sql.writing import put

NONE_LEFT_OUT = dict.fromkeys(
    ("unranked", "per_document", "max_chunks", "evidence_budget", "conceptual_budget"), 0
)


def said(rows: list[Piece]) -> list[str]:
    """The texts of a context in their order."""
    return [str(row.text) for row in rows]


def put_papers(connection: Connection) -> Plan:
    """a and c contribute evidence, b does not; of c there are no section titles, of b no summary."""
    return put_library(
        connection,
        [
            document("a", 1, summary="Of a: x", section_titles=["One", "Two"]),
            document("b", None, section_titles=["Three"]),
        ],
        [document("c", 2, summary="Of c"), {"id": "d", "summary": "Of d"}, {"id": "e"}],
    )


def test_every_column_of_every_row(undone: Connection) -> None:
    """Documents that contribute come first, each in the order of the plan; then chunks in that order."""
    found, accounting = pieces(undone, put_papers(undone), budget_tokens=40)
    first, second = "seed 1, given", "seed 2, given"
    explained = "a explains this; b explains this"
    none = (None, None, None)
    assert found == [
        Piece("conceptual", 1, "a", "seed", "summary", None, "Of a: x", 2, 2, *none, first, None),
        Piece("conceptual", 1, "a", "seed", "sections", None, "One\nTwo", 2, 4, *none, first, None),
        Piece("conceptual", 3, "c", "expanded", "summary", None, "Of c", 1, 5, *none, explained, None),
        Piece("conceptual", 2, "b", "seed", "sections", None, "Three", 2, 7, *none, second, None),
        Piece("conceptual", 4, "d", "expanded", "summary", None, "Of d", 1, 8, *none, explained, None),
        Piece("evidence", 1, "a", "seed", "chunk", 0, "a/0", 1, 9, 0.99995, 1, "similarity", first, None),
        Piece(
            "evidence", 3, "c", "expanded", "chunk", 0, "c/0", 1, 10, 0.9998, 2, "similarity", explained, None
        ),
    ]
    ((here,),) = undone.execute("SELECT docgraph.revision()").fetchall()
    assert accounting == {
        "format": 1,
        "documents": {"planned": 5, "over_caps": 0, "missing": 0, "with_evidence": 2},
        "chunks": {"chosen": 2, "shown": 2},
        "left_out": {**NONE_LEFT_OUT, "unranked": 1},
        "budget": {
            "unit": "tokens",
            "limit": 40,
            "used": 10,
            "conceptual_limit": 10,
            "conceptual_used": 8,
            "evidence_used": 2,
        },
        "chunk_mode": "semantic",
        "rrf_k": None,
        "selection": "similarity",
        "reserve": "0.4",
        "max_chunks": 10,
        "per_document": 3,
        "conceptual_share": "0.25",
        "revision": {"plan": here, "here": here},
        "edited": False,
        "warnings": [],
    }


def test_there_is_always_an_accounting(undone: Connection) -> None:
    for made in (plan(undone, seeds=[]), put_library(undone, [{"id": "a"}])):
        found, accounting = pieces(undone, made)
        assert found == []
        assert accounting["budget"]["used"] == 0
        assert accounting["left_out"] == NONE_LEFT_OUT


@pytest.mark.parametrize("unit", ["max_chars", "budget_tokens"])
def test_what_is_counted(undone: Connection, unit: str) -> None:
    """Characters are characters. Tokens are those stored with a chunk; of the rest a quarter of the bytes."""
    chunk = {"text": "ééé", "token_count": 50, "embedding": [1, 0, 0, 0]}
    made = put_library(
        undone, [{"id": "a", "summary": "éé🦆", "section_titles": ["é", "é"], "chunks": [chunk]}]
    )
    found, accounting = pieces(undone, made, **{unit: 1000})
    expected = [3, 6, 9] if unit == "max_chars" else [2, 4, 54]
    assert [row.running_total for row in found] == expected
    assert [row.tokens for row in found] == [2, 2, 50]
    assert accounting["budget"]["used"] == expected[-1]
    assert accounting["budget"]["unit"] == {"max_chars": "characters", "budget_tokens": "tokens"}[unit]


class TestRoom:
    def test_a_big_piece_in_the_middle_is_passed_over(self, undone: Connection) -> None:
        """Chosen in the order of distance: the second does not fit, the third does."""
        made = put_library(undone, [written("a", "x" * 4, "y" * 9, "z" * 5)])
        found, accounting = pieces(undone, made, max_chars=10)
        assert said(found) == ["xxxx", "zzzzz"]
        assert accounting["left_out"] == {**NONE_LEFT_OUT, "evidence_budget": 1}
        assert accounting["chunks"] == {"chosen": 3, "shown": 2}

    def test_a_big_summary_is_passed_over(self, undone: Connection) -> None:
        made = put_library(
            undone,
            [
                {"id": "a", "summary": "x" * 90, "section_titles": ["One"]},
                {"id": "b", "summary": "Of b", "section_titles": ["y" * 90]},
            ],
        )
        found, accounting = pieces(undone, made, max_chars=10, conceptual_share=1)
        assert [(row.document_id, row.part) for row in found] == [("a", "sections"), ("b", "summary")]
        assert accounting["left_out"] == {**NONE_LEFT_OUT, "conceptual_budget": 2}

    def test_evidence_takes_its_room_as_it_is_chosen_and_is_shown_as_it_is_planned(
        self, undone: Connection
    ) -> None:
        """b is chosen before a; of the last the room is gone."""
        near_b = {"id": "b", "chunks": [{"text": "b" * 6, "token_count": 6, "embedding": [1, 0, 0, 0]}]}
        far_a = [{"text": each, "token_count": 3, "embedding": [9, 1, 0, 0]} for each in ("aaa", "AAA")]
        made = put_library(undone, [{"id": "a", "chunks": far_a}, near_b])
        found, _ = pieces(undone, made, budget_tokens=11)
        assert said(found) == ["aaa", "bbbbbb"]
        assert [row.running_total for row in found] == [3, 9]
        found, _ = pieces(undone, made, budget_tokens=12)
        assert said(found) == ["aaa", "AAA", "bbbbbb"]

    def test_one_token(self, undone: Connection) -> None:
        made = put_library(undone, [document("a", 1, 2, summary="Of a")])
        assert said(pieces(undone, made, budget_tokens=1)[0]) == ["a/0"]
        assert said(pieces(undone, made, budget_tokens=1, conceptual_share=1)[0]) == ["Of a"]
        assert said(pieces(undone, made, max_chars=1)[0]) == []
        assert said(pieces(undone, made, max_chars=3)[0]) == ["a/0"]

    def test_what_has_no_tokens_takes_no_room(self, undone: Connection) -> None:
        made = put_library(undone, [document("a", 1, 2, tokens=0), document("b", 0, tokens=2)])
        assert said(pieces(undone, made, budget_tokens=1)[0]) == ["a/0", "a/1"]

    @pytest.mark.parametrize("unit", ["max_chars", "budget_tokens"])
    def test_to_the_last_one(self, undone: Connection, unit: str) -> None:
        """As much as there is fits into just as much, and nothing more."""
        made = put_library(undone, [written("a", "x" * 5, "y" * 7)])
        assert [said(pieces(undone, made, **{unit: room})[0]) for room in (4, 5, 6, 7, 11, 12)] == [
            [],
            ["xxxxx"],
            ["xxxxx"],
            ["xxxxx"],
            ["xxxxx"],
            ["xxxxx", "yyyyyyy"],
        ]

    def test_the_highest_budget(self, undone: Connection) -> None:
        made = put_papers(undone)
        for unit in ("max_chars", "budget_tokens"):
            found, accounting = pieces(undone, made, **{unit: 10_000_000})
            assert (len(found), accounting["left_out"]) == (7, {**NONE_LEFT_OUT, "unranked": 1})


class TestConceptualShare:
    @pytest.mark.parametrize(
        ("share", "limit"), [("0", 0), ("0.25", 5), ("0.349", 6), ("0.35", 7), ("0.999", 19), ("1", 20)]
    )
    def test_is_rounded_down_and_never_exceeded(self, undone: Connection, share: str, limit: int) -> None:
        made = put_library(undone, [document("a", *range(3), summary="x" * 7, section_titles=["y" * 7])])
        found, accounting = pieces(undone, made, max_chars=20, conceptual_share=Decimal(share))
        used = sum(len(str(row.text)) for row in found if row.layer == "conceptual")
        assert used == 7 * (limit // 7)
        assert accounting["budget"]["conceptual_limit"] == limit
        assert accounting["budget"]["conceptual_used"] == used
        assert accounting["conceptual_share"] == share

    def test_none(self, undone: Connection) -> None:
        found, accounting = pieces(undone, put_papers(undone), conceptual_share=0)
        assert {row.layer for row in found} == {"evidence"}
        assert accounting["left_out"] == {**NONE_LEFT_OUT, "unranked": 1, "conceptual_budget": 5}

    def test_all(self, undone: Connection) -> None:
        """What is left of it then is for evidence all the same."""
        made = put_papers(undone)
        found, _ = pieces(undone, made, budget_tokens=9, conceptual_share=1)
        assert [row.layer for row in found] == ["conceptual"] * 5 + ["evidence"]
        found, _ = pieces(undone, made, budget_tokens=8, conceptual_share=1)
        assert [row.layer for row in found] == ["conceptual"] * 5

    def test_what_it_does_not_need_goes_to_the_evidence(self, undone: Connection) -> None:
        made = put_library(undone, [document("a", *range(4), tokens=5, summary="Of a")])
        budget = {"budget_tokens": 21, "conceptual_share": Decimal("0.9")}
        found, accounting = pieces(undone, made, per_document=4, **budget)
        assert len(found) == 5
        assert accounting["budget"]["used"] == 21

    def test_documents_that_contribute_come_first(self, undone: Connection) -> None:
        """Room is for one: of the document whose chunk was chosen, though it is the last of the plan."""
        seeds = [{"id": name, "summary": f"Of {name}"} for name in "abc"]
        made = put_library(undone, seeds, [document("z", 9, summary="Of z")])
        found, _ = pieces(undone, made, max_chars=16)
        assert said(found) == ["Of z", "z/0"]
        found, _ = pieces(undone, made, max_chars=16, max_chunks=0)
        assert said(found) == ["Of a"]

    def test_also_where_what_was_chosen_of_them_does_not_fit(self, undone: Connection) -> None:
        """That it was chosen counts; rows stand in the order in which they took their room."""
        seeds = [{"id": "a", "summary": "Of a"}, written("b", "x" * 99, summary="Of b")]
        made = put_library(undone, [*seeds, written("c", "y", summary="Of c")])
        found, _ = pieces(undone, made, max_chars=20, conceptual_share=1)
        assert said(found) == ["Of b", "Of c", "Of a", "y"]
        documents = executed(undone, made, max_chars=20, conceptual_share=1)["context"]["documents"]
        assert [(each["document_id"], each["chosen_chunks"]) for each in documents] == [
            ("a", 0),
            ("b", 1),
            ("c", 1),
        ]
        assert [len(each["chunks"]) for each in documents] == [0, 0, 1]


def test_empty_texts_are_no_pieces(undone: Connection) -> None:
    empty = {"id": "a", "summary": "", "section_titles": []}
    made = put_library(undone, [empty, {"id": "b", "section_titles": [""]}])
    found, accounting = pieces(undone, made)
    assert (found, accounting["left_out"]["conceptual_budget"]) == ([], 0)


def test_hidden_documents_have_no_part_in_it(undone: Connection) -> None:
    put(undone, document("x", 0, summary="Hidden", section_titles=["Hidden"], tags=["board"]), access=BOARD)
    made = put_papers(undone)
    entry = {"document_id": "x", "rank": 3, "origin": "given"}
    assert entry not in made["seed_documents"]
    found, _ = pieces(undone, made, access=BOARD)
    assert found == pieces(undone, made)[0]
