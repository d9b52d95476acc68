"""score: a distance in millionths, as a figure of which more is nearer."""

from __future__ import annotations

import math

import pytest

from tests.sql.asking import Connection


@pytest.mark.parametrize(
    ("metric", "distance", "expected"),
    [
        ("cosine", 0, 1.0),
        ("cosine", 1, 0.999999),
        ("cosine", 265_488, 0.734512),
        ("cosine", 1_000_000, 0.0),
        ("cosine", 2_000_000, -1.0),
        ("ip", -12_500_000, 12.5),
        ("ip", 3, -0.000003),
        ("l2", 0, 0.0),
        ("l2", 1_414_214, -1.414214),
        ("l2", 120_000_000_000, -120_000.0),
    ],
)
def test_score(boss: Connection, metric: str, distance: int, expected: float) -> None:
    row = boss.execute("SELECT docgraph.score(%s, %s)", (float(distance), metric)).fetchone()
    assert row == (expected,)


@pytest.mark.parametrize("metric", ["cosine", "ip", "l2"])
@pytest.mark.parametrize("zero", ["0", "-0"])
def test_it_is_never_minus_zero(boss: Connection, metric: str, zero: str) -> None:
    row = boss.execute("SELECT docgraph.score(%s::double precision, %s)", (zero, metric)).fetchone()
    assert row is not None
    assert math.copysign(1, row[0]) == 1


def test_no_distance_has_no_score(boss: Connection) -> None:
    assert boss.execute("SELECT docgraph.score(NULL, 'cosine')").fetchone() == (None,)
