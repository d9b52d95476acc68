"""What a database holds, so that two can be compared."""

from __future__ import annotations

from typing import Any

import psycopg

_QUERIES = {
    # The class by what it stands for: its number depends on the order of arrival.
    "document_nodes": """
        SELECT d.tenant_id, d.document_id, c.repository, c.snapshot, c.tags, c.labels, c.clearance,
            d.doc_type, d.title, d.source, d.summary, d.section_titles, d.metadata, d.content_hash,
            d.summary_embedding::text
        FROM docgraph.document_nodes d JOIN docgraph.access_classes c USING (tenant_id, access_class)""",
    "vector_chunks": """
        SELECT v.tenant_id, v.document_id, v.ordinal, v.access_class = d.access_class, v.start_offset,
            v.end_offset, v.token_count, v.section_path, v.text, v.embedding::text
        FROM docgraph.vector_chunks v JOIN docgraph.document_nodes d USING (tenant_id, document_id)""",
    "document_names": "SELECT tenant_id, document_id, name FROM docgraph.document_names",
    "document_references": """
        SELECT tenant_id, from_document, relation_type, to_name, declared, inferred, evidence
        FROM docgraph.document_references""",
    "document_relationships": """
        SELECT tenant_id, from_document, relation_type, to_document, declared, inferred, evidence
        FROM docgraph.document_relationships""",
}

Row = tuple[Any, ...]


def stored(conninfo: str) -> dict[str, list[Row]]:
    """Every row of every table of documents, but for the run that brought it."""
    with psycopg.connect(conninfo) as connection:
        return {
            table: sorted(connection.execute(query).fetchall(), key=repr) for table, query in _QUERIES.items()
        }


def versions(conninfo: str) -> dict[str, list[Row]]:
    """Which transaction wrote each row, and where it lies: a row that is not touched keeps both."""
    with psycopg.connect(conninfo) as connection:
        return {
            table: sorted(
                connection.execute(f"SELECT ctid::text, xmin::text FROM docgraph.{table}").fetchall()
            )
            for table in _QUERIES
        }


def edges(conninfo: str) -> set[tuple[str, str, str]]:
    """Relationships: from, type, to."""
    with psycopg.connect(conninfo) as connection:
        rows = connection.execute(
            "SELECT from_document, relation_type, to_document FROM docgraph.document_relationships"
        )
        return {(row[0], row[1], row[2]) for row in rows}


def documents(conninfo: str) -> list[str]:
    """Ids, sorted."""
    with psycopg.connect(conninfo) as connection:
        return [
            row[0] for row in connection.execute("SELECT document_id FROM docgraph.document_nodes ORDER BY 1")
        ]
