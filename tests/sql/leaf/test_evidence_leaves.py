"""text_size, reason_of_seed, reason_of_link."""

from __future__ import annotations

import pytest

from tests.sql.asking import Connection
from tests.sql.leaf.test_plan_leaves import value


@pytest.mark.parametrize(
    ("text", "characters", "tokens"),
    [
        (None, None, None),
        ("", None, None),
        ("a", 1, 1),
        ("abcd", 4, 1),
        ("abcde", 5, 2),
        ("🦆🦆", 2, 2),
        ("\n", 1, 1),
    ],
)
def test_text_size(boss: Connection, text: str | None, characters: int | None, tokens: int | None) -> None:
    assert value(boss, "docgraph.text_size(%s, false)", text) == characters
    assert value(boss, "docgraph.text_size(%s, true)", text) == tokens


@pytest.mark.parametrize(
    ("origin", "expected"),
    [("given", "seed 7, given"), ("search", "seed 7, found by search"), ("", "seed 7, "), ("x", "seed 7, x")],
)
def test_reason_of_seed(boss: Connection, origin: str, expected: str) -> None:
    assert value(boss, "docgraph.reason_of_seed('7', %s)", origin) == expected


def test_reason_of_link(boss: Connection) -> None:
    assert (
        value(boss, "docgraph.reason_of_link('explains', 'a explains b.md')")
        == "a explains b.md explains this"
    )


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        (["a"], "a"),
        (list("abcde"), "a; b; c; d; e"),
        (list("abcdef"), "a; b; c; d; e; and 1 more"),
        (["x"] * 5000, "x; x; x; x; x; and 4995 more"),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else len(value),
)
def test_reasons_in_words(boss: Connection, reasons: list[str], expected: str) -> None:
    assert boss.execute("SELECT docgraph.reasons_in_words(%s)", (reasons,)).fetchone() == (expected,)
