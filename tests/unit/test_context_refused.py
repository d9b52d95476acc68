"""What is no context is refused, and the error says where."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.context import RetrievedContext
from docgraph.errors import InvalidArgument
from tests.unit.contexts import changed, written_out

CHUNK = "context.documents.0.chunks.0"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("context", [], "it.context must be an object, not list"),
        ("context.documents", {}, "it.context.documents must be a list, not dict"),
        ("context.documents.0", None, "documents[0] must be an object, not NoneType"),
        ("context.documents.0.document_id", 1, "documents[0].document_id must be a text, not int"),
        ("context.documents.0.title", None, "documents[0].title must be a text, not NoneType"),
        ("context.documents.0.title", "a\0b", "title has a character that no text in the database can have"),
        ("context.documents.0.title", "\udc80", "title has a character that no text in the database can"),
        ("context.documents.0.other", 1, "documents[0] has 'other'"),
        ("context.documents.0.section_titles", "a", "section_titles must be a list, not str"),
        ("context.documents.0.section_titles", [1], "section_titles[0] must be a text, not int"),
        ("context.documents.0.summary", False, "summary must be a text, not bool"),
        (f"{CHUNK}.chunk", True, "chunks[0].chunk must be a whole number, not bool"),
        (f"{CHUNK}.chunk", 1.0, "chunks[0].chunk must be a whole number, not float"),
        (f"{CHUNK}.score", "0.5", "chunks[0].score must be a number, not str"),
        (f"{CHUNK}.score", True, "chunks[0].score must be a number, not bool"),
        (f"{CHUNK}.score", float("nan"), "chunks[0].score must be a finite number"),
        (f"{CHUNK}.score", float("inf"), "chunks[0].score must be a finite number"),
        (f"{CHUNK}.score", 10**400, "chunks[0].score must be a finite number"),
        (f"{CHUNK}.document_id", "a.md", "chunks[0] has 'document_id'"),
        (f"{CHUNK}.section_path", None, "section_path must be a list, not NoneType"),
        (f"{CHUNK}.start_offset", "0", "start_offset must be a whole number, not str"),
        ("accounting.edited", 0, "it.accounting.edited must be true or false, not int"),
        ("accounting.reserve", 0.4, "it.accounting.reserve must be a text, not float"),
        ("accounting.budget", {}, "it.accounting.budget lacks 'conceptual_limit'"),
        ("accounting.budget.limit", None, "it.accounting.budget.limit must be a whole number"),
        ("more", 1, "it has 'more'"),
        ("context.documents.0.position", 2, "each must be a document of the plan"),
        ("context.documents.0.position", 9, "each must be a document of the plan"),
        ("context.documents.0.role", "expanded", "each must be a document of the plan"),
        ("context.documents.0.document_id", "visa.md", "each must be a document of the plan"),
        (f"{CHUNK}.chosen", 1, "chosen must be another number for each"),
    ],
)
def test_one_thing_wrong(path: str, value: Any, message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        RetrievedContext.from_dict(changed(path, value))
    assert caught.value.message.startswith("context: ")
    assert message in caught.value.message
    assert caught.value.hint


def test_documents_in_another_order_or_twice() -> None:
    found = written_out()
    for documents in (found["context"]["documents"][::-1], [found["context"]["documents"][1]] * 2):
        with pytest.raises(InvalidArgument, match="position must rise"):
            RetrievedContext.from_dict({**found, "context": {"documents": documents}})


def test_what_lacks_something() -> None:
    for key in ("plan", "context", "accounting"):
        found = written_out()
        del found[key]
        with pytest.raises(InvalidArgument, match=f"context: it lacks '{key}'"):
            RetrievedContext.from_dict(found)


@pytest.mark.parametrize("value", [None, [], "{}", 1, b"{}"])
def test_what_is_no_object(value: Any) -> None:
    with pytest.raises(InvalidArgument, match="context: it must be an object"):
        RetrievedContext.from_dict(value)


@pytest.mark.parametrize("text", ["", "{", "nothing", b"\xff", None, "[" * 100_000])
def test_what_is_no_json(text: Any) -> None:
    with pytest.raises(InvalidArgument, match="context: this is no JSON") as caught:
        RetrievedContext.from_json(text)
    assert "to_json()" in str(caught.value.hint)


def test_a_plan_that_is_none() -> None:
    with pytest.raises(InvalidArgument, match="plan: "):
        RetrievedContext.from_dict(changed("plan.constraints.max_relationship_depth", 2))
    with pytest.raises(InvalidArgument, match="plan: it must be an object"):
        RetrievedContext.from_dict(changed("plan", None))
