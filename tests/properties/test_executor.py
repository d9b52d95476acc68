"""The model of execution itself: small cases that were worked out by hand."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.properties.executor import Chunk, Executor, Planned, Wanted, choose, fitting, obeyed
from tests.properties.executor_answers import context_rows, retrieved
from tests.properties.pages import Page, Piece
from tests.properties.planner import Plan, Planner, Question, Setting, Shelf, canonical
from tests.properties.test_planner import ALL

SETTING = Setting("test-model", 4, "cosine", "0005")
NEAR, ASIDE = (1, 0, 0, 0), (0, 1, 0, 0)


def chunk(text: str) -> Chunk:
    """Of a seed in small letters, of an expanded document in capitals: "a3" is 3 away."""
    role = "seed" if text[0].islower() else "expanded"
    return Chunk(Planned(1, text[0], role, ""), int(text[1:]), Piece(), int(text[1:]))


@pytest.mark.parametrize(
    ("reserve", "most", "chosen"),
    [
        ("0", 9, "a1 a2 a3 B4 a5 B6 C7"),
        ("0.4", 9, "a1 a2 B4* a3 C7* a5 B6"),
        ("0.4", 3, "a1 a2 B4*"),
        ("0.5", 9, "a1 B4* a2 C7* a3 B6* a5"),
        ("1", 9, "B4* C7* B6* a1 a2 a3 a5"),
        ("1", 2, "B4* C7*"),
        ("1", 0, ""),
    ],
)
def test_which_chunks_are_chosen(reserve: str, most: int, chosen: str) -> None:
    """A star: by the reserve. Of the expanded documents the best of each comes before a second of any."""
    candidates = [chunk(each) for each in ("B6", "a5", "a1", "C7", "B4", "a3", "a2")]
    found = choose(candidates, most, Decimal(reserve))
    assert [
        f"{each.document.name}{each.number}{'*' if by == 'reserve' else ''}" for each, by in found
    ] == chosen.split()


def test_what_the_nearest_have_taken_the_reserve_does_not_take_again() -> None:
    found = choose([chunk("A1"), chunk("b2"), chunk("b3")], 3, Decimal("0.5"))
    assert [(each.document.name, by) for each, by in found] == [
        ("A", "similarity"),
        ("b", "similarity"),
        ("b", "similarity"),
    ]


def test_what_does_not_fit_keeps_nothing_out() -> None:
    assert fitting([("a", 4), ("b", 4), ("c", 0), ("d", 2), ("e", 1)], 6) == (["a", "c", "d"], 6)


def plan(**caps: int) -> Plan:
    """A seed that was named and two that were found; D has two reasons."""
    via = {"C": [("a", "z")], "D": [("a", "y"), ("b", "x")], "E": [("b", "y")]}
    made = Planner(Shelf(), "default", ALL, SETTING).plan(Question())
    return made | {
        "constraints": made["constraints"] | caps,
        "seed_documents": [
            {"document_id": name, "rank": rank, "origin": origin}
            for name, rank, origin in (("a", 1, "given"), ("b", 2, "search"), ("c", 3, "search"))
        ],
        "expanded_documents": [
            {"document_id": name, "via": [{"from": a, "relation_type": kind} for a, kind in reasons]}
            for name, reasons in via.items()
        ],
    }


@pytest.mark.parametrize(
    ("caps", "kept"),
    [
        ({}, "a1 b2 c3 C4 D5 E6"),
        ({"seed_limit": 1}, "a1 b2 C4 D5 E6"),
        ({"seed_limit": 0}, "a1 C4 D5"),
        ({"max_documents": 4}, "a1 b2 c3 C4"),
        ({"max_documents": 2}, "a1 b2"),
        ({"expanded_per_seed": 1}, "a1 b2 c3 D5"),
        ({"expanded_per_seed": 1, "seed_limit": 0}, "a1 D5"),
        ({"expanded_per_seed": 0}, "a1 b2 c3"),
        ({"max_documents": 0}, ""),
    ],
)
def test_caps_of_a_plan_hold_once_more(caps: dict[str, int], kept: str) -> None:
    """Each document keeps its place in the plan."""
    found, over_caps = obeyed(plan(**caps))
    assert [f"{each.name}{each.position}" for each in found] == kept.split()
    assert over_caps == 6 - len(found)


def test_reasons_of_seeds_beyond_the_caps_do_not_count() -> None:
    def why(**caps: int) -> str:
        return next(each.why for each in obeyed(plan(**caps))[0] if each.name == "D")

    assert why() == "a y this; b x this"
    assert why(seed_limit=0) == "a y this"


def executed(**asked: Any) -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
    """A seed with two chunks, and a document that it explains with one."""
    shelf = Shelf(
        {
            "a": Page(chunks=(NEAR, ASIDE), about="About a.", pieces=(Piece("near", 5), Piece("aside", 3))),
            "b": Page(chunks=(ASIDE,), section_titles=("One", "Two"), pieces=(Piece("of b", 2),)),
        },
        frozenset({("a", "explains", "b")}),
    )
    made = Planner(shelf, "default", ALL, SETTING).plan(Question(seeds=("a",)))
    wanted = Wanted(NEAR, **asked)
    found = Executor(shelf, SETTING)
    return retrieved(found, made, wanted), context_rows(found, made, wanted)


def test_a_context_letter_for_letter() -> None:
    """Nine tokens: two of concepts, which one of the two texts fits into, and seven of evidence."""
    found, rows = executed(budget_tokens=9, per_document=1)
    assert canonical(found["context"]) == (
        '{"documents": [{"why": "seed 1, given", "role": "seed", "title": "", "chunks": [{"text": "near",'
        ' "chunk": 0, "score": 1, "chosen": 1, "tokens": 5, "chosen_by": "similarity", "end_offset": null,'
        ' "section_path": [], "start_offset": null}], "source": "", "summary": "About a.", "doc_type": "",'
        ' "position": 1, "document_id": "a", "chosen_chunks": 1, "section_titles": null},'
        ' {"why": "a explains this", "role": "expanded", "title": "", "chunks": [{"text": "of b",'
        ' "chunk": 0, "score": 0, "chosen": 2, "tokens": 2, "chosen_by": "similarity", "end_offset": null,'
        ' "section_path": [], "start_offset": null}], "source": "", "summary": null, "doc_type": "",'
        ' "position": 2, "document_id": "b", "chosen_chunks": 1, "section_titles": null}]}'
    )
    assert found["accounting"]["left_out"] == {
        "unranked": 0,
        "per_document": 1,
        "max_chunks": 0,
        "evidence_budget": 0,
        "conceptual_budget": 1,
    }
    assert [(row[0], row[2], row[8]) for row in rows] == [
        ("conceptual", "a", 2),
        ("evidence", "a", 7),
        ("evidence", "b", 9),
        ("accounting", None, None),
    ]
