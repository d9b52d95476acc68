"""planned_documents: the documents that a plan may bring in, whatever it claims of itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from tests.sql.asking import PLAN, Connection
from tests.sql.planning import Plan, changed, plan, put_seeds, put_world


class Planned(NamedTuple):
    documents: list[str]
    places: list[int]
    reasons: list[str]
    seeds: int
    over_caps: int


def planned(connection: Connection, made: Plan) -> Planned:
    row = connection.execute(
        "SELECT * FROM docgraph.planned_documents(%s::jsonb)", (json.dumps(made),)
    ).fetchone()
    assert row is not None
    return Planned(*row)


def claiming(
    seeds: Sequence[str],
    expanded: Mapping[str, Sequence[tuple[str, str]]],
    origin: str = "given",
    **constraints: Any,
) -> Plan:
    """A plan that nobody has made: of these seeds, and of what they are said to bring in."""
    made: Plan = json.loads(PLAN)
    made["seed_documents"] = [
        {"document_id": each, "rank": rank, "origin": origin} for rank, each in enumerate(seeds, start=1)
    ]
    made["expanded_documents"] = [
        {"document_id": each, "via": [{"from": seed, "relation_type": kind} for seed, kind in via]}
        for each, via in expanded.items()
    ]
    made["constraints"] |= constraints
    return made


def test_a_plan_written_by_hand(boss: Connection) -> None:
    assert planned(boss, json.loads(PLAN)) == Planned(
        ["a.md", "b.md", "c.md", "d.md"],
        [1, 2, 3, 4],
        [
            "seed 1, given",
            "seed 2, found by search",
            "a.md explains this; b.md cites this",
            "b.md cites this",
        ],
        2,
        0,
    )


@pytest.mark.parametrize("per_seed", [0, 1, 2, 10])
@pytest.mark.parametrize("most", [0, 2, 5, 40])
def test_of_what_planning_has_made_nothing_is_left_out(undone: Connection, per_seed: int, most: int) -> None:
    """Also where a document stands behind the cap of one seed and within that of another."""
    put_world(undone, *(("a", kind, each) for kind, each in zip("zyxw", "wxyz", strict=True)))
    put_world(undone, ("b", "cites", "z"), ("b", "a", "w"), ("s1", "explains", "z"), ("s2", "cites", "q"))
    put_seeds(undone, "s1", "s2", "s3")
    made = plan(
        undone,
        seeds=["a", "b"],
        query_embedding=[1.0, 0.0, 0.0, 0.0],
        seed_limit=2,
        expanded_per_seed=per_seed,
        max_documents=most,
    )
    found = planned(undone, made)
    ids = [each["document_id"] for each in made["seed_documents"] + made["expanded_documents"]]
    assert (found.documents, found.seeds, found.over_caps) == (ids, len(made["seed_documents"]), 0)
    assert len(found.reasons) == len(ids)
    assert found.places == list(range(1, len(ids) + 1))


def test_an_empty_plan(boss: Connection) -> None:
    assert planned(boss, claiming([], {})) == Planned([], [], [], 0, 0)


class TestItsOwnLimits:
    @pytest.mark.parametrize("most", range(6))
    def test_max_documents(self, boss: Connection, most: int) -> None:
        """Seeds count first, and what a seed that is left out brought in goes with it."""
        made = claiming(
            ["a", "b"],
            {"x": [("b", "cites")], "y": [("a", "cites")], "z": [("a", "cites")]},
            max_documents=most,
        )
        expected = [[], ["a"], ["a", "b"], ["a", "b", "x"], ["a", "b", "x", "y"], ["a", "b", "x", "y", "z"]]
        found = planned(boss, made)
        assert (found.documents, found.seeds) == (expected[most], min(most, 2))
        assert found.over_caps == 5 - most

    @pytest.mark.parametrize("limit", [0, 1, 2, 9])
    def test_seed_limit_is_for_what_was_found(self, boss: Connection, limit: int) -> None:
        made = claiming(
            ["g", "a", "b"], {"x": [("b", "cites")], "y": [("g", "cites")]}, "search", seed_limit=limit
        )
        made["seed_documents"][0]["origin"] = "given"
        found = planned(boss, made)
        assert found.documents == ["g", *["a", "b"][:limit], *(["x"] if limit > 1 else []), "y"]
        assert found.reasons[0] == "seed 1, given"
        assert found.places == [1, *[2, 3][:limit], *([4] if limit > 1 else []), 5]
        assert found.over_caps == 5 - len(found.documents)

    def test_of_a_seed_the_first_by_type_then_id(self, boss: Connection) -> None:
        """As planning orders them, whatever the order in the plan; it stays the order of what is left."""
        made = claiming(
            ["s"],
            {
                "d": [("s", "b")],
                "late": [("s", "c")],
                "both": [("s", "c"), ("s", "a")],
                "B": [("s", "b")],
                "c": [("s", "B")],
            },
        )
        expected = [["c"], ["both", "c"], ["both", "B", "c"], ["d", "both", "B", "c"]]
        for limit, documents in enumerate(expected, start=1):
            found = planned(boss, changed("constraints.expanded_per_seed", limit, made))
            assert (found.documents, found.over_caps) == (["s", *documents], 5 - limit)

    def test_within_the_limit_of_one_seed_is_enough(self, boss: Connection) -> None:
        """And all of its reasons stay."""
        made = claiming(
            ["a", "b"],
            {"x": [("a", "c")], "y": [("a", "c")], "z": [("a", "c"), ("b", "c")]},
            expanded_per_seed=1,
        )
        assert planned(boss, made)[:3] == (
            ["a", "b", "x", "z"],
            [1, 2, 3, 5],
            ["seed 1, given", "seed 2, given", "a c this", "a c this; b c this"],
        )


class TestTheHighestLimits:
    MOST: Mapping[str, Any] = dict.fromkeys(("seed_limit", "expanded_per_seed", "max_documents"), 2147483647)

    def test_documents(self, boss: Connection) -> None:
        ids = [f"d{number:04d}" for number in range(1000)]
        made = claiming(ids, {}, **self.MOST)
        for number in range(200):
            made["seed_documents"][number + 200]["origin"] = "search"
        found = planned(boss, made)
        assert (found.documents, found.over_caps) == (ids[:400], 600)

    @pytest.mark.parametrize("origin", ["given", "search", "something else", ""])
    def test_seeds_of_one_origin(self, boss: Connection, origin: str) -> None:
        ids = [f"d{number:04d}" for number in range(250)]
        found = planned(boss, claiming(ids, {}, origin, **self.MOST))
        assert (found.documents, found.seeds, found.over_caps) == (ids[:200], 200, 50)

    def test_of_one_seed(self, boss: Connection) -> None:
        expanded = {f"x{number:04d}": [("s", "cites")] for number in range(10_000)}
        found = planned(boss, claiming(["s"], expanded, **self.MOST))
        assert (found.documents, found.over_caps) == (["s", *list(expanded)[:200]], 9800)
