"""Random calls that write, and how the database and the model are asked to make them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from hypothesis import strategies as st

from tests.properties.library import Library, Refused
from tests.properties.model import Claim, Held
from tests.properties.worlds import levels, mostly, names, words
from tests.sql.asking import Connection
from tests.sql.writing import listed, report, rows, triples

TENANT = "library"
IDS = ["a", "b", "é", "e\u0301"]
_NAMES = ["N", "b"]
_KINDS = ["r"]


@dataclass(frozen=True)
class Operation:
    """A call: which method of the model, which function, and what is passed."""

    method: str
    function: str
    parameter: str
    given: Any
    attributes: Any = None


def documents(ids: list[str], attributes: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[list[Any]]:
    """A batch: everything but the id may be left out."""

    @st.composite
    def one(draw: st.DrawFn, each: str) -> dict[str, Any]:
        links = st.lists(
            st.builds(
                lambda kind, to: {"relation_type": kind, "to": to},
                st.sampled_from(_KINDS),
                st.sampled_from([to for to in dict.fromkeys([*ids, *IDS, *_NAMES, "nobody"]) if to != each]),
            ),
            max_size=3,
        )
        linked = {"links": links, "names": st.lists(st.sampled_from(_NAMES), max_size=2)}
        optional = {"title": st.sampled_from(["", "one", "two"]), "relationships": links}
        found: dict[str, Any] = draw(st.fixed_dictionaries(linked, optional=optional))
        return {"id": each, **found, **draw(attributes)}

    return st.lists(st.sampled_from(ids), min_size=1, max_size=3, unique=True).flatmap(
        lambda chosen: st.tuples(*(one(each) for each in chosen)).map(list)
    )


def attributes() -> st.SearchStrategy[dict[str, Any]]:
    """Most documents ask for nothing but what most callers hold."""
    return st.fixed_dictionaries(
        {},
        optional={
            "repository": mostly("a", names),
            "tags": st.sampled_from([["a"], ["b", "a"], []]) | words,
            "labels": mostly([], words),
            "clearance": mostly(0, levels),
        },
    )


def operations(
    ids: list[str] = IDS, access: st.SearchStrategy[dict[str, Any]] | None = None
) -> st.SearchStrategy[Operation]:
    """Calls of all kinds: most bring documents in."""
    given = attributes() if access is None else access
    several = st.lists(st.sampled_from([*ids, "nobody"]), min_size=1, max_size=2)
    triple = st.tuples(
        st.sampled_from([*ids, "nobody"]),
        st.sampled_from(_KINDS),
        st.sampled_from([*IDS, *_NAMES, "nobody", "h"]),
    ).filter(lambda each: each[0] != each[2])
    links = st.lists(triple, min_size=1, max_size=4)
    put = documents(ids, given).map(lambda d: Operation("put", "put_documents", "documents", d))
    return st.one_of(
        put,
        put,
        several.map(lambda d: Operation("delete", "delete_documents", "documents", d)),
        st.builds(
            lambda d, a: Operation("set_access", "set_document_access", "documents", d, a), several, given
        ),
        links.map(lambda d: Operation("relate", "put_relationships", "relationships", d)),
        links.map(lambda d: Operation("unrelate", "delete_relationships", "relationships", d)),
    )


def arguments(operation: Operation, claim: Claim) -> dict[str, Any]:
    """As the function takes them."""
    given = operation.given
    if operation.parameter == "relationships":
        given = triples(given)
    more = {} if operation.attributes is None else {"attributes": operation.attributes}
    return {"tenant": TENANT, "access": dict(claim), operation.parameter: given, **more}


def by_database(connection: Connection, operation: Operation, claim: Claim) -> Any:
    """What the function reports, or the message of its refusal."""
    try:
        with connection.transaction():
            return report(connection, operation.function, **arguments(operation, claim))
    except psycopg.errors.InsufficientPrivilege as error:
        return error.diag.message_primary


def by_model(library: Library, operation: Operation, held: Held) -> Any:
    """The same of the model."""
    more = () if operation.attributes is None else (operation.attributes,)
    try:
        return getattr(library, operation.method)(held, operation.given, *more)
    except Refused as error:
        return str(error)


@contextmanager
def as_login(superuser: Connection, login: str) -> Iterator[Connection]:
    """The same connection, as if that login had made it: so that all of it can be rolled back."""
    superuser.execute(f'SET SESSION AUTHORIZATION "{login}"'.encode())
    try:
        yield superuser
    finally:
        superuser.execute("RESET SESSION AUTHORIZATION")


def compare(connection: Connection, library: Library, held: Held, claim: Claim) -> None:
    """Whatever can be asked about documents is as the model says."""
    asked: dict[str, Any] = {"tenant": TENANT, "access": dict(claim)}
    assert listed(connection, **asked) == sorted(library.visible(held), key=str.encode)
    for document in [*IDS, "nobody"]:
        for direction, other in (("out", 2), ("in", 0)):
            found = rows(connection, "list_relationships", document=document, direction=direction, **asked)
            assert [(r[1], r[other], r[3], r[4], r[6]) for r in found] == library.related(
                held, document, direction
            )
        shown = report(connection, "get_document", document=document, **asked)
        if document not in library.visible(held):
            assert shown is None
            continue
        stored = library.documents[document]
        assert (shown["title"], {*shown["names"], document}) == (stored.title, stored.names)
        assert shown["tags"] == sorted(stored.attributes.tags, key=str.encode)
        assert (shown["repository"], shown["clearance"]) == (
            stored.attributes.repository,
            stored.attributes.clearance,
        )
