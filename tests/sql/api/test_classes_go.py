"""Access classes go when the last document leaves them, whoever takes it out and however."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from tests.documents import put_class
from tests.properties.operations import as_login
from tests.sql.asking import Connection, refused
from tests.sql.writing import get, put, report

WIDE = {"tags": ["hr", "law"], "labels": ["secret"], "clearance": 9}
WORDS = {"summary": "words", "chunks": [{"text": "more words", "embedding": [1, 0, 0, 0]}]}


def tags(superuser: Connection, tenant: str = "default") -> list[list[str]]:
    """Of each class of a tenant."""
    rows = superuser.execute(
        "SELECT tags FROM docgraph.access_classes WHERE tenant_id = %s ORDER BY tags", (tenant,)
    )
    return [found for (found,) in rows]


def number(superuser: Connection, tags: list[str]) -> int:
    ((found,),) = superuser.execute(
        "SELECT access_class FROM docgraph.access_classes WHERE tenant_id = 'default' AND tags = %s", (tags,)
    ).fetchall()
    return int(found)


def found_by_words(connection: Connection, access: dict[str, Any]) -> list[str]:
    rows = connection.execute(
        "SELECT document_id FROM docgraph.search_nodes('default', %s, query_text => 'words', mode => 'bm25')",
        (Jsonb(access),),
    )
    return [document for (document,) in rows]


def hand_over(connection: Connection, *ids: str) -> None:
    """The same documents with other attributes."""
    put(connection, *({"id": each, "tags": ["law"], **WORDS} for each in ids), access=WIDE)


def rewrite(connection: Connection, *ids: str) -> None:
    """Other documents of these ids, with other attributes."""
    put(connection, *({"id": each, "tags": ["law"], "title": "New"} for each in ids), access=WIDE)


def change_access(connection: Connection, *ids: str) -> None:
    more = {"documents": list(ids), "attributes": {"tags": ["law"]}, "access": WIDE}
    report(connection, "set_document_access", **more)


def delete(connection: Connection, *ids: str) -> None:
    report(connection, "delete_documents", documents=list(ids), access=WIDE)


WAYS: list[Callable[..., None]] = [hand_over, rewrite, change_access, delete]


@pytest.fixture(params=WAYS, ids=lambda way: way.__name__)
def take_out(request: pytest.FixtureRequest) -> Callable[..., None]:
    way: Callable[..., None] = request.param
    return way


@pytest.fixture
def library(undone: Connection) -> Connection:
    """a and b are in one class, open in another; in a tenant of others there is one of that kind, empty."""
    documents: list[dict[str, Any]] = [{"id": each, "tags": ["hr"], **WORDS} for each in ("a", "b")]
    put(undone, *documents, {"id": "open"}, access=WIDE)
    put_class(undone, "other", tags=("hr",))
    assert tags(undone) == [[], ["hr"]]
    return undone


def test_a_class_that_another_document_has_stays(library: Connection, take_out: Callable[..., None]) -> None:
    take_out(library, "a")
    assert ["hr"] in tags(library)
    assert get(library, "b", access={"tags": ["hr"]})["chunks"]
    take_out(library, "b")
    assert ["hr"] not in tags(library)
    assert [] in tags(library)


def test_the_last_ones_may_go_together(library: Connection, take_out: Callable[..., None]) -> None:
    take_out(library, "a", "b", "open")
    assert tags(library) == ([] if take_out is delete else [["law"]])


def test_classes_of_others_are_not_touched(library: Connection, take_out: Callable[..., None]) -> None:
    """Not even those of the same number; nor unused ones."""
    put_class(library, tags=("never used",))
    library.execute(
        "INSERT INTO docgraph.access_classes"
        " SELECT 'third', access_class, repository, snapshot, tags, labels, clearance, fingerprint"
        " FROM docgraph.access_classes WHERE tenant_id = 'default'"
    )
    take_out(library, "a", "b")
    assert ["hr"] not in tags(library)
    assert ["never used"] in tags(library)
    assert tags(library, "other") == [["hr"]]
    assert tags(library, "third") == [[], ["hr"], ["never used"]]


def test_by_a_writer_whom_row_security_binds(library: Connection, take_out: Callable[..., None]) -> None:
    login = f"class_{take_out.__name__}"
    library.execute(f"CREATE ROLE {login} LOGIN; GRANT docgraph_writer TO {login}".encode())
    library.execute("INSERT INTO docgraph.access_grants (tenant_id, login) VALUES ('default', %s)", (login,))
    with as_login(library, login):
        take_out(library, "a", "b")
    assert ["hr"] not in tags(library)
    assert tags(library, "other") == [["hr"]]


def test_it_comes_back(library: Connection, take_out: Callable[..., None]) -> None:
    take_out(library, "a", "b")
    put(library, {"id": "a", "tags": ["hr"], **WORDS}, access=WIDE)
    assert ["hr"] in tags(library)
    assert get(library, "a") is None
    assert get(library, "a", access={"tags": ["hr"]})["summary"] == "words"


def test_another_one_may_get_its_number(library: Connection) -> None:
    """And nothing of what the number stood for before."""
    law = {"tags": ["law"]}
    put(library, {"id": "first", **law, **WORDS}, access=WIDE)
    put(library, {"id": "last", "tags": ["board"], **WORDS}, access={"tags": ["board"]})
    assert found_by_words(library, {"tags": ["board"]}) == ["last"]
    before = number(library, ["board"])
    report(library, "delete_documents", documents=["last"], access={"tags": ["board"]})
    put(library, {"id": "new", "tags": ["staff"], **WORDS}, access={"tags": ["staff"]})
    assert number(library, ["staff"]) == before
    assert found_by_words(library, {"tags": ["board"]}) == []
    assert found_by_words(library, {"tags": ["staff"]}) == ["new"]
    assert found_by_words(library, law) == ["first"]
    counted = library.execute(
        "SELECT entries FROM docgraph.lexical_counts WHERE access_class = %s", (before,)
    )
    assert {entries for (entries,) in counted} == {1}


def test_a_refused_call_takes_none_away(library: Connection) -> None:
    before = tags(library)
    refused(
        library,
        "SELECT docgraph.put_documents('default', '{\"tags\": [\"hr\"]}',"
        ' \'[{"id": "a"}, {"id": "b"}, {"id": "c", "tags": ["board"]}]\')',
    )
    assert tags(library) == before


def test_one_batch_leaves_a_class_and_enters_it(library: Connection) -> None:
    """What one document leaves another one of the same call may have come to."""
    put(library, {"id": "a"}, {"id": "b"}, {"id": "open", "tags": ["hr"]}, access=WIDE)
    assert tags(library) == [[], ["hr"]]
    assert get(library, "open") is None


def test_only_those_that_were_left(library: Connection) -> None:
    """The step by itself: of the classes it is given those in which no document is."""
    held = library.execute("SELECT access_class FROM docgraph.access_classes WHERE tags = '{hr}'").fetchall()
    unused = [put_class(library, tags=(tag,)) for tag in ("one", "two")]
    given = [*(number for (number,) in held), unused[0]]
    library.execute("SELECT docgraph.forget_classes('default', %s)", (given,))
    assert tags(library) == [[], ["hr"], ["two"]]
    library.execute("SELECT docgraph.forget_classes('default', %s)", ([],))
    library.execute("SELECT docgraph.forget_classes('other', %s)", (given,))
    assert tags(library) == [[], ["hr"], ["two"]]
    assert tags(library, "other") == []
