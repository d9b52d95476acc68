"""plan_retrieval: what seeds bring in by one step, why, in which order, and where the limits cut."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import calls
from tests.sql.asking import Connection, ask
from tests.sql.planning import (
    NORTH,
    by_ids,
    expanded_of,
    plan,
    plan_text,
    put_seeds,
    put_world,
    seeds_of,
    whole,
)
from tests.sql.writing import put, relate

BOARD = {"tags": ["board"]}


class TestOneStep:
    def test_in_order_of_seed_type_and_id_by_their_bytes(self, undone: Connection) -> None:
        put_world(
            undone,
            ("a", "cites", "z"),
            ("a", "Cites", "é"),
            ("a", "cites", "e\u0301"),
            ("a", "é", "A"),
            ("b", "Cites", "_"),
            ("b", "cites", "B"),
        )
        expected = {
            "é": [("a", "Cites")],
            "e\u0301": [("a", "cites")],
            "z": [("a", "cites")],
            "A": [("a", "é")],
            "_": [("b", "Cites")],
            "B": [("b", "cites")],
        }
        assert plan(undone, seeds=["a", "b"]) == by_ids(undone, [("a", "given"), ("b", "given")], expected)

    def test_every_reason_is_kept(self, undone: Connection) -> None:
        """Those of all seeds, in order of seed and type; the first one gives the place."""
        put_world(
            undone,
            ("b", "cites", "x"),
            ("a", "explains", "x"),
            ("a", "cites", "x"),
            ("a", "decides", "w"),
            ("b", "Cites", "w"),
            ("b", "explains", "v"),
        )
        expected = {
            "x": [("a", "cites"), ("a", "explains"), ("b", "cites")],
            "w": [("a", "decides"), ("b", "Cites")],
            "v": [("b", "explains")],
        }
        assert expanded_of(plan(undone, seeds=["a", "b"])) == expected
        assert list(expanded_of(plan(undone, seeds=["a", "b"]))) == ["x", "w", "v"]
        assert list(expanded_of(plan(undone, seeds=["b", "a"]))) == ["w", "x", "v"]

    def test_what_is_a_seed_is_not_brought_in(self, undone: Connection) -> None:
        """Neither as a document nor towards a limit, whoever of them comes first."""
        put_world(undone, ("a", "cites", "b"), ("b", "cites", "a"), ("b", "cites", "z"))
        for types in (None, ["cites"]):
            limits = {"expanded_per_seed": 1, "relation_types": types}
            expected = by_ids(
                undone,
                [("b", "given"), ("a", "given")],
                {"z": [("b", "cites")]},
                constraints=limits,
                among={"a": [("b", "cites")], "b": [("a", "cites")]},
            )
            assert plan(undone, seeds=["b", "a"], **limits) == expected

    def test_given_and_found_seeds_together(self, undone: Connection) -> None:
        put_world(undone, ("c", "cites", "x"), ("a", "cites", "x"), ("b", "explains", "y"))
        put_seeds(undone, "a", "b", "c")
        assert plan(undone, seeds=["c"], query_embedding=NORTH, seed_limit=1) == whole(
            undone,
            [("c", "given"), ("a", "search")],
            {"x": [("c", "cites"), ("a", "cites")]},
            constraints={"seed_limit": 1},
        )

    def test_dropped_seeds_bring_nothing_in(self, undone: Connection) -> None:
        put_world(undone, ("a", "cites", "x"), ("b", "cites", "y"))
        put(undone, {"id": "a", "doc_type": "1", "summary_embedding": NORTH})
        put(undone, {"id": "b", "doc_type": "2", "summary_embedding": [1, 1, 0, 0]})
        made = plan(undone, query_embedding=NORTH, dominant_scope="doc_type")
        assert (seeds_of(made), [*expanded_of(made)], made["dropped"]) == (["a"], ["x"], 1)

    def test_a_dropped_seed_can_be_brought_in(self, undone: Connection) -> None:
        put_world(undone, ("a", "cites", "b"))
        put_seeds(undone, "a", "b")
        put(undone, {"id": "a", "doc_type": "1", "summary_embedding": NORTH})
        made = plan(undone, query_embedding=NORTH, dominant_scope="doc_type")
        assert (seeds_of(made), expanded_of(made)) == (["a"], {"b": [("a", "cites")]})

    def test_what_waits_for_its_target_brings_nothing_in(self, undone: Connection) -> None:
        put(undone, {"id": "a"})
        relate(undone, ("a", "cites", "not there yet"))
        assert plan(undone, seeds=["a"]) == by_ids(undone, [("a", "given")], {})


class TestRelationTypes:
    EDGES = (("a", "cites", "x"), ("a", "explains", "x"), ("a", "Cites", "y"), ("b", "explains", "x"))

    @pytest.mark.parametrize(
        ("allowed", "expected"),
        [
            (["cites"], {"x": [("a", "cites")]}),
            (["explains"], {"x": [("a", "explains"), ("b", "explains")]}),
            (
                ["explains", "Cites", "explains", "no such type"],
                {"y": [("a", "Cites")], "x": [("a", "explains"), ("b", "explains")]},
            ),
            (["CITES", "cite", "cites "], {}),
            ([], {}),
        ],
    )
    def test_only_those_that_are_allowed(
        self, undone: Connection, allowed: list[str], expected: dict[str, Any]
    ) -> None:
        put_world(undone, *self.EDGES)
        made = plan(undone, seeds=["a", "b"], relation_types=allowed)
        types = sorted(set(allowed), key=str.encode)
        seeds = [("a", "given"), ("b", "given")]
        assert made == by_ids(undone, seeds, expected, constraints={"relation_types": types})
        assert list(expanded_of(made)) == list(expected)

    def test_null_is_all_and_200_may_be_named(self, undone: Connection) -> None:
        put_world(undone, *self.EDGES)
        assert [*expanded_of(plan(undone, seeds=["a"], relation_types=None))] == ["y", "x"]
        many = [f"t{number}" for number in range(199)]
        assert [*expanded_of(plan(undone, seeds=["a"], relation_types=[*many, "cites"]))] == ["x"]

    def test_the_limit_counts_what_is_allowed(self, undone: Connection) -> None:
        put_world(undone, *self.EDGES, ("a", "A", "w"))
        made = plan(undone, seeds=["a"], relation_types=["cites"], expanded_per_seed=1)
        assert ([*expanded_of(made)], made["truncated"]) == (["x"], [])


class TestHidden:
    """Neither shown, nor walked through, nor counted."""

    @pytest.mark.parametrize("types", [None, ["A", "cites"]])
    def test_neighbours(self, undone: Connection, types: list[str] | None) -> None:
        put_world(undone, ("a", "cites", "y"), ("a", "cites", "z"))
        tight = {"expanded_per_seed": 2, "max_documents": 3, "relation_types": types}
        before = plan_text(undone, seeds=["a"], **tight)
        hidden = [f"h{number}" for number in range(20)]
        put(undone, *({"id": each, "tags": ["board"]} for each in hidden), access=BOARD)
        relate(undone, *(("a", "A", each) for each in hidden), access=BOARD)
        assert plan_text(undone, seeds=["a"], **tight) == before
        made = plan(undone, seeds=["a"], access=BOARD, expanded_per_seed=200, relation_types=types)
        assert [*expanded_of(made)] == [*sorted(hidden), "y", "z"]

    @pytest.mark.parametrize("types", [None, ["cites"]])
    @pytest.mark.parametrize("held", [0, 1, 2, 5, 29, 30])
    def test_more_classes_than_relationships_and_fewer(
        self, undone: Connection, held: int, types: list[str] | None
    ) -> None:
        """Every document needs a tag of its own; one seed leads to four of them, one to all."""
        everything = [f"t{number:02}" for number in range(30)]
        wide = {"tags": everything}
        put(undone, {"id": "few"}, {"id": "many"}, {"id": "open"})
        put(undone, *({"id": each, "tags": [each]} for each in everything), access=wide)
        few = ["t00", "t01", "t28", "t29"]
        relate(undone, ("few", "cites", "open"), *(("few", "cites", each) for each in few), access=wide)
        relate(undone, *(("many", "cites", each) for each in everything), access=wide)
        asked = {"access": {"tags": everything[:held]}, "expanded_per_seed": 200, "relation_types": types}
        seen = everything[:held]
        assert [*expanded_of(plan(undone, seeds=["few"], **asked))] == [
            "open",
            *(t for t in few if t in seen),
        ]
        assert [*expanded_of(plan(undone, seeds=["many"], **asked))] == seen

    def test_seeds_and_reasons(self, undone: Connection) -> None:
        """What a hidden seed leads to is not in, and it is nobody's reason."""
        put(undone, {"id": "a"}, {"id": "x"}, {"id": "y"}, {"id": "h", "tags": ["board"]}, access=BOARD)
        relate(undone, ("h", "cites", "x"), ("h", "cites", "y"), ("a", "cites", "x"), access=BOARD)
        made = plan(undone, seeds=["h", "a"])
        assert made == by_ids(undone, [("a", "given")], {"x": [("a", "cites")]}, omitted=1)

    def test_a_way_through_what_is_hidden(self, undone: Connection) -> None:
        put(undone, {"id": "a"}, {"id": "x"}, {"id": "h", "tags": ["board"]}, access=BOARD)
        relate(undone, ("a", "cites", "h"), ("h", "cites", "x"), access=BOARD)
        assert plan(undone, seeds=["a"]) == by_ids(undone, [("a", "given")], {})

    def test_relationships_of_another_tenant(self, undone: Connection) -> None:
        everything = dict.fromkeys(("repositories", "snapshots", "tags", "labels", "clearance"))
        ask(undone, calls.GRANT_ACCESS, tenant="elsewhere", login=undone.info.user, **everything)
        for tenant in ("default", "elsewhere"):
            put(undone, {"id": "a"}, {"id": "x"}, tenant=tenant)
        relate(undone, ("a", "cites", "x"), tenant="elsewhere")
        assert plan(undone, seeds=["a"]) == by_ids(undone, [("a", "given")], {})
