"""A method of a client that is given nothing: what is missing is named, by either client."""

from __future__ import annotations

import inspect

import pytest

from docgraph import DocGraph
from docgraph.errors import DocgraphError, InvalidArgument
from tests.conftest import Installed
from tests.sql.api.planned import asking

WITH_OPTIONS = [
    name
    for name, method in inspect.getmembers(DocGraph, inspect.isfunction)
    if not name.startswith("_")
    and any(p.kind is p.VAR_KEYWORD for p in inspect.signature(method).parameters.values())
]
"""What is not said among their options is not sent, and the database has no default for all of it."""


def test_there_are_such_methods() -> None:
    assert {"expand_dependency_tree", "search", "retrieve_many", "execute_plan"} <= {*WITH_OPTIONS}


@pytest.mark.parametrize("client", ["sync", "async"])
@pytest.mark.parametrize("name", [name for name in WITH_OPTIONS if name != "ingest"])
def test_nothing_is_taken_for_a_database_without_docgraph(shared: Installed, client: str, name: str) -> None:
    parameters = inspect.signature(getattr(DocGraph, name)).parameters
    with pytest.raises(DocgraphError) as caught:
        asking(client, shared.conninfo)(
            name, **({"plan": {}} if name != "plan" and "plan" in parameters else {})
        )
    assert type(caught.value) is InvalidArgument


@pytest.mark.parametrize("client", ["sync", "async"])
def test_an_expansion_without_seeds_names_them(shared: Installed, client: str) -> None:
    with pytest.raises(InvalidArgument, match=r"^seeds must ") as caught:
        asking(client, shared.conninfo)("expand_dependency_tree")
    assert caught.value.hint
