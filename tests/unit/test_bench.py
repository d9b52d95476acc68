"""Results are written and read without loss, and sets of questions are made of what is published."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bench.quality import making, sets
from bench.report import pages
from bench.results import INSTALL, Result, Say, Table, Target, all_of, read

FIGURES = Result(
    "speed-small",
    {"command": "python -m bench speed", "machine": "one | another"},
    [Table("Plans", ("what", "p50 ms"), [("a|b", 1.23456), ("none", None), ("many", 12_345)], "A note.")],
    [
        Target("plan to scan", 1.5, "<=", 2),
        Target("clients", 2.5, ">=", 3, {"by hand": 2.6}),
    ],
)


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    again = read(FIGURES.write(tmp_path))
    assert again.targets == FIGURES.targets
    assert pages.alone(again) == pages.alone(FIGURES)
    assert [each.part for each in all_of(tmp_path)] == ["speed-small"]


def test_what_sql_by_hand_reached_is_read_from_older_results(tmp_path: Path) -> None:
    target = {"what": "a", "value": 2, "sign": "<=", "bound": 1, "why": "Gone."}
    noted = target | {"note": "1.531 by «three queries by hand», 0.5 by «ANY by hand»"}
    (path := tmp_path / "old.json").write_text(
        json.dumps({"part": "old", "about": {}, "tables": [], "targets": [target, noted]}), "utf-8"
    )
    assert [each.by_hand for each in read(path).targets] == [
        {},
        {"three queries by hand": 1.531, "ANY by hand": 0.5},
    ]


def test_a_peer_that_fails_is_named_with_its_error_and_ends_nothing(tmp_path: Path) -> None:
    told: list[str] = []
    result = Result("speed-small", {"command": "python -m bench speed"})
    say = Say(told.append, result.without)
    with say.peer("one"):
        import_module("no_such_peer")
    with say.peer("another"):
        raise RuntimeError("no room")
    with say.peer("well"):
        pass
    assert read(result.write(tmp_path)).without == result.without
    for line in (
        f"one: ModuleNotFoundError: No module named 'no_such_peer' ({INSTALL})",
        "another: RuntimeError: no room",
    ):
        assert f"not measured: {line}" in told
        assert f"- {line}\n" in pages.alone(result)
    assert len(told) == 2


CONTEXT = [
    ["Book", ["A book by Author.", " It is long."]],
    ["Author", ["Author writes.", " He was born in Town."]],
    ["Town", ["A town."]],
]
ONE: dict[str, dict[str, Any]] = {
    "hotpotqa": {
        "level": "hard",
        "question": "Where was its author born?",
        "supporting_facts": [["Book", 0], ["Author", 1]],
        "context": CONTEXT,
    },
    "2wikimultihop": {
        "evidences": [],
        "question": "Where was its author born?",
        "supporting_facts": [["Author", 1]],
        "context": CONTEXT,
    },
    "musique": {
        "question": "Who rules Town?",
        "paragraphs": [
            {"title": "Town", "paragraph_text": "A town.", "is_supporting": True},
            {"title": "Town", "paragraph_text": "Another.", "is_supporting": False},
            {"title": "Town", "paragraph_text": "A town.", "is_supporting": False},
        ],
    },
}
"""A question of each kind, without its id."""
ANSWERS = {
    "hotpotqa": {"A book by Author. It is long.", "Author writes. He was born in Town."},
    "2wikimultihop": {"Author writes. He was born in Town."},
    "musique": {"A town."},
}


def published(
    folder: Path, kind: str, count: int = making.LEAST, more: Mapping[str, object] | None = None
) -> Path:
    """As it comes: lists of HotpotQA and 2WikiMultihopQA, lines of MuSiQue."""
    entries = [
        ONE[kind] | {"id" if kind == "musique" else "_id": str(n)} | dict(more or {}) for n in range(count)
    ]
    lines = "\n".join(map(json.dumps, entries))
    (file := folder / "published").write_text(lines if kind == "musique" else json.dumps(entries), "utf-8")
    return file


@pytest.mark.parametrize("kind", ONE)
def test_published_questions_become_a_set(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "made" / f"{kind}.json.gz"
    asked, documents = making.write(kind, published(tmp_path, kind), target, 500)
    assert sets.names(tmp_path / "made") == {kind}
    made = sets.read(tmp_path / "made", kind)
    texts = {document["id"]: document["text"] for document in made.documents}
    assert (asked, documents) == (making.LEAST, len(texts)) == (len(made.questions), len(set(texts.values())))
    for question in made.questions:
        assert {texts[each] for each in question.gold} == ANSWERS[kind]


def test_as_many_questions_as_wanted_always_the_same_and_of_both_halves(tmp_path: Path) -> None:
    found = []
    for _ in range(2):
        making.write("hotpotqa", published(tmp_path, "hotpotqa", 400), tmp_path / "hotpotqa.json.gz", 100)
        found.append(sets.read(tmp_path, "hotpotqa").questions)
    assert found[0] == found[1]
    assert len({question.id for question in found[0]}) == 100
    assert 30 < sum(question.is_of_one_half for question in found[0]) < 70


@pytest.mark.parametrize(
    ("kind", "of", "more"),
    [
        ("hotpotqa", "2wikimultihop", {}),
        ("2wikimultihop", "hotpotqa", {}),
        ("musique", "hotpotqa", {}),
        ("hotpotqa", "musique", {}),
        ("hotpotqa", "hotpotqa", {"context": {"title": ["Book"], "sentences": [["A book."]]}}),
        ("hotpotqa", "hotpotqa", {"supporting_facts": [["Elsewhere", 0]]}),
        ("musique", "musique", {"answerable": False}),
    ],
)
def test_what_is_published_otherwise_is_refused(
    tmp_path: Path, kind: str, of: str, more: dict[str, object]
) -> None:
    with pytest.raises(making.WrongFileError, match=r"published|needed"):
        making.write(kind, published(tmp_path, of, more=more), tmp_path / "made.json.gz", 500)


@pytest.mark.parametrize(("sign", "value", "met"), [("<=", 2, True), ("<=", 2.1, False), (">=", 1.9, False)])
def test_a_bound_is_met_by_what_equals_it(sign: str, value: float, met: bool) -> None:
    assert Target("x", value, sign, 2).met is met
