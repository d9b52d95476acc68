"""canonical_list, within_ceiling, list_fits, is_id: small functions on which every check rests."""

from __future__ import annotations

import pytest

from tests.sql.asking import Connection

List = list[str | None] | None


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (None, None),
        ([], []),
        (["b", "a", "b"], ["a", "b"]),
        (["é", "z", "Z", "a", "_", "1", ""], ["", "1", "Z", "_", "a", "z", "é"]),
        (["a", None], ["a"]),
        ([None], []),
        (["a", "a "], ["a", "a "]),
        (["é", "e\u0301"], ["e\u0301", "é"]),
    ],
)
def test_canonical_list(boss: Connection, entries: List, expected: List) -> None:
    assert boss.execute("SELECT docgraph.canonical_list(%s::text[])", (entries,)).fetchone() == (expected,)


def test_canonical_list_depends_on_no_collation(boss: Connection) -> None:
    """Of those that this server knows: which they are differs from build to build."""
    rows = boss.execute(
        "SELECT oid::regcollation::text FROM pg_collation"
        " WHERE collencoding IN (-1, pg_char_to_encoding('UTF8')) AND collname <> 'default'"
    ).fetchall()
    assert rows
    for (collation,) in rows:
        statement = (
            f"SELECT docgraph.canonical_list(ARRAY['b', 'B', 'é', 'a', 'A']::text[] COLLATE {collation})"
        )
        assert boss.execute(statement.encode()).fetchone() == (["A", "B", "a", "b", "é"],)


@pytest.mark.parametrize(
    ("claimed", "allowed", "expected"),
    [
        (None, None, None),
        (None, [], []),
        (None, ["a"], ["a"]),
        ([], None, []),
        (["a"], None, ["a"]),
        ([], [], []),
        ([], ["a"], []),
        (["a"], [], []),
        (["a", "b"], ["b", "c"], ["b"]),
        (["a", "b"], ["a", "b", "c"], ["a", "b"]),
        (["a", "b"], ["a"], ["a"]),
        (["a"], ["b"], []),
        (["a"], ["A"], []),
        (["b", "a", "b"], ["a", "b"], ["a", "b"]),
    ],
)
def test_within_ceiling(boss: Connection, claimed: List, allowed: List, expected: List) -> None:
    row = boss.execute(
        "SELECT docgraph.within_ceiling(%s::text[], %s::text[])", (claimed, allowed)
    ).fetchone()
    assert row == (expected,)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (None, None),
        ([], True),
        ([None], True),
        (["", "x" * 512, "é" * 256], True),
        (["a"] * 1000, True),
        (["a"] * 1001, False),
        (["a", "x" * 513], False),
        (["é" * 257], False),
    ],
)
def test_list_fits(boss: Connection, entries: List, expected: bool | None) -> None:
    assert boss.execute("SELECT docgraph.list_fits(%s::text[])", (entries,)).fetchone() == (expected,)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("", False),
        ("x", True),
        (" ", True),
        ("x" * 512, True),
        ("x" * 513, False),
        ("é" * 256, True),
        ("é" * 256 + "x", False),
    ],
)
def test_is_id(boss: Connection, value: str | None, expected: bool | None) -> None:
    assert boss.execute("SELECT docgraph.is_id(%s)", (value,)).fetchone() == (expected,)
