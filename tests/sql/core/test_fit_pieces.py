"""fit_pieces: which pieces find room."""

from __future__ import annotations

import pytest

from tests.sql.asking import Connection


@pytest.mark.parametrize(
    ("sizes", "room", "kept", "used", "passed_over"),
    [
        (None, 9, [], 0, 0),
        ([], 9, [], 0, 0),
        ([9], 9, [1], 9, 0),
        ([10], 9, [], 0, 1),
        ([40, 80, 10], 60, [1, 3], 50, 1),
        ([5, 5, 5], 10, [1, 2], 10, 1),
        ([9, 1, 1, 1], 2, [2, 3], 2, 2),
        ([1, 2, 3], 0, [], 0, 3),
        ([0, 7, 0], 0, [1, 3], 0, 1),
        ([None, 4, None, 9, 1], 5, [2, 5], 5, 1),
        ([[None, 4], [3, None], [5, 1]], 8, [2, 3, 6], 8, 1),
        ([2147483647], 2147483647, [1], 2147483647, 0),
        ([2147483647, 1], 10_000_000, [2], 1, 1),
    ],
)
def test_what_does_not_fit_is_passed_over(
    boss: Connection, sizes: list[int | None] | None, room: int, kept: list[int], used: int, passed_over: int
) -> None:
    row = boss.execute("SELECT * FROM docgraph.fit_pieces(%s::integer[], %s)", (sizes, room)).fetchone()
    assert row == (kept, used, passed_over)
