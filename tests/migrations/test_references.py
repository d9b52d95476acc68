"""Revision 0003: references take the place of unresolved ones, and relationships follow from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg

from docgraph import migrate
from tests.documents import put_document, put_relationship

if TYPE_CHECKING:
    from tests.conftest import Installed


def rows(connection: psycopg.Connection[Any], statement: str) -> list[tuple[Any, ...]]:
    return connection.execute(statement.encode()).fetchall()


def test_what_waits_and_what_is_connected_survives_going_back_and_forth(database: Installed) -> None:
    """Of every tenant: the installer has a ceiling in one of the two."""
    with database.connect() as connection:
        for tenant in ("default", "elsewhere"):
            put_document(connection, "a", tenant=tenant)
            put_document(connection, "b", tenant=tenant)
            put_relationship(connection, "a", "b", tenant=tenant)
        connection.execute(
            "INSERT INTO docgraph.ingestion_requests (tenant_id, ingestion_id, login)"
            " VALUES ('default', 'r', 'x')"
        )
    migrate.downgrade(database.conninfo, "0002")
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO docgraph.unresolved_references"
            " VALUES ('elsewhere', 'b', 'needs', 'c', true, false, 'why')"
        )
    migrate.upgrade(database.conninfo)
    with database.connect() as connection:
        assert rows(connection, "SELECT login = session_user FROM docgraph.ingestion_requests") == [(True,)]
        assert rows(
            connection,
            "SELECT tenant_id, from_document, relation_type, to_name, declared, evidence"
            " FROM docgraph.document_references ORDER BY 1, 2",
        ) == [
            ("default", "a", "references", "b", True, None),
            ("elsewhere", "a", "references", "b", True, None),
            ("elsewhere", "b", "needs", "c", True, "why"),
        ]
        assert len(rows(connection, "SELECT FROM docgraph.document_names WHERE name = document_id")) == 4
    migrate.downgrade(database.conninfo, "0002")
    with database.connect() as connection:
        assert rows(connection, "SELECT tenant_id, to_document FROM docgraph.unresolved_references") == [
            ("elsewhere", "c")
        ]
        assert len(rows(connection, "SELECT FROM docgraph.document_relationships")) == 2
