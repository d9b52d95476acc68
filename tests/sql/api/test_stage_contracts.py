"""The contracts of the three stages, as their decision record has them: each sentence a test of its name.

Responsibility, Requires and Ensures of `search_nodes`, `expand_dependency_tree` and `fetch_node_texts`, and
what all three must do about access. Each filter in each stage by itself: tests/sql/test_wall_stages.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from docgraph import calls
from docgraph.plan.rows import SearchHit
from tests.sql.asking import Connection, refusal, refused
from tests.sql.planning import NORTH, hits, plan
from tests.sql.stages import Json, edges, fetched, nodes, pipeline, tree
from tests.sql.writing import put, relate

TEXT = {
    "document_nodes": ["title", "source", "summary", "section_titles", "metadata"],
    "vector_chunks": ["text", "section_path"],
    "document_relationships": ["evidence"],
}
"""Columns with text that somebody wrote."""


@pytest.fixture
def library(undone: Connection) -> Connection:
    """A question finds a and b; a leads to c, and that to d; c is for some only."""
    for name, vector in {"a": [1, 0, 0, 0], "b": [9, 1, 0, 0], "c": [0, 1, 0, 0], "d": [0, 0, 1, 0]}.items():
        chunks = [{"text": f"words of {name}", "embedding": vector, "token_count": 3}]
        tags = {"tags": ["hr"]} if name == "c" else {}
        put(
            undone,
            {"id": name, "summary": f"about {name}", "summary_embedding": vector, "chunks": chunks, **tags},
            access={"tags": ["hr"]},
        )
    relate(undone, ("a", "calls", "c"), ("c", "calls", "d"), ("a", "calls", "b"), access={"tags": ["hr"]})
    return undone


@contextmanager
def without_text(superuser: Connection) -> Iterator[None]:
    """The owner of the functions may read every column but those with text; undone afterwards."""
    with superuser.transaction(force_rollback=True):
        for table, columns in TEXT.items():
            rows = superuser.execute(
                "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
                " AND NOT attisdropped AND attname <> ALL (%s)",
                (f"docgraph.{table}", columns),
            )
            others = ", ".join(name for (name,) in rows)
            superuser.execute(f"REVOKE SELECT ON docgraph.{table} FROM docgraph_owner".encode())
            superuser.execute(f"GRANT SELECT ({others}) ON docgraph.{table} TO docgraph_owner".encode())
        yield


def words_in(value: Any) -> bool:
    return "words of" in json.dumps(value) or "about " in json.dumps(value)


class TestSearchNodes:
    """Stage 1: retrieval and candidate selection."""

    @pytest.mark.parametrize(
        ("mode", "question", "found"),
        [
            ("semantic", {}, ["a", "b"]),
            ("bm25", {"query_embedding": None, "query_text": "b or d -about"}, ["b", "d"]),
            ("hybrid", {"query_text": "d"}, ["d", "a"]),
        ],
    )
    @pytest.mark.parametrize("search_in", ["summaries", "chunks"])
    def test_responsibility_it_performs_retrieval_in_a_supported_mode(
        self, library: Connection, mode: str, question: Json, found: list[str], search_in: str
    ) -> None:
        rows = hits(library, mode=mode, search_in=search_in, max_nodes=2, **question)
        assert [row[1] for row in rows] == found

    @pytest.mark.parametrize("search_in", ["summaries", "chunks"])
    @pytest.mark.parametrize("mode", ["semantic", "bm25", "hybrid"])
    def test_responsibility_reranking_is_internal_and_changes_no_contract(
        self, library: Connection, mode: str, search_in: str
    ) -> None:
        """The same candidates in another order: none comes in, none goes, and no row says more or less."""
        how: Json = {"mode": mode, "search_in": search_in, "query_text": "d or b or b"}
        if mode == "bm25":
            how["query_embedding"] = None
        keyword = {"rerank": "keyword", "rerank_lexical": mode != "semantic"}
        before = hits(library, **{**how, "query_text": None} if mode == "semantic" else how)
        after = hits(library, **how, **keyword)
        assert [row[0] for row in after] == [row[0] for row in before]
        assert sorted(row[1:] for row in after) == sorted(row[1:] for row in before)
        assert [row[1] for row in after[:2]] == ["b", "d"]
        assert hits(library, **how, **keyword, max_nodes=1) == after[:1]
        assert not words_in(after)

    def test_fail_fast_a_mode_that_is_not_supported(self, library: Connection) -> None:
        error = refusal(library, calls.SEARCH_NODES, mode="guessing")
        assert error.diag.sqlstate == "22023"
        assert str(error.diag.message_primary).startswith("mode must be ")

    def test_ensures_only_canonical_ids(self, library: Connection) -> None:
        """Of nodes or chunks, with their rank and how they were found; no text, and no score."""
        for search_in in ("summaries", "chunks"):
            rows = hits(library, search_in=search_in)
            found = [SearchHit(*row) for row in rows]
            assert [hit.rank for hit in found] == [1, 2, 3]
            assert {hit.document_id for hit in found} <= {"a", "b", "d"}
            assert not words_in(rows)

    def test_ensures_text_is_not_even_read(self, library: Connection) -> None:
        with without_text(library):
            assert len(hits(library, search_in="chunks")) == len(hits(library)) == 3


class TestExpandDependencyTree:
    """Stage 2: graph expansion."""

    def test_responsibility_it_expands_from_the_seeds_of_a_search(self, library: Connection) -> None:
        seeds = [row[1] for row in hits(library, max_nodes=1)]
        assert list(nodes(tree(library, *seeds))) == ["a", "b"]

    def test_responsibility_it_traverses_by_the_configured_constraints(self, library: Connection) -> None:
        """Depth, node limit, edge allow-list."""
        wide: Json = {"access": {"tags": ["hr"]}}
        assert list(nodes(tree(library, "a", **wide))) == ["a", "b", "c", "d"]
        assert list(nodes(tree(library, "a", max_depth=1, **wide))) == ["a", "b", "c"]
        assert list(nodes(tree(library, "a", max_nodes=2, **wide))) == ["a", "b"]
        assert list(nodes(tree(library, "a", edge_allowlist=["imports"], **wide))) == ["a"]

    @pytest.mark.parametrize("seeds", [[], None])
    def test_requires_a_non_empty_set_of_seeds(self, library: Connection, seeds: list[str] | None) -> None:
        error = refusal(library, calls.EXPAND_DEPENDENCY_TREE, seeds=seeds)
        assert error.diag.sqlstate == "22023"
        expected = (
            "seeds must be a plain list of ids of 1 to 512 bytes, without null"
            if seeds is None
            else "seeds must not be empty"
        )
        assert error.diag.message_primary == expected
        assert error.diag.message_hint

    def test_ensures_expanded_ids_and_dependency_edges(self, library: Connection) -> None:
        found = tree(library, "a", access={"tags": ["hr"]})
        assert found.keys() == {"nodes", "edges", "truncated", "omitted"}
        assert edges(found) == [("a", "calls", "b"), ("a", "calls", "c"), ("c", "calls", "d")]

    def test_ensures_it_operates_on_identities_and_relationships_never_on_text(
        self, library: Connection
    ) -> None:
        found = tree(library, "a", access={"tags": ["hr"]}, direction="both")
        assert not words_in(found)
        with without_text(library):
            assert tree(library, "a", access={"tags": ["hr"]}, direction="both") == found
            assert (
                refused(
                    library,
                    "SELECT docgraph.fetch_node_texts('default', '{}', seeds => '{a}', max_chars => 9)",
                ).diag.sqlstate
                == "42501"
            )

    def test_access_a_hidden_node_is_cut_in_the_step(self, library: Connection) -> None:
        """Neither shown nor passed through: what lies behind it is not reached, and no edge dangles."""
        found = tree(library, "a", max_depth=10)
        assert list(nodes(found)) == ["a", "b"]
        assert edges(found) == [("a", "calls", "b")]
        assert found["truncated"] == []

    def test_access_unknown_and_hidden_seeds_read_the_same(self, library: Connection) -> None:
        for seeds in (["c"], ["a", "c"], ["c", "b"]):
            unknown = ["nobody" if each == "c" else each for each in seeds]
            assert tree(library, *seeds) == tree(library, *unknown)
        assert tree(library, "c") == {"nodes": [], "edges": [], "truncated": [], "omitted": 1}

    def test_access_what_is_hidden_uses_up_no_limit(self, library: Connection) -> None:
        found = tree(library, "a", max_nodes=2, fan_out=1)
        assert (list(nodes(found)), found["truncated"]) == (["a", "b"], [])


class TestFetchNodeTexts:
    """Stage 3: text materialisation."""

    def test_responsibility_it_fetches_the_texts_of_expanded_nodes(self, library: Connection) -> None:
        expanded = tree(library, "a", access={"tags": ["hr"]})
        rows, _ = fetched(library, expanded["nodes"], access={"tags": ["hr"]}, budget_tokens=100)
        assert [(row.id, row.text, row.depth, row.parent) for row in rows] == [
            ("a", "words of a", 0, None),
            ("b", "words of b", 1, "a"),
            ("c", "words of c", 1, "a"),
            ("d", "words of d", 2, "c"),
        ]

    def test_responsibility_it_enforces_explicit_size_limits(self, library: Connection) -> None:
        expanded = tree(library, "a", access={"tags": ["hr"]})["nodes"]
        for limit, shown in (({"max_chars": 20}, 2), ({"max_chars": 19}, 1), ({"budget_tokens": 11}, 3)):
            rows, bill = fetched(library, expanded, access={"tags": ["hr"]}, **limit)
            assert len(rows) == shown
            assert bill["budget"]["used"] <= bill["budget"]["limit"]

    @pytest.mark.parametrize(
        ("budget", "message"),
        [
            ({"max_chars": None, "budget_tokens": None}, "max_chars or budget_tokens must be given"),
            ({"max_chars": 9, "budget_tokens": 9}, "max_chars and budget_tokens must not both be given"),
            ({"max_chars": None, "budget_tokens": 0}, "budget_tokens must be from 1 to 10000000"),
            ({"max_chars": -1, "budget_tokens": None}, "max_chars must be from 1 to 10000000"),
        ],
    )
    def test_fail_fast_the_budget(self, library: Connection, budget: dict[str, Any], message: str) -> None:
        error = refusal(library, calls.FETCH_NODE_TEXTS, **budget)
        assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", message)

    def test_requires_expanded_ids(self, library: Connection) -> None:
        error = refusal(library, calls.FETCH_NODE_TEXTS, nodes=None, seeds=None)
        assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", "nodes or seeds must be given")

    def test_requires_or_seeds_as_a_fallback(self, library: Connection) -> None:
        rows, _ = fetched(library, [], seeds=["b", "a"], budget_tokens=100)
        assert [row.id for row in rows] == ["b", "a"]

    def test_ensures_textual_payloads_and_how_to_treat_them(self, library: Connection) -> None:
        rows, bill = fetched(library, seeds=["a", "c"], access={"tags": ["hr"]}, budget_tokens=100)
        assert [(row.text, row.tokens, row.running_total) for row in rows] == [
            ("words of a", 3, 3),
            ("words of c", 3, 6),
        ]
        assert bill["sensitivity"] == {"tags": ["hr"], "labels": [], "clearance": 0}

    def test_access_every_id_is_authorised_anew(self, library: Connection) -> None:
        expanded = tree(library, "a", access={"tags": ["hr"]})["nodes"]
        rows, bill = fetched(library, expanded, budget_tokens=100)
        assert [row.id for row in rows] == ["a", "b", "d"]
        assert bill["nodes"]["missing"] == 1
        as_unknown = json.loads(json.dumps(expanded).replace('"c"', '"nobody"'))
        assert [row[:4] for row in fetched(library, as_unknown, budget_tokens=100)[0]] == [
            row[:4] for row in rows
        ]


class TestThePipeline:
    """search_nodes, expand_dependency_tree, fetch_node_texts."""

    def test_text_is_materialised_only_at_the_last_stage(self, library: Connection) -> None:
        found = pipeline(library, query_embedding=NORTH, seed_limit=1)
        assert words_in(found["node_texts"])
        assert not [key for key, value in found.items() if key != "node_texts" and words_in(value)]

    def test_it_is_the_three_one_after_the_other(self, library: Connection) -> None:
        for access in ({}, {"tags": ["hr"]}):
            found = pipeline(library, query_embedding=NORTH, seed_limit=1, access=access, budget_tokens=9)
            seeds = [row[1] for row in hits(library, max_nodes=1, access=access)]
            expanded = tree(library, *seeds, access=access)
            rows, bill = fetched(library, expanded["nodes"], seeds=seeds, access=access, budget_tokens=9)
            assert [hit["document_id"] for hit in found["retrieval_seed_nodes"]] == seeds
            assert found["expanded_nodes"] == expanded["nodes"]
            assert found["dependency_edges"] == expanded["edges"]
            assert [text["text"] for text in found["node_texts"]] == [row.text for row in rows]
            assert found["accounting"] == {
                "truncated": expanded["truncated"],
                "omitted": expanded["omitted"],
                "warnings": [],
                "texts": bill,
            }

    def test_where_nothing_is_found_every_artefact_is_empty(self, undone: Connection) -> None:
        found = pipeline(undone, query_embedding=NORTH)
        assert [found[key] for key in found if key != "accounting"] == [[], [], [], []]
        assert found["accounting"]["texts"]["budget"] == {"unit": "tokens", "limit": 8000, "used": 0}

    def test_it_works_on_the_transaction_of_the_caller(self, library: Connection) -> None:
        """Of whatever level, and read only: it is one statement, and so one snapshot."""
        library.execute("SET LOCAL transaction_read_only = on")
        assert pipeline(library, seeds=["a"])["expanded_nodes"]


def test_a_plan_does_not_expand_a_tree(library: Connection) -> None:
    """It is one hop, by functions of its own: it works where those of the stages are gone."""
    before = plan(library, seeds=["a"], query_embedding=NORTH)
    with library.transaction(force_rollback=True):
        for name in (
            *("run_pipeline", "expand_dependency_tree", "fetch_node_texts", "expand_tree", "leads_on"),
            *("follow_links", "links_from", "links_to", "node_texts", "order_nodes"),
        ):
            library.execute(f"DROP FUNCTION docgraph.{name}".encode())
        assert plan(library, seeds=["a"], query_embedding=NORTH) == before


def test_stages_work_without_plans(library: Connection) -> None:
    """And the other way round."""
    before = pipeline(library, query_embedding=NORTH)
    with library.transaction(force_rollback=True):
        for name in (
            "retrieve_many",
            "retrieve",
            "plan_retrieval",
            "make_plan",
            "expand_once",
            "first_links",
        ):
            library.execute(f"DROP FUNCTION docgraph.{name}".encode())
        assert pipeline(library, query_embedding=NORTH) == before
