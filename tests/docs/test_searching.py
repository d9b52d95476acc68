"""The guide to searching: its examples, and what it says of parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from docgraph import DocGraph
from docgraph.errors import InvalidArgument
from docgraph.plan_calls import SEARCH_NODES
from docgraph.reranking import MOST, PLACES, WIDEN
from tests.docs.blocks import ROOT
from tests.docs.following import follow

PAGE = "docs/searching.md"


def test_every_example_prints_what_the_page_shows(tmp_path: Path) -> None:
    assert len(follow(PAGE, tmp_path)) == 2


def option_rows() -> Iterator[tuple[str, tuple[str, str]]]:
    """The parameters in the page's table, with what is usual and what is highest."""
    lines = (ROOT / PAGE).read_text().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("| in SQL and Python"))
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            return
        name, _, usual, highest = (cell.strip() for cell in line[1:-1].split("|"))
        yield name.split("`")[1], (usual.strip("`"), highest)


def test_every_parameter_is_on_the_page() -> None:
    elsewhere = {"tenant", "access", "query_embedding", "query_text"}
    assert dict(option_rows()).keys() == SEARCH_NODES.parameters.keys() - elsewhere


def test_what_is_usual_is_the_default(superuser: psycopg.Connection[tuple[str]]) -> None:
    row = superuser.execute(
        "SELECT pg_get_function_arguments(oid) FROM pg_proc WHERE oid = 'docgraph.search_nodes'::regproc"
    ).fetchone()
    assert row is not None
    defaults = dict(re.findall(r"(\w+) \w+ DEFAULT '?(\w+)", row[0]))
    for name, (usual, _) in option_rows():
        assert defaults[name] == usual
    assert defaults["max_nodes"] == str(PLACES)


@pytest.mark.parametrize("name", ["max_nodes", "rrf_k"])
def test_the_highest_is_what_the_database_takes(client: DocGraph, name: str) -> None:
    highest = int(dict(option_rows())[name][1])
    how = {"query_text": "x", "query_embedding": [1, 0, 0, 0], "mode": "hybrid"}
    client.search_nodes(**how | {name: highest})  # type: ignore[arg-type]  # whatever the parameter takes
    with pytest.raises(InvalidArgument, match=name):
        client.search_nodes(**how | {name: highest + 1})  # type: ignore[arg-type]  # whatever the parameter takes


def test_numbers(superuser: psycopg.Connection[tuple[int]]) -> None:
    def bound(name: str) -> int:
        row = superuser.execute("SELECT docgraph.bound(%s)", (name,)).fetchone()
        assert row is not None
        return row[0]

    text = (ROOT / PAGE).read_text()
    assert f"The first {bound('fused')} places of each list" in text
    assert f"`widen` ({WIDEN})" in text
    assert (bound("widening"), bound("nodes")) == (WIDEN, MOST)
    assert bound("title_words") == 12
    assert "more than twelve words" in text
