"""The calls for contexts: what is sent, and what rows become."""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Any, get_type_hints

import numpy as np
import pytest

from docgraph import calls, retrieving
from docgraph.access import Access
from docgraph.adapting import vectors
from docgraph.calls import Call, Request
from docgraph.context import Accounting
from docgraph.errors import InvalidArgument
from tests.unit.contexts import context, written_out
from tests.unit.plans import plan
from tests.unit.plans import written_out as written_plan

WHO = ("t", Access())


@pytest.mark.parametrize(
    ("call", "arguments", "beside"),
    [
        (calls.EXECUTE_PLAN, retrieving.EvidenceArguments, {"plan"}),
        (calls.ASSEMBLE_CONTEXT, retrieving.ContextArguments, {"plan"}),
        (calls.RETRIEVE_BY_PLAN, retrieving.ContextArguments, {"plan"}),
        (calls.RETRIEVE_BY_PLAN, retrieving.ExecuteOptions, {"plan", "query_embedding", "query_text"}),
        (calls.RETRIEVE, retrieving.RetrieveOptions, {"query_embedding", "query_text", "seeds"}),
        (calls.RETRIEVE_MANY, retrieving.ManyArguments, set()),
        (calls.RETRIEVE_MANY, retrieving.RetrieveOptions, {"query_embeddings", "query_texts", "seeds"}),
    ],
)
def test_the_options_are_the_parameters(call: Call[Any], arguments: type, beside: set[str]) -> None:
    assert get_type_hints(arguments).keys() == call.parameters.keys() - {"tenant", "access"} - beside


def test_what_is_not_said_is_not_sent() -> None:
    assert list(calls.retrieve(*WHO).arguments) == ["tenant", "access"]
    assert list(calls.retrieve_many(*WHO).arguments) == ["tenant", "access", "query_embeddings"]
    requests: list[Request[Any]] = [
        calls.execute_plan(*WHO, plan()),
        calls.assemble_context(*WHO, written_plan()),
        calls.retrieve_by_plan(*WHO, plan()),
    ]
    for request in requests:
        assert list(request.arguments) == ["tenant", "access", "plan"]


def test_a_context_is_no_plan() -> None:
    with pytest.raises(InvalidArgument, match="plan must be a plan, not RetrievedContext"):
        calls.execute_plan(*WHO, context())  # type: ignore[arg-type]  # what is refused


@pytest.mark.parametrize("builder", [calls.retrieve, calls.retrieve_many])
@pytest.mark.parametrize("seeds", [{"a"}, frozenset("a")])
def test_seeds_have_an_order(builder: Any, seeds: Any) -> None:
    with pytest.raises(InvalidArgument, match="seeds must be a list: their order counts"):
        builder(*WHO, seeds=seeds)


@pytest.mark.parametrize(
    "value",
    [
        [[0.5, -1.0, 3.0], [1.0, 2.0, 4.0]],
        ((0.5, -1, 3), [1, 2, 4]),
        np.array([[0.5, -1, 3], [1, 2, 4]]),
        [np.array([0.5, -1, 3]), np.array([1, 2, 4], dtype=np.int8)],
    ],
)
def test_several_vectors_go_as_an_array_of_two_dimensions(value: Any) -> None:
    sent = calls.retrieve_many(*WHO, value).arguments["query_embeddings"]
    assert isinstance(sent, bytes)
    found = struct.unpack(">7i" + 6 * "id", sent)
    # Dimensions, nulls, type; then each dimension with its first index.
    assert found[:7] == (2, 0, 701, 2, 1, 3, 1)
    assert found[7:] == (8, 0.5, 8, -1.0, 8, 3.0, 8, 1.0, 8, 2.0, 8, 4.0)


@pytest.mark.parametrize("value", [[], np.empty((0, 4))])
def test_nothing_has_no_dimensions(value: Any) -> None:
    assert vectors("value", value) == struct.pack(">3i", 0, 0, 701)


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("[[1]]", "not str"),
        (1.0, "not float"),
        ({(1.0,)}, "not set"),
        ([0.5, 1.0], "not float"),
        (np.array([0.5, 1.0]), "not float"),
        ([[0.5], None], "not NoneType"),
        ([[0.5], "0.5"], "not str"),
        ([[0.5], [True]], "not with bool in it"),
        ([[[0.5]]], "not with list in it"),
        (np.zeros((1, 1, 1)), "not with list in it"),
        ([[0.5], [0.5, 1.0]], "of the same length"),
        ([[10**400]], "of double precision"),
        ([[Decimal("sNaN")]], "of double precision"),
        ([[]], "none of them empty"),
        (np.zeros((2, 0)), "none of them empty"),
    ],
)
def test_only_vectors_are_vectors(value: Any, what: str) -> None:
    with pytest.raises(InvalidArgument, match="query_embeddings must be a list of vectors") as caught:
        calls.retrieve_many(*WHO, value)
    assert caught.value.message.endswith(what)
    assert caught.value.hint == "For example query_embeddings=[[0.25, -1.5], [1, 0]]."


def test_rows() -> None:
    row = (1, "a.md", "seed", 2, "text", 3, ["A", "B"], 0.5, 1, "similarity", "seed 1, given", 0)
    (evidence,) = calls.EXECUTE_PLAN.result([row])
    assert evidence.section_path == ("A", "B")
    why = (1, "similarity", "seed 1, given")
    piece = ("evidence", 1, "a.md", "seed", "chunk", 2, "text", 3, 3, 0.5, *why, None)
    bill = ("accounting", *[None] * 12, written_out()["accounting"])
    first, last = calls.ASSEMBLE_CONTEXT.result([piece, bill])
    assert (first.text, first.chosen, first.chosen_by) == ("text", 1, "similarity")
    assert (first.why, first.accounting) == ("seed 1, given", None)
    assert last.accounting == context().accounting
    assert isinstance(last.accounting, Accounting)
    assert calls.RETRIEVE.result([(written_out(),)]) == context()
    assert calls.RETRIEVE_MANY.result([(1, written_out()), (2, written_out())]) == [context()] * 2
