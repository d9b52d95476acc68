"""plan_retrieval: the seeds of a plan, given and found, and what belongs to the first one found."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from docgraph import calls
from tests.sql.asking import Connection, ask, refusal
from tests.sql.planning import NORTH, by_ids, plan, plan_text, put_seeds, put_world, seeds_of, whole
from tests.sql.writing import put

BOARD = {"tags": ["board"]}


def found_seeds(made: dict[str, Any]) -> list[str]:
    return [seed["document_id"] for seed in made["seed_documents"] if seed["origin"] == "search"]


class TestGivenSeeds:
    def test_in_the_order_in_which_they_are_first_named(self, undone: Connection) -> None:
        put_world(undone, summaries={"a": NORTH, "b": NORTH, "c": NORTH})
        expected = by_ids(undone, [("c", "given"), ("a", "given"), ("b", "given")], {})
        assert plan(undone, seeds=["c", "a", "c", "b", "a"]) == expected

    def test_hidden_and_unknown_ones_are_left_out_alike(self, undone: Connection) -> None:
        put(undone, {"id": "a"}, {"id": "z"}, {"id": "secret", "tags": ["board"]}, access=BOARD)
        asked = {"seeds": ["z", "secret", "nowhere", "nowhere", "a"]}
        made = plan_text(undone, **asked)
        assert plan(undone, **asked) == by_ids(undone, [("z", "given"), ("a", "given")], {}, omitted=2)
        ask(undone, calls.DELETE_DOCUMENTS, documents=["secret"], access='{"tags": ["board"]}')
        assert plan_text(undone, **asked) == made

    def test_an_array_may_begin_anywhere(self, undone: Connection) -> None:
        """In PostgreSQL the first of them need not be number 1."""
        put_world(undone, ("a", "cites", "x"), ("b", "cites", "y"), summaries={"a": NORTH})
        statement = (
            "SELECT docgraph.plan_retrieval('default', '{}', '[7:10]={1,0,0,0}', seeds => '[-1:0]={b,a}',"
            " relation_types => '[0:1]={explains,cites}', max_documents => 3)"
        )
        ((made,),) = undone.execute(statement.encode()).fetchall()
        asked = {"seeds": ["b", "a"], "relation_types": ["cites", "explains"], "max_documents": 3}
        assert made == plan(undone, query_embedding=NORTH, **asked)
        assert (seeds_of(made), made["truncated"]) == (["b", "a"], ["documents"])

    def test_those_of_another_tenant_are_unknown(self, undone: Connection) -> None:
        everything = dict.fromkeys(("repositories", "snapshots", "tags", "labels", "clearance"))
        ask(undone, calls.GRANT_ACCESS, tenant="elsewhere", login=undone.info.user, **everything)
        put(undone, {"id": "a"}, tenant="elsewhere")
        assert plan(undone, seeds=["a"]) == by_ids(undone, [], {}, omitted=1)
        made = plan(undone, seeds=["a"], tenant="elsewhere")
        assert (seeds_of(made), made["scope"]["tenant"]) == (["a"], "elsewhere")

    def test_no_seeds_are_an_empty_plan(self, undone: Connection) -> None:
        put_world(undone, ("a", "explains", "b"), summaries={"a": NORTH})
        assert plan(undone, seeds=[]) == by_ids(undone, [], {})

    def test_no_seeds_beside_a_query_are_none(self, undone: Connection) -> None:
        put_seeds(undone, "a", "b")
        assert plan_text(undone, seeds=[], query_embedding=NORTH) == plan_text(undone, query_embedding=NORTH)

    def test_200_of_them(self, undone: Connection) -> None:
        ids = [f"d{number}" for number in range(200)]
        put(undone, *({"id": each} for each in ids))
        made = plan(undone, seeds=ids + ids[::2], max_documents=400)
        assert (seeds_of(made), made["omitted"], made["truncated"]) == (ids, 0, [])

    def test_neither_seeds_nor_a_query(self, undone: Connection) -> None:
        error = refusal(undone, calls.PLAN_RETRIEVAL, seeds=None, query_embedding=None)
        assert error.diag.sqlstate == "22023"
        assert error.diag.message_primary == "query_embedding and seeds must not both be null"
        assert error.diag.message_hint


class TestFoundSeeds:
    def test_the_nearest_in_order_of_distance_and_id(self, undone: Connection) -> None:
        same: list[float] = [1, 1, 0, 0]
        put_world(undone, summaries={"é": same, "a": same, "Z": same, "first": NORTH, "last": [0, 1, 0, 0]})
        expected = [(each, "search") for each in ("first", "Z", "a", "é")]
        limits = {"seed_limit": 4}
        assert plan(undone, query_embedding=NORTH, **limits) == whole(
            undone, expected, {}, constraints=limits
        )

    def test_five_of_them_if_nothing_is_said(self, undone: Connection) -> None:
        put_seeds(undone, *"abcdefg")
        assert seeds_of(plan(undone, query_embedding=NORTH)) == [*"abcde"]
        assert seeds_of(plan(undone, query_embedding=NORTH, seed_limit=0)) == []
        assert seeds_of(plan(undone, query_embedding=NORTH, seed_limit=200)) == [*"abcdefg"]

    def test_given_ones_are_not_found_again_and_take_no_place_of_the_found(self, undone: Connection) -> None:
        put_seeds(undone, *"abcdef")
        asked = {"query_embedding": NORTH, "seed_limit": 2, "seeds": ["c", "a"]}
        expected = [("c", "given"), ("a", "given"), ("b", "search"), ("d", "search")]
        for method in ("exact", "approximate"):
            made = plan(undone, **asked, method=method)
            assert made == whole(undone, expected, {}, constraints={"seed_limit": 2}, method=method)

    def test_by_the_nearest_chunk(self, undone: Connection) -> None:
        def chunk(*embedding: float) -> dict[str, Any]:
            return {"text": str(embedding), "embedding": embedding}

        crowd = [chunk(9, number / 100, 0, 0) for number in range(50)]
        put(
            undone,
            {"id": "far", "summary_embedding": NORTH, "chunks": [chunk(-1, 0, 0, 0), chunk(1, 1, 0, 0)]},
            {"id": "crowd", "chunks": crowd},
            {"id": "farthest", "chunks": [chunk(0, 1, 0, 0), {"text": "without"}]},
            {"id": "no embedding", "summary_embedding": NORTH, "chunks": [{"text": "without"}]},
        )
        expected = [("crowd", "search"), ("far", "search"), ("farthest", "search")]
        for method in ("exact", "approximate"):
            how: dict[str, Any] = {"search_in": "chunks", "method": method}
            assert plan(undone, query_embedding=NORTH, **how) == whole(undone, expected, {}, **how)
            made = plan(undone, query_embedding=NORTH, seed_limit=1, seeds=["crowd"], **how)
            assert seeds_of(made) == ["crowd", "far"]

    def test_what_has_no_embedding_can_only_be_given(self, undone: Connection) -> None:
        put_world(undone, summaries={"a": NORTH})
        put(undone, {"id": "b"})
        assert seeds_of(plan(undone, query_embedding=NORTH)) == ["a"]
        assert seeds_of(plan(undone, query_embedding=NORTH, seeds=["b"])) == ["b", "a"]

    def test_hidden_ones_are_not_found(self, undone: Connection) -> None:
        put(undone, {"id": "secret", "summary_embedding": NORTH, "tags": ["board"]}, access=BOARD)
        put_seeds(undone, "a")
        assert seeds_of(plan(undone, query_embedding=NORTH)) == ["a"]
        assert seeds_of(plan(undone, query_embedding=NORTH, access=BOARD)) == ["a", "secret"]


def put_runs(connection: Connection) -> None:
    """North to south: of the first run a, d and e, of the second b, of none c and f; types likewise mixed."""
    for name in ("first", "second"):
        ask(connection, calls.BEGIN_INGESTION, ingestion=name)
    runs = {"a": "first", "b": "second", "c": None, "d": "first", "e": "first", "f": None}
    types = {"a": "x", "b": "x", "c": "X", "d": "", "e": "x", "f": ""}
    for number, (each, run) in enumerate(runs.items()):
        document = {"id": each, "doc_type": types[each], "summary_embedding": [9, number, 0, 0]}
        put(connection, document, ingestion=run)


class TestDominantScope:
    @pytest.mark.parametrize(
        ("scope", "seeds", "expected"),
        [
            ("none", [], [*"abcdef"]),
            ("ingestion", [], ["a", "d", "e"]),
            ("ingestion", ["a"], ["b"]),
            ("ingestion", ["a", "b"], ["c", "f"]),
            ("doc_type", [], ["a", "b", "e"]),
            ("doc_type", ["a", "b"], ["c"]),
            ("doc_type", ["a", "b", "c"], ["d", "f"]),
        ],
    )
    def test_keeps_what_belongs_to_the_first_that_was_found(
        self, undone: Connection, scope: str, seeds: list[str], expected: list[str]
    ) -> None:
        """Given ones stay, whatever they belong to."""
        put_runs(undone)
        limits: dict[str, Any] = {"seed_limit": 9, "dominant_scope": scope}
        made = plan(undone, query_embedding=NORTH, seeds=seeds, **limits)
        origins = [(each, "given") for each in seeds] + [(each, "search") for each in expected]
        dropped = 6 - len(seeds) - len(expected)
        assert made == whole(undone, origins, {}, constraints=limits, dropped=dropped)

    @pytest.mark.parametrize("scope", ["none", "ingestion", "doc_type", "cluster"])
    def test_what_is_kept_stays_in_its_order(self, undone: Connection, scope: str) -> None:
        put_seeds(undone, "b", "c", "a")
        made = plan(undone, query_embedding=NORTH, dominant_scope=scope)
        assert (found_seeds(made), made["dropped"]) == (["b", "c", "a"], 0)

    def test_what_is_dropped_is_not_made_up_for(self, undone: Connection) -> None:
        put_runs(undone)
        made = plan(undone, query_embedding=NORTH, seed_limit=3, dominant_scope="ingestion")
        assert (found_seeds(made), made["dropped"]) == (["a"], 2)

    @pytest.mark.parametrize("scope", ["ingestion", "doc_type", "cluster"])
    def test_where_nothing_is_found_nothing_is_dropped(self, undone: Connection, scope: str) -> None:
        put(undone, {"id": "z"})
        made = plan(undone, query_embedding=NORTH, seeds=["z"], dominant_scope=scope)
        assert (seeds_of(made), made["dropped"]) == (["z"], 0)
        made = plan(undone, seeds=["z"], dominant_scope=scope)
        assert (seeds_of(made), made["dropped"]) == (["z"], 0)

    @pytest.mark.parametrize(
        ("scope_distance", "expected"),
        [
            ("-1", ["a"]),
            ("0", ["a", "b"]),
            ("0.292892", ["a", "b"]),
            ("0.292893", ["a", "b", "c"]),
            ("0.2928930", ["a", "b", "c"]),
            ("0.99", ["a", "b", "c"]),
            ("1", ["a", "b", "c", "d"]),
            ("2.0", ["a", "b", "c", "d", "e"]),
        ],
    )
    def test_cluster_is_a_distance_from_the_first_ones_summary(
        self, undone: Connection, scope_distance: str, expected: list[str]
    ) -> None:
        """Rounded to six digits, as every distance. The constraint is the number, without idle zeros."""
        vectors = {
            "a": [1, 0, 0, 0],
            "b": [2000, 1, 0, 0],
            "c": [1, 1, 0, 0],
            "d": [0, 1, 0, 0],
            "e": [-1, 0, 0, 0],
        }
        put_world(undone, summaries=vectors)
        asked = {"dominant_scope": "cluster", "scope_distance": Decimal(scope_distance)}
        made = plan(undone, query_embedding=NORTH, **asked)
        text = "2" if scope_distance == "2.0" else scope_distance.replace("0.2928930", "0.292893")
        constraints = {"dominant_scope": "cluster", "scope_distance": text}
        origins = [(each, "search") for each in expected]
        assert made == whole(undone, origins, {}, constraints=constraints, dropped=5 - len(expected))

    def test_cluster_without_summaries(self, undone: Connection) -> None:
        """Only the first one, whether or not it has a summary's embedding itself."""
        chunk = {"text": "t", "embedding": NORTH}
        put(
            undone, {"id": "a", "chunks": [chunk]}, {"id": "b", "chunks": [chunk], "summary_embedding": NORTH}
        )
        asked = {"query_embedding": NORTH, "search_in": "chunks", "dominant_scope": "cluster"}
        assert found_seeds(plan(undone, **asked, scope_distance=2)) == ["a"]
        assert found_seeds(plan(undone, **asked, scope_distance=2, seeds=["a"])) == ["b"]
        put(undone, {"id": "c", "chunks": [chunk]})
        assert found_seeds(plan(undone, **asked, scope_distance=2, seeds=["a"])) == ["b"]

    def test_the_distance_counts_for_a_cluster_only(self, undone: Connection) -> None:
        put_runs(undone)
        for scope in ("none", "ingestion", "doc_type"):
            asked = {"query_embedding": NORTH, "dominant_scope": scope}
            assert plan_text(undone, **asked, scope_distance=0) == plan_text(undone, **asked)


def test_what_the_call_may_see_stands_in_the_plan(undone: Connection) -> None:
    claim = {"repositories": ["z", "a"], "snapshots": []}
    made = plan(undone, seeds=[], access=claim)
    assert made["scope"] == {"tenant": "default", "repositories": ["a", "z"], "snapshots": []}


def test_without_an_embedding_space_there_are_plans_from_ids(undone: Connection) -> None:
    put_world(undone, ("a", "explains", "b"))
    undone.execute("DELETE FROM docgraph.embedding_space")
    made = plan(undone, seeds=["a"])
    assert (seeds_of(made), made["made_by"]["embedding_space"]) == (["a"], None)
    error = refusal(undone, calls.PLAN_RETRIEVAL)
    assert error.diag.sqlstate == "KG003"
