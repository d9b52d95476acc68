"""bound: every number that sql/ asks for is there, and none that nobody asks for."""

from __future__ import annotations

import re

from docgraph.resources import SQL
from docgraph.sqlfiles import manifest
from tests.sql.asking import Connection

HOME = "functions/leaf/bound.sql"


def asked_for() -> set[str]:
    """By itself, or as the third argument of check_limit."""
    texts = [(SQL / path).read_text(encoding="utf-8") for path in manifest() if path != HOME]
    pattern = re.compile(r"bound\('(\w*)'\)|PERFORM docgraph\.check_limit\('\w+', \w+, '(\w+)'\)")
    return {one or other for text in texts for one, other in pattern.findall(text)}


def given() -> set[str]:
    return set(re.findall(r"WHEN '(\w+)' THEN", (SQL / HOME).read_text(encoding="utf-8")))


def test_names() -> None:
    assert asked_for() == given()
    assert given()


def test_every_name_has_a_positive_number(boss: Connection) -> None:
    for name in given():
        row = boss.execute("SELECT docgraph.bound(%s)", (name,)).fetchone()
        assert row is not None
        assert row[0] > 0


def test_an_unknown_name_gives_null(boss: Connection) -> None:
    assert boss.execute("SELECT docgraph.bound('nothing')").fetchone() == (None,)
