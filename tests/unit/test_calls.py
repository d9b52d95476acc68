"""Calls: parameters by name and with their types, and nothing of a value in the statement."""

from __future__ import annotations

import re
from typing import Any

import pytest

from docgraph import calls
from docgraph.access import Access, Ceiling, EmbeddingSpace
from docgraph.calls import Call
from docgraph.errors import InvalidArgument

EVERY: list[Call[Any]] = [call for call in vars(calls).values() if isinstance(call, Call)]


@pytest.mark.parametrize("call", EVERY, ids=lambda call: call.function)
def test_the_statement_names_and_casts_every_parameter(call: Call[Any]) -> None:
    found = re.fullmatch(r"SELECT \* FROM docgraph\.(\w+)\((.*)\)", call.statement)
    assert found
    assert found[1] == call.function
    # Words of the grammar. Any other type could be replaced by one on somebody's search path.
    words = {"integer", "double precision"}
    expected = [
        f"{name} => %({name})s::{'' if kind in words else 'pg_catalog.'}{kind}"
        for name, kind in call.parameters.items()
    ]
    assert found[2] == ", ".join(expected)


def test_one_written_out() -> None:
    assert calls.WHOAMI.statement == (
        "SELECT * FROM docgraph.whoami("
        "tenant => %(tenant)s::pg_catalog.text, access => %(access)s::pg_catalog.jsonb)"
    )


def test_every_builder_gives_every_parameter() -> None:
    space = EmbeddingSpace("m", 4, "l2", "simple", 100.0)
    access = Access()
    requests: list[calls.Request[Any]] = [
        calls.whoami("t", access),
        calls.grant_access("t", Ceiling("x", None, (), ("a",), None, 0)),
        calls.revoke_access("t", "x"),
        calls.list_access("t"),
        calls.embedding_space(),
        calls.revision(),
        calls.configure_embedding_space(space),
        calls.begin_ingestion("t", access, "run", "/srv"),
        calls.finish_ingestion("t", access, "run", "finished", {}),
        calls.unchanged_documents("t", access, [], None),
        calls.put_documents("t", access, [], None, None),
        calls.delete_documents("t", access, ["a"]),
        calls.set_document_access("t", access, ["a"], {}),
        calls.put_relationships("t", access, []),
        calls.delete_relationships("t", access, []),
        calls.get_document("t", access, "a"),
        calls.list_documents("t", access, None, 1, None),
        calls.list_relationships("t", access, "a", "out", None, 1),
        calls.wal_position(),
        calls.begin_reembedding("m", 3, "l2"),
        calls.texts_to_reembed(None, 1),
        calls.put_new_vectors("m", []),
        calls.switch_embedding_space(),
    ]
    assert {r.call.function for r in requests} == {call.function for call in EVERY} - {"api_version"}
    for request in requests:
        assert list(request.arguments) == list(request.call.parameters)


def test_lists_go_as_arrays_and_absence_as_null() -> None:
    """The driver would send a tuple as a record."""
    found = calls.grant_access("t", Ceiling("x", None, (), ("a", "b"), None, None)).arguments
    assert (found["repositories"], found["snapshots"], found["tags"]) == (None, [], ["a", "b"])


def test_a_claim_goes_as_json_with_its_characters_as_they_are() -> None:
    found = calls.whoami("t", Access(tags=["é", '"', "\\"])).arguments["access"]
    assert found == r'{"tags": ["é", "\"", "\\"], "labels": [], "clearance": 0}'


@pytest.mark.parametrize("value", [True, False, 1.0, 1.5, "1", b"1", [1]])
def test_only_whole_numbers_are_whole_numbers(value: Any) -> None:
    with pytest.raises(InvalidArgument, match="clearance must be a whole number"):
        calls.grant_access("t", Ceiling("x", None, None, None, None, value))


@pytest.mark.parametrize("value", ["hr", "{a,b}", {"a": 1}, 1, b"x"])
def test_only_lists_are_lists(value: Any) -> None:
    with pytest.raises(InvalidArgument, match="tags must be a list of texts"):
        calls.grant_access("t", Ceiling("x", None, None, value, None, None))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"x", object(), {1, 2}])
def test_only_json_is_json(value: Any) -> None:
    with pytest.raises(InvalidArgument, match="access cannot be written as JSON"):
        calls.whoami("t", Access(tags=[value]))
