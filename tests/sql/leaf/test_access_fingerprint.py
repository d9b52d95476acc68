"""access_fingerprint: the same for the same combination of attributes, different for any other."""

from __future__ import annotations

import hashlib
import itertools
from typing import Any

from tests.sql.asking import Connection

BASE: tuple[Any, ...] = ("r", "s", ["a", "b"], ["x"], 1)

OTHERS: list[tuple[Any, ...]] = [
    ("s", "r", ["a", "b"], ["x"], 1),
    ("rs", "", ["a", "b"], ["x"], 1),
    ("", "rs", ["a", "b"], ["x"], 1),
    ("R", "s", ["a", "b"], ["x"], 1),
    ("r", "s", ["a"], ["x"], 1),
    ("r", "s", ["a,b"], ["x"], 1),
    ("r", "s", ['a", "b'], ["x"], 1),
    ("r", "s", ["ab"], ["x"], 1),
    ("r", "s", ["a", "b", "x"], [], 1),
    ("r", "s", [], ["a", "b", "x"], 1),
    ("r", "s", ["x"], ["a", "b"], 1),
    ("r", "s", ["a", "b"], ["x"], 0),
    ("r", "s", ["a", "b"], ["x", "1"], 1),
    ("r", "s", ["a", "b", ""], ["x"], 1),
    ('r", "s', "", ["a", "b"], ["x"], 1),
    ("r\\", "s", ["a", "b"], ["x"], 1),
]


def fingerprint(connection: Connection, attributes: tuple[Any, ...]) -> bytes:
    row = connection.execute(
        "SELECT docgraph.access_fingerprint(%s, %s, %s::text[], %s::text[], %s)", attributes
    ).fetchone()
    assert row is not None
    return bytes(row[0])


def test_32_bytes_that_never_change(boss: Connection) -> None:
    """Written out, because it is stored: another value would be a second class for the same attributes."""
    expected = hashlib.sha256(b'["r", "s", ["a", "b"], ["x"], 1]').hexdigest()
    assert expected == "24829ef2348599f2e98dac4392dba8a719a4079073a2a244671ba3a300028d69"
    assert fingerprint(boss, BASE).hex() == expected


def test_order_and_repetition_do_not_matter(boss: Connection) -> None:
    assert fingerprint(boss, BASE) == fingerprint(boss, ("r", "s", ["b", "a", "b"], ["x", "x"], 1))


def test_any_other_combination_has_another(boss: Connection) -> None:
    found = [fingerprint(boss, attributes) for attributes in (BASE, *OTHERS)]
    assert all(a != b for a, b in itertools.combinations(found, 2))
