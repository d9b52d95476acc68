"""The model itself: small worlds whose plans were worked out by hand, and vectors that leave no doubt."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from tests.properties.model import Held
from tests.properties.plan_worlds import VECTORS
from tests.properties.planner import (
    Document,
    Planner,
    Question,
    Setting,
    Shelf,
    canonical,
    distance,
    rows,
    stored,
)

ALL = Held(None, None, frozenset(), frozenset(), 0)
SETTING = Setting("test-model", 4, "cosine", "0004")
NEAR, FAR = (1, 0, 0, 0), (-1, 0, 0, 0)


def plan(
    edges: set[tuple[str, str, str]], documents: dict[str, Document] | None = None, **asked: Any
) -> dict[str, Any]:
    """By ids, if nothing else is said."""
    ids = {each for a, _, b in edges for each in (a, b)}
    found = {each: Document() for each in sorted(ids)} | (documents or {})
    planner = Planner(Shelf(found, frozenset(edges)), "default", ALL, SETTING)
    return planner.plan(Question(**asked))


def brought(found: dict[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (each["document_id"], [(reason["from"], reason["relation_type"]) for reason in each["via"]])
        for each in found["expanded_documents"]
    ]


def seeds(found: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["document_id"], each["origin"]) for each in found["seed_documents"]]


def test_two_seeds_and_what_one_of_them_explains() -> None:
    """A whole plan, letter for letter."""
    found = plan({("D1", "explains", "D3")}, {"D2": Document()}, seeds=("D1", "D2"))
    rest = {key: value for key, value in found.items() if key != "plan_hash"}
    assert canonical(rest) == (
        '{"scope": {"tenant": "default", "snapshots": null, "repositories": null}, "format": 1,'
        ' "dropped": 0, "made_by": {"mode": "ids", "method": "exact", "revision": "0004", "search_in": null,'
        ' "embedding_space": null}, "omitted": 0,'
        ' "truncated": [],'
        ' "constraints": {"direction": "outgoing", "seed_limit": 5, "max_documents": 40,'
        ' "dominant_scope": "none", "relation_types": null, "scope_distance": null,'
        ' "expanded_per_seed": 10, "traversal_enabled": false, "max_relationship_depth": 1},'
        ' "seed_documents": [{"rank": 1, "origin": "given", "document_id": "D1"},'
        ' {"rank": 2, "origin": "given", "document_id": "D2"}],'
        ' "expanded_documents": [{"via": [{"from": "D1", "relation_type": "explains"}],'
        ' "document_id": "D3"}]}'
    )
    assert rows(found) == [
        (1, "D1", "seed", None, None),
        (2, "D2", "seed", None, None),
        (3, "D3", "expanded", "explains", "D1"),
    ]


def test_each_of_two_seeds_brings_one() -> None:
    edges = {("D1", "explains", "D3"), ("D2", "decision_for", "D4")}
    found = plan(edges, seeds=("D1", "D2"))
    assert brought(found) == [("D3", [("D1", "explains")]), ("D4", [("D2", "decision_for")])]


def test_one_hop_outgoing_and_no_seed_twice() -> None:
    edges = {("a", "r", "b"), ("b", "r", "c"), ("z", "r", "a"), ("b", "r", "a"), ("a", "r", "s")}
    assert brought(plan(edges, seeds=("a",))) == [("b", [("a", "r")]), ("s", [("a", "r")])]
    assert brought(plan(edges, seeds=("a", "s"))) == [("b", [("a", "r")])]


def test_all_reasons_are_kept_also_those_that_a_cap_cut() -> None:
    """s1 has room for one, x; s2 takes y, to which s1 leads as well: y stands for s1, then."""
    edges = {("s1", "a", "x"), ("s1", "b", "y"), ("s2", "c", "y"), ("s2", "b", "y")}
    found = plan(edges, seeds=("s1", "s2"), expanded_per_seed=1)
    assert brought(found) == [("x", [("s1", "a")]), ("y", [("s1", "b"), ("s2", "b"), ("s2", "c")])]
    assert found["truncated"] == ["expanded_per_seed"]


def test_the_cap_in_all_counts_in_order_of_the_seed_that_took_it() -> None:
    """y could stand first for s1, but s1 did not take it: x2 is the second that was taken."""
    edges = {("s1", "a", "x1"), ("s1", "b", "x2"), ("s1", "c", "y"), ("s2", "a", "y")}
    found = plan(edges, seeds=("s1", "s2"), expanded_per_seed=2, max_documents=4)
    assert [each for each, _ in brought(found)] == ["x1", "x2"]
    assert found["truncated"] == ["documents", "expanded_per_seed"]


def test_seeds_alone_can_fill_a_plan() -> None:
    found = plan({("a", "r", "b")}, seeds=("b", "nobody", "a", "b"), max_documents=1)
    assert (seeds(found), brought(found)) == ([("b", "given")], [])
    assert (found["truncated"], found["omitted"]) == (["documents"], 1)


def test_relation_types() -> None:
    edges = {("a", "r", "b"), ("a", "q", "b"), ("a", "q", "c")}
    assert brought(plan(edges, seeds=("a",), relation_types=("r", "r"))) == [("b", [("a", "r")])]
    assert brought(plan(edges, seeds=("a",), relation_types=())) == []
    assert plan(edges, seeds=("a",), relation_types=("r", "q", "r"))["constraints"]["relation_types"] == [
        "q",
        "r",
    ]


NEIGHBOURS = {
    "far": Document("i", "x", FAR, (NEAR,)),
    "near": Document("i", "y", NEAR, (None, FAR)),
    "nearer by id": Document("j", "x", (2, 0, 0, 0), ()),
    "none": Document("i", "x", None, ()),
}


def test_found_seeds_are_the_nearest_that_were_not_given() -> None:
    found = plan(set(), NEIGHBOURS, query_embedding=NEAR, seed_limit=2)
    assert seeds(found) == [("near", "search"), ("nearer by id", "search")]
    found = plan(set(), NEIGHBOURS, query_embedding=NEAR, seed_limit=2, seeds=("near",))
    assert seeds(found) == [("near", "given"), ("nearer by id", "search"), ("far", "search")]
    found = plan(set(), NEIGHBOURS, query_embedding=NEAR, search_in="chunks")
    assert seeds(found) == [("far", "search"), ("near", "search")]


@pytest.mark.parametrize(
    ("scope", "kept"),
    [("ingestion", ["near", "far"]), ("doc_type", ["near"]), ("cluster", ["near", "nearer by id"])],
)
def test_dominant_scopes(scope: str, kept: list[str]) -> None:
    found = plan(set(), NEIGHBOURS, query_embedding=NEAR, dominant_scope=scope)
    assert [each for each, _ in seeds(found)] == kept
    assert found["dropped"] == 3 - len(kept)


def test_what_is_hidden_is_not_there() -> None:
    edges = frozenset({("a", "r", "b"), ("b", "r", "c")})
    shelf = Shelf({each: Document() for each in "abc"}, edges)
    assert shelf.seen({"a", "c"}) == Shelf({"a": Document(), "c": Document()}, frozenset())


@pytest.mark.parametrize("metric", ["cosine", "l2", "ip"])
def test_distances_between_the_vectors_leave_no_doubt(metric: str) -> None:
    """Rounded, two are the same or far from each other; and none is near to where rounding would tip."""
    found = set()
    for a, b in itertools.product([stored(each, metric) for each in VECTORS], repeat=2):
        product = math.fsum(x * y for x, y in zip(a, b, strict=True))
        raw = {
            "cosine": 1 - product / math.hypot(*a) / math.hypot(*b),
            "l2": math.dist(a, b),
            "ip": -product,
        }[metric]
        assert abs(raw * 1e6 - math.floor(raw * 1e6) - 0.5) > 0.05
        found.add(distance(a, b, metric))
    assert all(b - a > 1e-5 for a, b in itertools.pairwise(sorted(found)))
