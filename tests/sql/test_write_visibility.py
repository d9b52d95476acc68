"""What one connection writes is what the next call of every other one sees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import Installed
from tests.sql.asking import Connection
from tests.sql.writing import get, listed, put, related, report, stored


@pytest.fixture
def two(database: Installed) -> Iterator[tuple[Connection, Connection]]:
    with database.connect() as one, database.connect() as other:
        yield one, other


def test_a_change_of_access_is_seen_by_the_very_next_read(
    database: Installed, two: tuple[Connection, Connection]
) -> None:
    database.reader("next_reader", tags=["hr"], labels=[], clearance=0)
    writer, _ = two
    link = {"relation_type": "references", "to": "a"}
    put(writer, {"id": "a"}, {"id": "b", "links": [link]})
    with database.connect("next_reader") as reader:
        for tags, seen in ((["law"], False), (["hr"], True), ([], True), (["law"], False)):
            given: dict[str, Any] = {"documents": ["a"], "attributes": {"tags": tags}}
            report(writer, "set_document_access", access={"tags": ["law", "hr"]}, **given)
            assert (get(reader, "a", access={"tags": ["hr"]}) is not None) is seen
            assert listed(reader, access={"tags": ["hr"]}) == (["a", "b"] if seen else ["b"])
            assert related(reader, "b", access={"tags": ["hr"]}) == [("references", "a", not seen)]
            assert bool(related(reader, "a", direction="in", access={"tags": ["hr"]})) is seen


def test_what_is_deleted_is_gone_from_every_function_at_once(
    superuser: Connection, two: tuple[Connection, Connection]
) -> None:
    writer, reader = two
    link = {"relation_type": "references", "to": "a"}
    before = stored(superuser)
    put(writer, {"id": "a", "links": [{**link, "to": "b"}]}, {"id": "b", "links": [link]})
    with writer.transaction():
        report(writer, "delete_documents", documents=["a"])
        assert get(reader, "a") is not None
        assert get(writer, "a") is None
    assert get(reader, "a") is None
    assert listed(reader) == ["b"]
    assert related(reader, "a") == related(reader, "a", direction="in") == []
    assert related(reader, "b", direction="in") == []
    assert related(reader, "b") == [("references", "a", True)]
    report(writer, "delete_documents", documents=["b"])
    assert stored(superuser) == before
