"""What is no plan is refused, from JSON, from rows and from values alike; and nothing else is."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from docgraph.errors import InvalidArgument
from docgraph.plan import Expanded, RetrievalPlan, Seed, Via
from tests.unit.plans import ROWS, changed, plan, written_out

INVARIANTS: dict[str, tuple[str, Any, str]] = {
    "another format": ("format", 2, "format must be 1"),
    "two hops": ("constraints.max_relationship_depth", 2, "max_relationship_depth must be 1"),
    "no hop": ("constraints.max_relationship_depth", 0, "max_relationship_depth must be 1"),
    "traversal": ("constraints.traversal_enabled", True, "traversal_enabled false"),
    "incoming": ("constraints.direction", "incoming", "direction outgoing"),
    "a seed twice": ("seed_documents.1.document_id", "leave.md", "stands in it twice"),
    "expanded twice": ("expanded_documents.1.document_id", "visa.md", "stands in it twice"),
    "a seed expanded": ("expanded_documents.1.document_id", "leave.md", "stands in it twice"),
    "rank 0": ("seed_documents.0.rank", 0, "rank must start from 1"),
    "rank below 0": ("seed_documents.0.rank", -1, "rank must start from 1"),
    "the same rank": ("seed_documents.1.rank", 1, "rank must start from 1 or above, and rise"),
    "a falling rank": ("seed_documents.0.rank", 3, "rank must start from 1 or above, and rise"),
    "no reason": ("expanded_documents.0.via", [], "via must have one relationship or more"),
    "a reason twice": (
        "expanded_documents.0.via.1",
        {"from": "leave.md", "relation_type": "explains"},
        "each of them once",
    ),
    "a reason from a non-seed": (
        "expanded_documents.0.via.0.from",
        "forms.md",
        "via must come from other seed_documents",
    ),
    "a reason from itself": ("expanded_documents.0.via.0.from", "visa.md", "via must come from"),
    "a reason from nowhere": ("expanded_documents.0.via.0.from", "x", "via must come from"),
}

SHAPES: dict[str, tuple[str, Any, str]] = {
    "no list": ("seed_documents", {}, "seed_documents must be a list, not dict"),
    "a text for a list": ("truncated", "documents", "truncated must be a list, not str"),
    "null for a list": ("expanded_documents", None, "expanded_documents must be a list, not NoneType"),
    "no object": ("constraints", [], "constraints must be an object, not list"),
    "no seed": ("seed_documents.0", "leave.md", "seed_documents must be an object, not str"),
    "another key": ("scope", {"tenant": "a", "snapshots": None, "x": None}, "scope lacks 'repositories'"),
    "a key more": (
        "made_by.embedding_space",
        {"model": "a", "dimensions": 1, "metric": "l2", "x": 1},
        "made_by.embedding_space has 'x'",
    ),
    "a key that is no text": ("seed_documents.0", {1: 2}, "seed_documents lacks"),
    "true for a number": ("omitted", True, "omitted must be a whole number, not bool"),
    "1.0 for a number": ("seed_documents.0.rank", 1.0, "rank must be a whole number, not float"),
    "a text for a number": ("dropped", "1", "dropped must be a whole number, not str"),
    "1 for true": ("constraints.traversal_enabled", 0, "traversal_enabled must be true or false, not int"),
    "a number for a text": (
        "constraints.scope_distance",
        0.35,
        "scope_distance must be a text, not float",
    ),
    "null for a text": ("plan_hash", None, "plan_hash must be a text, not NoneType"),
    "null in a list": ("scope.snapshots", [None], "scope.snapshots must be a text, not NoneType"),
    "a zero character": ("seed_documents.0.document_id", "a\0b", "document_id has a character"),
    "half a character": ("scope.tenant", "\ud800", "scope.tenant has a character"),
}


@pytest.mark.parametrize("name", [*INVARIANTS, *SHAPES])
def test_json(name: str) -> None:
    path, value, message = (INVARIANTS | SHAPES)[name]
    with pytest.raises(InvalidArgument, match=message) as caught:
        RetrievalPlan.from_dict(changed(path, value))
    assert caught.value.message.startswith("plan: ")
    assert caught.value.hint


@pytest.mark.parametrize("name", [n for n, (path, _, _) in INVARIANTS.items() if "documents" not in path])
def test_what_is_said_beside_rows(name: str) -> None:
    path, value, message = INVARIANTS[name]
    with pytest.raises(InvalidArgument, match=message):
        RetrievalPlan.from_rows(ROWS, changed(path, value))


def _with(number: int, **values: Any) -> list[Any]:
    names = ("position", "document_id", "role", "via", "from_document", "why")
    return [
        tuple((dict(zip(names, row, strict=True)) | values).values()) if at == number else row
        for at, row in enumerate(ROWS)
    ]


BAD_ROWS: dict[str, tuple[list[Any], str]] = {
    "a seed twice": (_with(1, document_id="leave.md"), "seeds of the rows are not its seed_documents"),
    "another seed": (_with(1, document_id="x"), "seeds of the rows are not its seed_documents"),
    "a seed less": ([ROWS[0]], "seeds of the rows are not its seed_documents"),
    "seeds in another order": (
        [(1, *ROWS[1][1:]), (2, *ROWS[0][1:])],
        "seeds of the rows are not its seed_documents",
    ),
    "expanded twice": (_with(5, document_id="visa.md"), "stands in it twice"),
    "a seed expanded": (_with(5, document_id="leave.md"), "stands in it twice"),
    "a reason from a non-seed": (
        _with(5, from_document="visa.md"),
        "via must come from other seed_documents",
    ),
    "a reason twice": (_with(3, from_document="leave.md"), "each of them once"),
    "a role that is none": (_with(5, role="two hops"), "role must be seed or expanded"),
    "no role": (_with(5, role=None), "role must be seed or expanded"),
    "positions from 0": ([(row[0] - 1, *row[1:]) for row in ROWS], "position must start from 1"),
    "a position left out": (_with(5, position=5), "position must start from 1 and rise by 1"),
    "a position that falls": (_with(5, position=2), "position must start from 1 and rise by 1"),
    "a position of two seeds": (_with(1, position=1), "two documents have the same position"),
    "a position of two documents": (_with(5, position=3), "two documents have the same position"),
    "a position for each reason": (
        _with(4, position=4),
        "position must start from 1|stands in it twice|same",
    ),
    "a position that is a text": (_with(0, position="1"), "position must start from 1"),
    "a position that is true": (_with(0, position=True), "position must start from 1"),
    "an expanded document first": ([ROWS[2]], "position must start from 1 and rise by 1"),
    "a seed after an expanded document": (
        [ROWS[0], (2, *ROWS[5][1:]), (3, *ROWS[1][1:])],
        "a seed comes after an expanded document",
    ),
    "an expanded document without a relation type": (_with(5, via=None), "has a row without a reason"),
    "an expanded document without a seed": (_with(5, from_document=None), "has a row without a reason"),
    "a seed over a relationship": (_with(1, via="explains"), "a seed begins with a reason"),
    "a seed from another document": (_with(1, from_document="leave.md"), "a seed begins with a reason"),
    "an id that is no text": (_with(5, document_id=4), "document_id must be a text"),
    "columns missing": ([(1, "a")], "rows must have position"),
    "no row": ([None], "rows must have position"),
}


@pytest.mark.parametrize("name", BAD_ROWS)
def test_rows(name: str) -> None:
    rows, message = BAD_ROWS[name]
    with pytest.raises(InvalidArgument, match=message) as caught:
        RetrievalPlan.from_rows(rows, written_out())
    assert caught.value.hint


def test_values() -> None:
    """There is no way to a plan around the look at it."""
    for changes, message in (
        ({"seed_documents": (Seed("a", 1, "given"), Seed("a", 2, "given"))}, "twice"),
        ({"expanded_documents": (Expanded("a", (Via("b", "r"),)),)}, "via must come from"),
        ({"omitted": True}, "omitted must be a whole number"),
        ({"edited": 1}, "edited must be true or false"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            dataclasses.replace(plan(), **changes)
    with pytest.raises(InvalidArgument, match="rank must be a whole number"):
        Seed("a", 1.0, "given")  # type: ignore[arg-type]  # what is refused


@pytest.mark.parametrize("value", [False, None, 1, "true"])
def test_edited_is_true_or_not_there(value: Any) -> None:
    with pytest.raises(InvalidArgument, match=r"edited must (be|say something)"):
        RetrievalPlan.from_dict(written_out() | {"edited": value})


@pytest.mark.parametrize("value", [None, [], "{}", 1])
def test_what_is_no_object(value: Any) -> None:
    with pytest.raises(InvalidArgument, match="must be an object"):
        RetrievalPlan.from_dict(value)
    with pytest.raises(InvalidArgument, match="about must be an object"):
        RetrievalPlan.from_rows(ROWS, value)


@pytest.mark.parametrize("key", sorted(written_out()))
def test_a_key_that_is_missing(key: str) -> None:
    found = written_out()
    del found[key]
    with pytest.raises(InvalidArgument, match=f"it lacks '{key}'"):
        RetrievalPlan.from_dict(found)


@pytest.mark.parametrize(
    "text", ["", "{", "nothing", b"\xff", "[" * 100_000, '{"format": NaN}', "1" * 5000, None, 1]
)
def test_what_is_no_json(text: Any) -> None:
    with pytest.raises(InvalidArgument, match=r"^plan: "):
        RetrievalPlan.from_json(text)
