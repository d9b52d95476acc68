"""The guide to retrieving: its examples, and what it says of parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from docgraph import DocGraph
from docgraph.context_calls import EXECUTE_PLAN
from docgraph.errors import InvalidArgument
from docgraph.retrieving import RetrieveOptions
from tests.docs.blocks import ROOT
from tests.docs.following import follow

PAGE = "docs/retrieving.md"


def test_every_example_prints_what_the_page_shows(tmp_path: Path) -> None:
    assert len(follow(PAGE, tmp_path)) == 4


def option_rows() -> Iterator[tuple[str, tuple[str, str]]]:
    """The parameters in the page's table, with what is usual and what is highest."""
    for line in (ROOT / PAGE).read_text().splitlines():
        if re.match(r"\| `\w+`.*\| `--", line):
            name, _, usual, highest = (cell.strip() for cell in line[1:-1].split("|"))
            yield name.split("`")[1], (usual.strip("`"), highest)


def test_every_parameter_is_on_the_page() -> None:
    elsewhere = {"tenant", "access", "plan", "query_embedding", "query_text"}
    assert dict(option_rows()).keys() == EXECUTE_PLAN.parameters.keys() - elsewhere


BOTH: dict[str, Any] = {"query": "x", "embedding": [1, 0, 0, 0], "mode": "hybrid"}


def test_what_is_usual_is_what_the_database_takes(client: DocGraph) -> None:
    found = client.retrieve(embedding=[1, 0, 0, 0]).accounting
    usual = {name: each for name, (each, _) in option_rows()}
    assert usual.pop("chunk_mode") == "the `mode` that finds seeds"
    assert int(usual.pop("rrf_k")) == client.plan(**BOTH).made_by.rrf_k
    for name, each in usual.items():
        assert str(getattr(found, name)) == each
    assert f"takes {found.budget.limit} {found.budget.unit} if" in (ROOT / PAGE).read_text()
    assert found.conceptual_share == "0.25"


@pytest.mark.parametrize("name", ["max_chunks", "per_document", "reserve"])
def test_the_highest_is_what_the_database_takes(client: DocGraph, name: str) -> None:
    highest = int(dict(option_rows())[name][1])

    def ask(number: float) -> None:
        client.retrieve(embedding=[1, 0, 0, 0], **cast("RetrieveOptions", {name: number}))

    ask(highest)
    with pytest.raises(InvalidArgument, match=name):
        ask(highest + 1 if name != "reserve" else 1.000001)
