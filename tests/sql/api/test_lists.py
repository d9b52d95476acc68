"""list_documents and list_relationships: every row on exactly one page, in the order of bytes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sql.asking import Connection
from tests.sql.writing import get, put, relate, rows

IDS = ["A", "Z", "a", "a ", "a\u0301", "aa", "a\u200b", "b", "\x7f", "é", "e\u0301", "ß", "🦆", "\uffff"]
"""Which a language would order otherwise."""

HR = {"tags": ["hr"]}


def pages(connection: Connection, size: int, function: str, key: Any, **arguments: Any) -> list[list[Any]]:
    """All pages, each asked for with the last row of the one before."""
    found: list[list[Any]] = []
    after = None
    while page := rows(connection, function, after=after, page=size, **arguments):
        assert len(page) <= size
        found.append(page)
        after = key(page[-1])
        assert len(found) < 100
    return found


@pytest.fixture(autouse=True)
def _documents(undone: Connection) -> None:
    put(undone, *({"id": document, "title": document, "tags": ["hr"]} for document in IDS), access=HR)


@pytest.mark.parametrize("size", [1, 2, 3, 5, len(IDS) - 1, len(IDS), len(IDS) + 1, 1000])
def test_every_document_is_on_one_page(undone: Connection, size: int) -> None:
    found = pages(undone, size, "list_documents", lambda row: row[0], access=HR)
    assert [row[0] for page in found for row in page] == sorted(IDS, key=str.encode)
    assert all(len(page) == size for page in found[:-1])


def test_a_row_is_what_the_document_is(undone: Connection) -> None:
    document = {
        "id": "full",
        "title": "Title",
        "doc_type": "policy",
        "source": "/srv/full",
        "repository": "handbook",
        "snapshot": "main",
        "tags": ["hr", "all"],
        "labels": ["internal"],
        "clearance": 3,
    }
    access = {"tags": ["hr", "all"], "labels": ["internal"], "clearance": 3}
    put(undone, document, access=access)
    ((*values, content_hash),) = rows(undone, "list_documents", access=access, after="fulk", page=1)
    assert values == [*(document[key] for key in list(document)[:6]), ["all", "hr"], ["internal"], 3]
    assert content_hash == get(undone, "full", access=access)["content_hash"]


def test_after_need_not_be_there(undone: Connection) -> None:
    (row,) = rows(undone, "list_documents", after="aaa", page=1, access=HR)
    assert row[0] == min((each for each in IDS if each > "aaa"), key=str.encode)
    assert rows(undone, "list_documents", after="\U0010ffff", access=HR) == []


def test_a_page_of_nothing(undone: Connection) -> None:
    assert rows(undone, "list_documents", page=0, access=HR) == []
    assert rows(undone, "list_relationships", document="a", page=0, access=HR) == []


def star(undone: Connection) -> list[tuple[str, str]]:
    """Relationships of several kinds from "a" to everybody and back; the kind and the other end of each."""
    others = [document for document in IDS if document != "a"]
    kinds = ["b", "a", "é", "Z"]
    for other in others:
        for kind in kinds:
            relate(undone, ("a", kind, other), (other, kind, "a"), access=HR)
    return sorted(((k, o) for k in kinds for o in others), key=lambda pair: [part.encode() for part in pair])


@pytest.mark.parametrize("direction", ["out", "in"])
def test_every_relationship_is_on_one_page(undone: Connection, direction: str) -> None:
    expected = star(undone)
    other = 0 if direction == "in" else 2
    for size in (1, 3, 7, len(expected), 1000):
        found = pages(
            undone,
            size,
            "list_relationships",
            lambda row: [row[1], row[other]],
            document="a",
            direction=direction,
            access=HR,
        )
        assert [(row[1], row[other]) for page in found for row in page] == expected
        assert {row[2 - other] for page in found for row in page} == {"a"}


def test_those_that_wait_stand_between_the_others(undone: Connection) -> None:
    others = ["A", "nobody", "b", "zzz", "B"]
    relate(undone, *(("a", kind, other) for kind in ("y", "x") for other in others), access=HR)
    expected = [(kind, other, other not in IDS) for kind in "xy" for other in sorted(others)]
    for size in (1, 2, 3, 1000):
        found = pages(
            undone, size, "list_relationships", lambda row: [row[1], row[2]], document="a", access=HR
        )
        assert [(row[1], row[2], row[6]) for page in found for row in page] == expected


def test_what_a_relationship_says(undone: Connection) -> None:
    link = {"relation_type": "references", "to": "y", "evidence": "see y"}
    document = {"id": "x", "links": [link, {**link, "to": "nobody"}], "names": ["X-1"]}
    put(undone, {**document, "relationships": [{**link, "relation_type": "requires"}]}, {"id": "y"})
    assert rows(undone, "list_relationships", document="x") == [
        ("x", "references", "nobody", False, True, "see y", True),
        ("x", "references", "y", False, True, "see y", False),
        ("x", "requires", "y", True, False, "see y", False),
    ]
    assert rows(undone, "list_relationships", document="y", direction="in") == [
        ("x", "references", "y", False, True, "see y", False),
        ("x", "requires", "y", True, False, "see y", False),
    ]
    # By its id alone: a name is for references.
    assert rows(undone, "list_relationships", document="X-1") == []
