"""Calls: parameters by name and with their types, and nothing of a value in the statement."""

from __future__ import annotations

import json
import re
import struct
from array import array
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from docgraph import calls
from docgraph.access import Access, Ceiling, EmbeddingSpace
from docgraph.calls import Call
from docgraph.errors import InvalidArgument
from docgraph.plan.rows import SearchHit
from docgraph.plan_calls import PLAN_RETRIEVAL
from docgraph.stages import TreeNode
from tests.unit.plans import plan, written_out

EVERY: list[Call[Any]] = [call for call in vars(calls).values() if isinstance(call, Call)]


@pytest.mark.parametrize("call", EVERY, ids=lambda call: call.function)
def test_the_statement_names_and_casts_every_parameter(call: Call[Any]) -> None:
    found = re.fullmatch(r"SELECT \* FROM docgraph\.(\w+)\((.*)\)", call.statement)
    assert found
    assert found[1] == call.function
    # Words of the grammar. Any other type could be replaced by one on somebody's search path.
    words = {"integer", "integer[]", "double precision", "double precision[]", "numeric", "boolean"}
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


INTEGERS = [(call, name) for call in EVERY for name, kind in call.parameters.items() if kind == "integer"]


@pytest.mark.parametrize(("call", "name"), INTEGERS, ids=lambda each: getattr(each, "function", each))
@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 2**64])
def test_a_number_too_large_for_an_integer_is_refused_by_name(call: Call[Any], name: str, value: int) -> None:
    with pytest.raises(InvalidArgument, match=f"^{name} must be a whole number that fits") as refused:
        call(**{name: value})
    examples = {"budget_tokens": 2000, "max_chars": 8000}
    assert refused.value.hint == f"For example {name}={examples.get(name, 3)}."


def test_the_integers_of_the_database() -> None:
    for value in (2**31 - 1, -(2**31)):
        assert PLAN_RETRIEVAL(seed_limit=value).arguments == {"seed_limit": value}


PLANNING: dict[str, Any] = {
    "seeds": ["a"],
    "mode": "semantic",
    "search_in": "chunks",
    "method": "exact",
    "seed_limit": 1,
    "relation_types": [],
    "expanded_per_seed": 1,
    "max_documents": 1,
    "dominant_scope": "cluster",
    "scope_distance": 0.35,
    "rrf_k": 60,
    "title_hits": False,
}
ASKED: dict[str, Any] = {
    "query_embedding": [1.0],
    "query_text": "one",
    "chunk_mode": "hybrid",
    "rrf_k": 60,
}
CHOICE: dict[str, Any] = {"max_chunks": 1, "per_document": 1, "reserve": 0.5, "selection": "bridge"}
BUDGET: dict[str, Any] = {"max_chars": None, "budget_tokens": 1, "conceptual_share": 0.5}


EXPANSION: dict[str, Any] = {
    "max_depth": 1,
    "max_nodes": 1,
    "fan_out": 1,
    "edge_allowlist": ["calls"],
    "direction": "both",
}
TEXTS: dict[str, Any] = {"max_chars": None, "budget_tokens": 1, "prioritization": "balanced"}


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
        calls.search_nodes(
            "t",
            access,
            query_embedding=[1.0],
            query_text=None,
            mode="semantic",
            search_in="chunks",
            method="exact",
            max_nodes=1,
            rrf_k=60,
            title_hits=False,
            rerank="none",
            rerank_lexical=False,
        ),
        calls.candidate_texts("t", access, ["a"], [0]),
        calls.rebuild_lexical(100.0, "simple", 1.2, 0.75),
        calls.plan_retrieval(
            "t",
            access,
            query_embedding=[1.0],
            query_text=None,
            **PLANNING,
        ),
        calls.plan_documents(plan()),
        calls.explain_plan(plan()),
        calls.seal_plan(plan()),
        calls.verify_plan(plan()),
        calls.execute_plan("t", access, plan(), **ASKED, **CHOICE),
        calls.assemble_context("t", access, plan(), **ASKED, **BUDGET, **CHOICE),
        calls.retrieve(
            "t",
            access,
            query_embedding=[1.0],
            query_text=None,
            **PLANNING,
            chunk_mode=None,
            **CHOICE,
            **BUDGET,
        ),
        calls.retrieve_by_plan("t", access, plan(), **ASKED, **CHOICE, **BUDGET),
        calls.retrieve_many(
            "t", access, [[1.0]], query_texts=None, **PLANNING, chunk_mode=None, **CHOICE, **BUDGET
        ),
        calls.expand_dependency_tree("t", access, seeds=["a"], **EXPANSION),
        calls.fetch_node_texts("t", access, [TreeNode("a", 0, None, is_seed=True)], seeds=None, **TEXTS),
        calls.run_pipeline(
            "t",
            access,
            query_embedding=None,
            query_text=None,
            seeds=["a"],
            mode="semantic",
            search_in="chunks",
            method="exact",
            rrf_k=60,
            title_hits=False,
            rerank="none",
            rerank_lexical=False,
            seed_limit=1,
            **EXPANSION,
            **TEXTS,
        ),
    ]
    assert {r.call.function for r in requests} == {call.function for call in EVERY} - {"api_version"}
    for request in requests:
        assert list(request.arguments) == list(request.call.parameters)
        assert request.statement.decode() == request.call.statement


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


def test_what_is_not_said_is_not_sent() -> None:
    """The database has the defaults."""
    request = calls.plan_retrieval("t", Access(), seeds=("b", "a"), max_documents=3)
    assert request.statement == (
        b"SELECT * FROM docgraph.plan_retrieval(tenant => %(tenant)s::pg_catalog.text, "
        b"access => %(access)s::pg_catalog.jsonb, seeds => %(seeds)s::pg_catalog.text[], "
        b"max_documents => %(max_documents)s::integer)"
    )
    assert list(request.arguments) == ["tenant", "access", "seeds", "max_documents"]
    assert request.arguments["seeds"] == ["b", "a"]


def test_none_is_said() -> None:
    request = calls.plan_retrieval("t", Access(), relation_types=None)
    assert request.arguments["relation_types"] is None
    assert b"relation_types =>" in request.statement


def test_what_a_function_does_not_take() -> None:
    with pytest.raises(InvalidArgument, match="plan_retrieval does not take max_depth") as caught:
        calls.plan_retrieval("t", Access(), max_depth=2)
    assert "max_documents" in str(caught.value.hint)
    with pytest.raises(InvalidArgument) as caught:
        calls.plan_retrieval("t", Access(), seed_limits=2)
    assert str(caught.value.hint).startswith("Did you mean seed_limit? It takes ")


def test_a_plan_goes_as_its_json() -> None:
    expected = plan().to_json()
    assert calls.seal_plan(plan()).arguments == {"plan": expected}
    assert (
        json.loads(str(calls.seal_plan(MappingProxyType(written_out())).arguments["plan"])) == written_out()
    )
    for value in ("{}", 1, True, b"{}"):
        with pytest.raises(InvalidArgument, match="plan must be an object or a list") as caught:
            calls.explain_plan(value)  # type: ignore[arg-type]  # what is refused
        is_text = isinstance(value, (str, bytes))
        assert ("RetrievalPlan.from_json" in str(caught.value.hint)) == is_text


def sent(value: Any) -> bytes:
    found = PLAN_RETRIEVAL(query_embedding=value).arguments["query_embedding"]
    assert isinstance(found, bytes)
    return found


@pytest.mark.parametrize(
    "value",
    [
        [0.5, -1, 3e300, float("inf"), float("-inf")],
        (0.5, -1, 3e300, float("inf"), float("-inf")),
        array("d", [0.5, -1, 3e300, float("inf"), float("-inf")]),
        np.array([0.5, -1, 3e300, float("inf"), float("-inf")]),
        [np.float64(0.5), np.int8(-1), Fraction(3 * 10**300), np.float32("inf"), np.float16("-inf")],
    ],
    ids=lambda value: type(value).__name__,
)
def test_vectors_of_any_kind(value: Any) -> None:
    numbers = struct.unpack(">5i" + 5 * "id", sent(value))
    assert numbers[:5] == (1, 0, 701, 5, 1)
    assert numbers[5:] == (8, 0.5, 8, -1.0, 8, 3e300, 8, float("inf"), 8, float("-inf"))


def test_single_precision_is_sent_as_the_numbers_it_has() -> None:
    assert sent(np.array([0.1], dtype=np.float32)) == sent([float(np.float32(0.1))])


def test_an_empty_vector_and_null_are_for_the_database_to_refuse() -> None:
    assert sent([]) == struct.pack(">3i", 0, 0, 701)
    assert sent([1.0, None]) == struct.pack(">5iidi", 1, 1, 701, 2, 1, 8, 1.0, -1)
    assert PLAN_RETRIEVAL(query_embedding=None).arguments == {"query_embedding": None}


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("{0.1}", "not str"),
        (b"\x01", "not bytes"),
        (1.0, "not float"),
        (True, "not bool"),
        ({0.1}, "not set"),
        ({"a": 0.1}, "not dict"),
        (np.float64(1), "not float64"),
        ((x for x in [1.0]), "not generator"),
        ([0.1, True], "not with bool in it"),
        ([0.1, "0.2"], "not with str in it"),
        ([[0.1]], "not with list in it"),
        ([1j], "not with complex in it"),
        (np.array([[0.1]]), "not with list in it"),
        (np.array([True]), "not with bool in it"),
        (np.array(["1"]), "not with str in it"),
        ([np.True_], "not with bool in it"),
        ([10**400], "of double precision"),
        ([Decimal("sNaN")], "of double precision"),
    ],
)
def test_only_numbers_are_a_vector(value: Any, what: str) -> None:
    with pytest.raises(InvalidArgument, match="query_embedding must be a list of numbers") as caught:
        PLAN_RETRIEVAL(query_embedding=value)
    assert caught.value.message.endswith(what)
    assert caught.value.hint == "For example query_embedding=[0.25, -1.5]."


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, 1),
        (0.35, Decimal("0.35")),
        (np.float64(0.35), Decimal("0.35")),
        (0.1 + 0.2, Decimal("0.30000000000000004")),
        (Decimal("0.350"), Decimal("0.350")),
        (float("inf"), Decimal("Infinity")),
        (None, None),
    ],
)
def test_a_number_is_sent_as_it_is_written(value: Any, expected: Any) -> None:
    assert repr(PLAN_RETRIEVAL(scope_distance=value).arguments["scope_distance"]) == repr(expected)


@pytest.mark.parametrize("value", [True, "0.35", [0.35], 1j])
def test_only_numbers_are_numbers(value: Any) -> None:
    with pytest.raises(InvalidArgument, match="scope_distance must be a number"):
        PLAN_RETRIEVAL(scope_distance=value)


def test_an_example_of_nodes_is_one() -> None:
    with pytest.raises(InvalidArgument, match="nodes must be an object or a list, not int") as caught:
        calls.fetch_node_texts("t", Access(), 5)
    assert caught.value.hint == 'For example nodes=client.expand_dependency_tree(seeds=["a.md"]).'


def test_what_a_search_found_are_seeds() -> None:
    hit = SearchHit(1, "a", None, "exact")
    for request in (
        calls.expand_dependency_tree("t", Access(), seeds=[hit, "b"]),
        calls.fetch_node_texts("t", Access(), seeds=(hit, "b")),
        calls.run_pipeline("t", Access(), seeds=[hit, "b"]),
    ):
        assert request.arguments["seeds"] == ["a", "b"]
    for nodes in ([hit], ["a"]):
        with pytest.raises(InvalidArgument, match="nodes must be those of an expansion") as caught:
            calls.fetch_node_texts("t", Access(), nodes)
        assert "seeds=[...]" in str(caught.value.hint)
