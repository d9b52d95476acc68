"""The leaves that put the chunks of a text together again."""

from __future__ import annotations

import pytest

from tests.sql.asking import Connection


@pytest.mark.parametrize(
    ("before", "value", "repeated"),
    [
        (("one two", 0, 7), ("two three", 4), 3),
        (("one two", 0, 7), ("two", 4), 3),
        (("one two", 0, 7), ("one two", 0), 7),
        (("äé🦆", 0, 3), ("é🦆ß", 1), 2),
        # Not what the offsets say.
        (("one two", 0, 7), ("TWO three", 4), 0),
        (("one two", 0, 9), ("two three", 4), 0),
        (("one two", 0, 7), ("tw", 4), 0),
        # No overlap, or one that goes backwards.
        (("one two", 0, 7), (" three", 7), 0),
        (("one two", 0, 7), ("three", 8), 0),
        (("two", 4, 7), ("one two", 0), 0),
        (("", 5, 5), ("", 5), 0),
        # Nothing is known.
        ((None, None, None), ("one", 0), 0),
        (("one", None, None), ("one", 0), 0),
        (("one", 0, 3), ("one", None), 0),
    ],
)
def test_repeated_start(
    boss: Connection,
    before: tuple[str | None, int | None, int | None],
    value: tuple[str, int | None],
    repeated: int,
) -> None:
    found = boss.execute("SELECT docgraph.repeated_start(%s, %s, %s, %s, %s)", (*before, *value)).fetchone()
    assert found == (repeated,)


@pytest.mark.parametrize(
    ("has_before", "end_before", "start", "repeated", "between"),
    [
        (False, None, 0, 0, ""),
        (True, 7, 7, 0, ""),
        (True, 9, 7, 2, ""),
        (True, 7, 8, 0, "\n\n"),
        (True, 9, 7, 0, "\n\n"),
        (True, None, None, 0, "\n\n"),
        (True, 7, None, 0, "\n\n"),
    ],
)
def test_text_between(
    boss: Connection, has_before: bool, end_before: int | None, start: int | None, repeated: int, between: str
) -> None:
    arguments = (has_before, end_before, start, repeated)
    assert boss.execute("SELECT docgraph.text_between(%s, %s, %s, %s)", arguments).fetchone() == (between,)
