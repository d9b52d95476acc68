"""Calling the functions that write documents and show them, with plain Python values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from psycopg import sql

from tests.sql.asking import ALL_CALLS, Connection, contents, tables

_USUAL: dict[str, Any] = {
    "tenant": "default",
    "access": {},
    "ingestion": None,
    "model": None,
    "after": None,
    "page": 100,
    "ingested_from": None,
    "direction": "out",
}
"""Arguments where a test does not say them."""

Report = dict[str, Any]


def _values(function: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """All arguments of a call. JSON goes as values; what is a text already goes as it is."""
    kinds = ALL_CALLS[function].parameters
    assert arguments.keys() <= kinds.keys()
    found = {name: arguments[name] if name in arguments else _USUAL[name] for name in kinds}
    return {
        name: json.dumps(value) if kinds[name] == "jsonb" and not isinstance(value, str) else value
        for name, value in found.items()
    }


def rows(connection: Connection, function: str, **arguments: Any) -> list[tuple[Any, ...]]:
    """The rows that a function gives."""
    statement = ALL_CALLS[function].statement
    return connection.execute(statement.encode(), _values(function, arguments)).fetchall()


def report(connection: Connection, function: str, **arguments: Any) -> Any:
    """The one value that a function gives."""
    ((value,),) = rows(connection, function, **arguments)
    return value


def put(connection: Connection, *documents: Report, **more: Any) -> Report:
    """What put_documents says."""
    found: Report = report(connection, "put_documents", documents=list(documents), **more)
    return found


def get(connection: Connection, document: str, **more: Any) -> Any:
    """A document as get_document shows it."""
    return report(connection, "get_document", document=document, **more)


def relate(connection: Connection, *relationships: tuple[str, str, str], **more: Any) -> Report:
    """What put_relationships says of (from, relation type, to)."""
    found: Report = report(connection, "put_relationships", relationships=triples(relationships), **more)
    return found


def triples(relationships: Any) -> list[Report]:
    """(from, relation type, to) as the functions take and give it."""
    return [dict(zip(("from", "relation_type", "to"), each, strict=True)) for each in relationships]


def related(connection: Connection, document: str, **more: Any) -> list[tuple[Any, ...]]:
    """Relation type, other end and whether it waits, of what leads from a document or to it."""
    other = 0 if more.get("direction") == "in" else 2
    found = rows(connection, "list_relationships", document=document, **more)
    return [(row[1], row[other], row[6]) for row in found]


def listed(connection: Connection, **more: Any) -> list[str]:
    """The ids of a page of list_documents."""
    return [row[0] for row in rows(connection, "list_documents", **more)]


def edges(superuser: Connection, tenant: str = "default") -> list[tuple[Any, ...]]:
    """All relationships that are stored: from, type, to, declared, inferred, evidence."""
    return superuser.execute(
        """
        SELECT from_document, relation_type, to_document, declared, inferred, evidence
        FROM docgraph.document_relationships WHERE tenant_id = %s
        ORDER BY from_document, relation_type, to_document
        """,
        (tenant,),
    ).fetchall()


def chunks(superuser: Connection, document: str) -> list[tuple[Any, ...]]:
    """Text and vector of the chunks of a document."""
    return superuser.execute(
        "SELECT text, embedding::text FROM docgraph.vector_chunks WHERE document_id = %s ORDER BY ordinal",
        (document,),
    ).fetchall()


def row_versions(superuser: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Place, transaction and text of every row but those of write_turns, which each call changes."""
    found = {}
    for table in tables(superuser):
        if table != "write_turns":
            query = "SELECT t.ctid::text, t.xmin::text, t::text FROM docgraph.{} AS t ORDER BY t.ctid"
            found[table] = superuser.execute(sql.SQL(query).format(sql.Identifier(table))).fetchall()
    return found


def stored(superuser: Connection) -> dict[str, list[str]]:
    """The rows of the tables of documents, without numbers of access classes."""
    found = {}
    for table in (
        "document_nodes",
        "vector_chunks",
        "document_names",
        "document_references",
        "document_relationships",
    ):
        query = (
            "SELECT (to_jsonb(t) - '{{access_class,from_access_class,to_access_class}}'::text[])::text"
            " FROM docgraph.{} AS t ORDER BY 1"
        )
        answer = superuser.execute(sql.SQL(query).format(sql.Identifier(table)))
        found[table] = [row for (row,) in answer]
    return found


def text_of(connection: Connection, function: str, **arguments: Any) -> str:
    """The answer as the database writes it, byte for byte."""
    whole = "SELECT coalesce(string_agg(a::text, E'\\n'), '') FROM ({}) AS a"
    statement = whole.format(ALL_CALLS[function].statement)
    ((found,),) = connection.execute(statement.encode(), _values(function, arguments)).fetchall()
    return str(found)


@contextmanager
def nothing_written_but_turns(superuser: Connection) -> Iterator[None]:
    """Whatever happens inside leaves every row as it was, but the lock that each writing call takes."""

    def found() -> dict[str, str]:
        return {table: digest for table, digest in contents(superuser).items() if table != "write_turns"}

    before = found()
    yield
    assert found() == before
