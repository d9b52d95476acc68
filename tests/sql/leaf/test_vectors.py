"""distance, index_distance, query_vector, array_norm, is_query: the arithmetic of a search."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.sql.asking import Connection


def value(connection: Connection, expression: str, *arguments: Any) -> Any:
    row = connection.execute(f"SELECT {expression}".encode(), arguments).fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize(
    ("a", "b", "metric", "expected"),
    [
        ("[1,0]", "[1,0]", "cosine", 0),
        ("[3,4]", "[4,3]", "cosine", 40_000),
        ("[3,4]", "[30,40]", "cosine", 0),
        ("[1,0]", "[0,1]", "cosine", 1_000_000),
        ("[1,0]", "[-2,0]", "cosine", 2_000_000),
        ("[1,0]", "[1,1]", "cosine", 292_893),
        ("[2000,1]", "[1,0]", "cosine", 0),
        ("[1,0]", "[4,4]", "l2", 5_000_000),
        ("[1,0]", "[0,1]", "l2", 1_414_214),
        ("[3,4]", "[4,3]", "ip", -24_000_000),
        ("[1,0]", "[0,1]", "ip", 0),
        ("[1,0]", "[-1,1]", "ip", 1_000_000),
        (None, "[1,0]", "cosine", None),
        ("[1,0]", None, "l2", None),
        ("[1,0]", "[1,0]", "hamming", None),
    ],
)
def test_distance(boss: Connection, a: str | None, b: str | None, metric: str, expected: int | None) -> None:
    """In whole millionths; less is nearer in every metric."""
    assert value(boss, "docgraph.distance(%s::halfvec, %s::halfvec, %s)", a, b, metric) == expected
    near = value(boss, "docgraph.index_distance(%s::halfvec, %s::halfvec, %s)", a, b, metric)
    assert near is None if expected is None else math.isclose(near * 1e6, expected, abs_tol=0.5)


@pytest.mark.parametrize(
    ("vector", "metric", "expected"),
    [
        ([3, 4], "cosine", "[0.60009766,0.7998047]"),
        ([0.003, 0.004], "cosine", "[0.60009766,0.7998047]"),
        ([3, 4], "l2", "[3,4]"),
        ([3, 4], "ip", "[3,4]"),
        ([60_000, 0], "l2", "[60000,0]"),
        (None, "l2", None),
        (None, "cosine", None),
    ],
)
def test_query_vector_is_as_what_is_stored(
    boss: Connection, vector: list[float] | None, metric: str, expected: str | None
) -> None:
    assert value(boss, "docgraph.query_vector(%s::float8[], %s)::text", vector, metric) == expected
    text = None if vector is None else str(vector)
    assert value(boss, "docgraph.stored_vector(%s, %s)::text", text, metric) == expected


@pytest.mark.parametrize(("vector", "norm"), [([3, 4], 5.0), ([0, 0], 0.0), ([-2], 2.0), (None, None)])
def test_array_norm(boss: Connection, vector: list[float] | None, norm: float | None) -> None:
    assert value(boss, "docgraph.array_norm(%s::float8[])", vector) == norm


@pytest.mark.parametrize("metric", ["cosine", "l2", "ip"])
@pytest.mark.parametrize(
    ("vector", "expected"),
    [
        ([1.0, 0.0], True),
        ([0.001, 0.0], True),
        ([60_000.0, 0.0], True),
        ([-60_000.0, 0.0], True),
        ([42_400.0, 42_400.0], True),
        ([60_000.5, 0.0], False),
        ([42_427.0, 42_427.0], False),
        ([0.0009, 0.0], False),
        ([0.0, 0.0], False),
        ([1e-46, 1.0], True),
        ([float("nan"), 1.0], False),
        ([float("inf"), 1.0], False),
        ([1.0, None], False),
        ([1.0], False),
        ([1.0, 0.0, 0.0], False),
        ([], False),
        ([[1.0, 0.0]], False),
        ([[1.0], [0.0]], False),
        (None, False),
    ],
)
def test_is_query(boss: Connection, vector: Any, metric: str, expected: bool) -> None:
    assert value(boss, "docgraph.is_query(%s::float8[], 2, %s)", vector, metric) is expected


def test_is_query_asks_for_what_half_precision_can_hold(boss: Connection) -> None:
    """384 elements that each become 0 there: only cosine, which makes the length 1 first, can use them."""
    tiny = [1e-8] * 384 + [0.0]
    tiny_but_long = [6e-5] * 384 + [0.0]
    for metric, vector, expected in (
        ("cosine", tiny, False),
        ("cosine", tiny_but_long, True),
        ("l2", tiny_but_long, True),
        ("l2", [1e-3 * 0.99999] + [0.0] * 384, False),
    ):
        assert value(boss, "docgraph.is_query(%s::float8[], 385, %s)", vector, metric) is expected
