"""The guide to planning: its examples, and what it says of parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import psycopg
import pytest

from docgraph import DocGraph
from docgraph.errors import InvalidArgument
from docgraph.plan_calls import PLAN_RETRIEVAL
from docgraph.planning import PlanArguments
from tests.docs.blocks import ROOT, block
from tests.docs.following import follow

PAGE = "docs/planning.md"


def test_every_example_prints_what_the_page_shows(tmp_path: Path) -> None:
    printed = list(follow(PAGE, tmp_path).values())
    assert printed[1].endswith(block(PAGE, "Python", "mermaid"))


def option_rows() -> Iterator[tuple[str, tuple[str, str]]]:
    """The parameters in the page's table, with what is usual and what is highest."""
    for line in (ROOT / PAGE).read_text().splitlines():
        if re.match(r"\| `\w+`.*\| `--", line):
            name, _, usual, highest = (cell.strip() for cell in line[1:-1].split("|"))
            yield name.split("`")[1], (usual.strip("`"), highest)


def test_every_parameter_is_on_the_page() -> None:
    elsewhere = {"tenant", "access", "query_embedding", "query_text"}
    assert dict(option_rows()).keys() == PLAN_RETRIEVAL.parameters.keys() - elsewhere


def test_what_is_usual_is_what_the_database_takes(client: DocGraph) -> None:
    usual = {name: value for name, (value, _) in option_rows()}
    plan = client.plan(embedding=[1, 0, 0, 0])
    for name in ("seed_limit", "expanded_per_seed", "max_documents", "dominant_scope"):
        assert str(getattr(plan.constraints, name)) == usual[name]
    assert plan.made_by.search_in == usual["search_in"]
    cluster = client.plan(embedding=[1, 0, 0, 0], dominant_scope="cluster")
    assert cluster.constraints.scope_distance == usual["scope_distance"]
    # What the page calls none and all, and auto: exact, because there are few documents.
    assert (usual["seeds"], usual["relation_types"], usual["method"]) == ("none", "all", "auto")
    assert (plan.seed_documents, plan.constraints.relation_types, plan.made_by.method) == ((), None, "exact")


@pytest.mark.parametrize(
    "name",
    ["seeds", "seed_limit", "expanded_per_seed", "max_documents", "relation_types", "scope_distance"],
)
def test_the_highest_is_what_the_database_takes(client: DocGraph, name: str) -> None:
    highest = int(dict(option_rows())[name][1])

    def ask(number: int) -> None:
        value = [f"id {n}" for n in range(number)] if name in {"seeds", "relation_types"} else number
        client.plan_retrieval(**cast("PlanArguments", {"seeds": [], name: value}))

    ask(highest)
    with pytest.raises(InvalidArgument, match=name):
        ask(highest + 1)


def test_up_to_how_many_rows_auto_is_exact(superuser: psycopg.Connection[tuple[int]]) -> None:
    row = superuser.execute("SELECT docgraph.bound('exact_rows')").fetchone()
    assert row is not None
    assert f"`auto` is exact up to {row[0]:,} rows" in (ROOT / PAGE).read_text()
