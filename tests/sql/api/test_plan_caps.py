"""plan_retrieval: the limits of a plan, and what it says of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sql.asking import Connection
from tests.sql.planning import NORTH, by_ids, expanded_of, plan, put_seeds, put_world, seeds_of, whole
from tests.sql.writing import put, relate

FAN = tuple(("a", "cites", each) for each in "wxyz")


def asked(connection: Connection, *seeds: str, **limits: int) -> tuple[list[str], list[str]]:
    """What is brought in, and what was cut short; the same whether all types are allowed or each is named."""
    types = connection.execute("SELECT DISTINCT relation_type FROM docgraph.document_relationships")
    named = [kind for (kind,) in types]
    answers = [
        ([*expanded_of(made)], made["truncated"])
        for made in (
            plan(connection, seeds=list(seeds), **limits),
            plan(connection, seeds=list(seeds), **limits, relation_types=named),
        )
    ]
    assert answers[0] == answers[1]
    return answers[0]


@pytest.mark.parametrize(
    ("cap", "expected", "truncated"),
    [
        (0, "", ["expanded_per_seed"]),
        (1, "w", ["expanded_per_seed"]),
        (3, "wxy", ["expanded_per_seed"]),
        (4, "wxyz", []),
        (200, "wxyz", []),
    ],
)
def test_of_one_seed(undone: Connection, cap: int, expected: str, truncated: list[str]) -> None:
    put_world(undone, *FAN)
    assert asked(undone, "a", expanded_per_seed=cap) == ([*expected], truncated)


def test_ten_of_one_seed_and_forty_in_all_if_nothing_is_said(undone: Connection) -> None:
    put_world(undone, *((seed, "cites", f"{seed}{n:02}") for seed in "abcdef" for n in range(11)))
    made = plan(undone, seeds=[*"abcdef"])
    assert list(expanded_of(made)) == [f"{seed}{n:02}" for seed in "abcd" for n in range(10)][:34]
    assert made["truncated"] == ["documents", "expanded_per_seed"]


def test_the_first_are_those_of_the_smallest_type_then_id(undone: Connection) -> None:
    """A document with several types counts once, with its smallest."""
    put_world(
        undone,
        ("a", "Z", "late"),
        ("a", "a", "early"),
        ("a", "b", "both"),
        ("a", "Y", "both"),
        ("a", "a", "also"),
        ("a", "c", "also"),
    )
    assert [asked(undone, "a", expanded_per_seed=cap)[0] for cap in range(5)] == [
        [],
        ["both"],
        ["both", "late"],
        ["both", "late", "also"],
        ["both", "late", "also", "early"],
    ]


def test_reasons_count_also_beyond_the_cap_of_their_seed(undone: Connection) -> None:
    """z is beyond the cap of a, b takes it, and a's relationship is a reason and gives it its place."""
    put_world(undone, *FAN, ("b", "cites", "z"), ("b", "explains", "z"), ("b", "cites", "u"))
    limits = {"expanded_per_seed": 2}
    expected = {
        "w": [("a", "cites")],
        "x": [("a", "cites")],
        "z": [("a", "cites"), ("b", "cites"), ("b", "explains")],
        "u": [("b", "cites")],
    }
    seeds = [("a", "given"), ("b", "given")]
    made = plan(undone, seeds=["a", "b"], **limits)
    assert made == by_ids(undone, seeds, expected, constraints=limits, truncated=["expanded_per_seed"])
    assert list(expanded_of(made)) == ["w", "x", "z", "u"]


def test_what_is_taken_goes_by_the_seed_that_takes_it(undone: Connection) -> None:
    """Of the same plan with a place less, z goes: b takes it after u, for all that a leads to it as well."""
    put_world(undone, *FAN, ("b", "cites", "z"), ("b", "cites", "u"))
    limits = {"expanded_per_seed": 2, "max_documents": 5}
    assert asked(undone, "a", "b", **limits) == (["w", "x", "u"], ["documents", "expanded_per_seed"])


def test_what_stays_in_all_is_in_order_of_seed_type_and_id(undone: Connection) -> None:
    """What several seeds take counts for the first of them."""
    put_world(
        undone,
        ("a", "Z", "x"),
        ("a", "zz", "x"),
        ("a", "a", "c"),
        ("a", "b", "aa"),
        ("b", "A", "x"),
        ("b", "A", "d"),
        ("b", "b", "c"),
    )
    everything = ["x", "c", "aa", "d"]
    for places in range(5):
        truncated = ["documents"] if places < 4 else []
        assert asked(undone, "a", "b", max_documents=2 + places) == (everything[:places], truncated)


@pytest.mark.parametrize(
    ("most", "seeds", "expected", "truncated"),
    [
        (0, "", "", ["documents"]),
        (1, "a", "", ["documents"]),
        (2, "ab", "", ["documents"]),
        (3, "abc", "", ["documents"]),
        (4, "abc", "x", ["documents"]),
        (5, "abc", "xy", []),
        (400, "abc", "xy", []),
    ],
)
def test_in_all_seeds_count_first(
    undone: Connection, most: int, seeds: str, expected: str, truncated: list[str]
) -> None:
    """Given seeds before found ones; a seed that is left out brings nothing in."""
    put_world(undone, ("a", "cites", "x"), ("b", "cites", "x"), ("c", "cites", "y"))
    put_seeds(undone, "b", "c")
    limits = {"max_documents": most}
    made = plan(undone, seeds=["a"], query_embedding=NORTH, **limits)
    assert (seeds_of(made), list(expanded_of(made)), made["truncated"]) == ([*seeds], [*expected], truncated)


def test_at_the_limit_nothing_is_cut(undone: Connection) -> None:
    put_world(undone, *FAN)
    assert asked(undone, "a", max_documents=5, expanded_per_seed=4) == ([*"wxyz"], [])
    assert asked(undone, "a", max_documents=4, expanded_per_seed=4) == ([*"wxy"], ["documents"])
    assert asked(undone, "a", max_documents=4, expanded_per_seed=3) == ([*"wxy"], ["expanded_per_seed"])
    assert asked(undone, "a", max_documents=3, expanded_per_seed=3) == (
        [*"wx"],
        ["documents", "expanded_per_seed"],
    )
    assert asked(undone, "z", max_documents=1, expanded_per_seed=0) == ([], [])
    assert asked(undone, max_documents=0, expanded_per_seed=0) == ([], [])


def test_what_several_seeds_take_counts_once(undone: Connection) -> None:
    put_world(undone, *((seed, "cites", each) for seed in "ab" for each in "xyz"))
    assert asked(undone, "a", "b", max_documents=5) == ([*"xyz"], [])
    assert asked(undone, "a", "b", max_documents=5, expanded_per_seed=3) == ([*"xyz"], [])


def test_the_highest_limits(undone: Connection) -> None:
    """200 given, 200 found, and no room for what they bring in."""
    ids = [f"{number:03}" for number in range(400)]
    for some in (ids[:200], ids[200:]):
        put(undone, *({"id": each, "summary_embedding": [400, int(each), 0, 0]} for each in some))
    put(undone, {"id": "x"})
    relate(undone, ("200", "cites", "x"), ("000", "cites", "x"))
    limits = {"seed_limit": 200, "expanded_per_seed": 200, "max_documents": 400}
    given = ids[:199:-1]
    origins = [(each, "given") for each in given] + [(each, "search") for each in ids[:200]]
    made = plan(undone, seeds=given, query_embedding=[400.0, 0.0, 0.0, 0.0], **limits)
    assert made == whole(undone, origins, {}, constraints=limits, truncated=["documents"])


def test_omitted_and_dropped_are_no_cuts(undone: Connection) -> None:
    put_seeds(undone, "a", "b")
    put(undone, {"id": "b", "doc_type": "other", "summary_embedding": [0, 1, 0, 0]})
    made: dict[str, Any] = plan(undone, seeds=["?"], query_embedding=NORTH, dominant_scope="doc_type")
    assert (made["omitted"], made["dropped"], made["truncated"]) == (1, 1, [])
