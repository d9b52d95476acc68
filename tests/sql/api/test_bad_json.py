"""JSON parameters but documents and claims: what is refused, by place and without its value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph import calls
from tests.sql.api.bad_kinds import SECRET
from tests.sql.asking import ALL_CALLS, Connection, ask, contents, refusal, words
from tests.sql.writing import put, relate

LONG = SECRET.ljust(513, "x")
NO_LIST: list[Any] = [None, {}, 1, True, SECRET, {SECRET: 1}]
NO_TEXTS: list[Any] = [None, 1, True, [SECRET], {SECRET: SECRET}, "", LONG]

GOOD = {"from": "a", "relation_type": "explains", "to": "b"}
VECTOR = {
    "tenant": "default",
    "document": "a",
    "ordinal": 0,
    "digest": "ab" * 32,
    "embedding": [1, 0, 0],
}


@pytest.fixture(scope="module", autouse=True)
def _something_is_stored(boss: Connection) -> Iterator[None]:
    put(boss, {"id": "a"}, {"id": "b"})
    relate(boss, ("a", "explains", "b"))
    ask(boss, calls.BEGIN_INGESTION)
    ask(boss, calls.BEGIN_REEMBEDDING)
    before = contents(boss)
    yield
    assert contents(boss) == before


def check(connection: Connection, function: str, message: str, **changes: Any) -> None:
    error = refusal(connection, ALL_CALLS[function], **changes)
    assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", message)
    assert error.diag.message_hint
    assert SECRET not in repr(words(error))


@pytest.mark.parametrize(
    ("function", "changes", "hint"),
    [
        ("put_documents", {"documents": '[{"title": "a"}]'}, "The key must be there."),
        ("put_documents", {"documents": '[{"id": "a", "clearance": null}]'}, "Leave out a key that has no"),
        ("put_documents", {"documents": '[{"id": "a", "clearance": "high"}]'}, "a number does not"),
        ("put_documents", {"documents": '[{"id": 5}]'}, "In JSON a text stands in quotes"),
        ("put_documents", {"documents": '[{"id": "a", "tags": "hr"}]'}, "a list stands in brackets"),
        (
            "fetch_node_texts",
            {"nodes": '[{"id": "a", "depth": 0, "is_seed": true}]', "seeds": None},
            "also if it has no value",
        ),
        (
            "fetch_node_texts",
            {"nodes": '[{"id": "a", "depth": 0, "is_seed": true, "parent": 1}]', "seeds": None},
            "In JSON a text stands in quotes",
        ),
    ],
)
def test_the_hint_is_for_what_is_wrong(
    boss: Connection, function: str, changes: dict[str, Any], hint: str
) -> None:
    error = refusal(boss, ALL_CALLS[function], **changes)
    assert hint in str(error.diag.message_hint)


def relationship_cases() -> Iterator[tuple[str, Any]]:
    for value in (*NO_LIST, [GOOD] * 5001):
        yield "relationships must be a list of at most 5000 entries", value
    for value in (None, 1, SECRET, [GOOD]):
        yield "relationships[1] must be an object", [GOOD, value]
    for key in (SECRET, "To", "relation", "declared"):
        yield "relationships[1] has an unknown key", [GOOD, {**GOOD, key: SECRET}]
    for key in GOOD:
        message = f"relationships[1].{key} must be a text of 1 to 512 bytes"
        yield message, [GOOD, {k: v for k, v in GOOD.items() if k != key}]
        for value in NO_TEXTS:
            yield message, [GOOD, {**GOOD, key: value}]
    for value in (None, 1, [], SECRET.ljust(4001, "x"), "\U0001d160" * 334):
        message = "relationships[0].evidence must be a text of at most 4000 bytes"
        yield message, [{**GOOD, "evidence": value}]
    yield "relationships[1].to is the document itself", [GOOD, {**GOOD, "from": SECRET, "to": SECRET}]


@pytest.mark.parametrize("function", ["put_relationships", "delete_relationships"])
def test_relationships(boss: Connection, function: str) -> None:
    for message, value in relationship_cases():
        check(boss, function, message, relationships=json.dumps(value))
    error = refusal(boss, ALL_CALLS[function], relationships=None)
    assert error.diag.message_primary == "relationships must be a list of at most 5000 entries"


def attribute_cases() -> Iterator[tuple[str, Any]]:
    value: Any
    for value in (None, 1, SECRET, [], [{}]):
        yield "attributes must be an object", value
    for key in (SECRET, "Tags", "id", "title", "repositories"):
        yield "attributes has an unknown key", {"clearance": 1, key: SECRET}
    for key in ("repository", "snapshot"):
        for value in (None, 1, True, [SECRET], LONG):
            yield f"attributes.{key} must be a text of at most 512 bytes", {key: value}
    for key in ("tags", "labels"):
        message = f"attributes.{key} must be a list of at most 1000 texts of at most 512 bytes"
        for value in (None, 1, SECRET, {SECRET: 1}, [None], [1], [[SECRET]], [LONG], [SECRET] * 1001):
            yield message, {key: value}
    for value in (None, SECRET, "1", -1, 0.5, True, [1], 32_768, 1e300):
        yield "attributes.clearance must be a whole number from 0 to 32767", {"clearance": value}


def test_attributes(boss: Connection) -> None:
    for message, value in attribute_cases():
        check(boss, "set_document_access", message, attributes=json.dumps(value))
    error = refusal(boss, calls.SET_DOCUMENT_ACCESS, attributes=None)
    assert error.diag.message_primary == "attributes must be an object"


def test_reports(boss: Connection) -> None:
    message = "report must be an object of at most 262144 bytes"
    value: Any
    for value in (None, 1, True, SECRET, [], [{}], {"a": SECRET.ljust(262_144, "x")}):
        check(boss, "finish_ingestion", message, report=json.dumps(value))
    assert refusal(boss, calls.FINISH_INGESTION, report=None).diag.message_primary == message


def vector_cases() -> Iterator[tuple[str, Any]]:
    value: Any
    for value in (*NO_LIST, [VECTOR] * 1001):
        yield "vectors must be a list of at most 1000 entries", value
    yield "vectors[1] must be an object", [VECTOR, SECRET]
    yield "vectors[0] has an unknown key", [{**VECTOR, SECRET: 1}]
    for key in ("tenant", "document"):
        for value in NO_TEXTS:
            yield f"vectors[0].{key} must be a text of 1 to 512 bytes", [{**VECTOR, key: value}]
    for value in (None, SECRET, -1, 1.5, 2**31):
        yield "vectors[0].ordinal must be a whole number from 0 to 2147483647", [{**VECTOR, "ordinal": value}]
    for value in (None, 1, SECRET, "AB" * 32):
        message = "vectors[0].digest must be a SHA-256 in 64 lower-case hexadecimal digits"
        yield message, [{**VECTOR, "digest": value}]
    for value in (None, SECRET, [None], ["NaN"], [[1, 0, 0]], [1e39, 0, 0]):
        kind = 'a list of numbers from -60000 to 60000, the same as a text, or "keep"'
        message = f"vectors[1].embedding must be {kind}"
        yield message, [VECTOR, {**VECTOR, "embedding": value}]
    for value in (
        "keep",
        [1, 0],
        [60001, 0, 0],
        [1, 0, 0, 0],
        [0, 0, 0],
        [1e-30, 0, 0],
        [42426.4, 42426.4, 0],
    ):
        message = "vectors[1].embedding must have 3 elements, and a length from 0.001 to 60000"
        yield message, [VECTOR, {**VECTOR, "embedding": value}]


NODE = {"id": "a", "depth": 1, "parent": "b", "is_seed": False}


def node_cases() -> Iterator[tuple[str, Any]]:
    value: Any
    for value in ({}, 1, True, SECRET, {SECRET: 1}, [NODE] * 10_001):
        yield "nodes must be a list of at most 10000 entries", value
    for value in (None, 1, SECRET, [NODE]):
        yield "nodes[1] must be an object", [NODE, value]
    for key in (SECRET, "Id", "document_id", "text"):
        yield "nodes[1] has an unknown key", [NODE, {**NODE, key: SECRET}]
    for key in NODE:
        kind = {
            "id": "a text of 1 to 512 bytes",
            "depth": "a whole number from 0 to 2147483647, without a point",
            "parent": "a text of 1 to 512 bytes, or null",
            "is_seed": "true or false",
        }[key]
        message = f"nodes[1].{key} must be {kind}"
        yield message, [NODE, {k: v for k, v in NODE.items() if k != key}]
        for value in ("", LONG, [SECRET], -1, 1.5, 2**31, *([] if key == "parent" else [None])):
            yield message, [NODE, {**NODE, key: value}]


def test_nodes(boss: Connection) -> None:
    for message, value in node_cases():
        check(boss, "fetch_node_texts", message, nodes=json.dumps(value), seeds=None)
    error = refusal(boss, calls.FETCH_NODE_TEXTS, nodes=None, seeds=None)
    assert error.diag.message_primary == "nodes or seeds must be given"


def test_vectors_of_another_target_than_was_begun(boss: Connection) -> None:
    found = refusal(boss, calls.PUT_NEW_VECTORS, model="elsewhere")
    assert found.sqlstate == "KG001"


def test_vectors(boss: Connection) -> None:
    for message, value in vector_cases():
        check(boss, "put_new_vectors", message, vectors=json.dumps(value))


@pytest.mark.parametrize(
    ("function", "parameter"),
    [
        (name, parameter)
        for name, call in ALL_CALLS.items()
        for parameter, kind in call.parameters.items()
        if kind == "jsonb" and parameter != "access"
    ],
)
def test_what_is_no_jsonb_is_refused_by_postgresql(boss: Connection, function: str, parameter: str) -> None:
    deep = "[" * 20_000 + "]" * 20_000
    for text, state in (
        (r'[{"a": "\u0000"}]', "22P05"),
        (r'["\ud800"]', "22P02"),
        ("{a: 1}", "22P02"),
        ("", "22P02"),
        (deep, "54001"),
    ):
        assert refusal(boss, ALL_CALLS[function], **{parameter: text}).diag.sqlstate == state
