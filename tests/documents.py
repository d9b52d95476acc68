"""Documents for tests, written straight into the tables by a superuser."""

from __future__ import annotations

import hashlib
from typing import Any

import psycopg


def put_class(
    connection: psycopg.Connection[Any],
    tenant: str = "default",
    repository: str = "",
    snapshot: str = "",
    tags: tuple[str, ...] = (),
    labels: tuple[str, ...] = (),
    clearance: int = 0,
) -> int:
    """An access class; its number."""
    attributes = {
        "tenant": tenant,
        "repository": repository,
        "snapshot": snapshot,
        "tags": sorted(set(tags)),
        "labels": sorted(set(labels)),
        "clearance": clearance,
    }
    row = connection.execute(
        """
        INSERT INTO docgraph.access_classes AS c
            (tenant_id, access_class, repository, snapshot, tags, labels, clearance, fingerprint)
        VALUES (
            %(tenant)s,
            (SELECT coalesce(max(o.access_class), 0) + 1 FROM docgraph.access_classes o
                WHERE o.tenant_id = %(tenant)s),
            %(repository)s, %(snapshot)s, %(tags)s, %(labels)s, %(clearance)s,
            docgraph.access_fingerprint(
                %(repository)s, %(snapshot)s, %(tags)s::text[], %(labels)s::text[], %(clearance)s
            )
        )
        ON CONFLICT ON CONSTRAINT access_classes_fingerprint_key DO UPDATE SET clearance = excluded.clearance
        RETURNING c.access_class
        """,
        attributes,
    ).fetchone()
    assert row is not None
    return int(row[0])


def put_document(
    connection: psycopg.Connection[Any],
    document: str,
    tenant: str = "default",
    embedding: str | None = "[1,0,0,0]",
    **attributes: Any,
) -> None:
    """A document with one chunk; the attributes are those of its access class."""
    access_class = put_class(connection, tenant, **attributes)
    digest = hashlib.sha256(document.encode()).digest()
    connection.execute(
        """
        INSERT INTO docgraph.document_nodes (tenant_id, document_id, access_class, title, content_hash)
        VALUES (%s, %s, %s, %s, %s)
        """,
        (tenant, document, access_class, document, digest),
    )
    connection.execute(
        """
        INSERT INTO docgraph.vector_chunks
            (tenant_id, document_id, ordinal, access_class, token_count, text, embedding)
        VALUES (%s, %s, 0, %s, 1, %s, %s)
        """,
        (tenant, document, access_class, f"text of {document}", embedding),
    )


def put_relationship(
    connection: psycopg.Connection[Any],
    origin: str,
    target: str,
    relation_type: str = "references",
    tenant: str = "default",
) -> None:
    """A declared relationship between two documents that are there."""
    connection.execute(
        """
        INSERT INTO docgraph.document_relationships
            (tenant_id, from_document, relation_type, to_document,
             from_access_class, to_access_class, declared, inferred)
        SELECT
            o.tenant_id, o.document_id, %(relation_type)s, t.document_id,
            o.access_class, t.access_class, true, false
        FROM docgraph.document_nodes o, docgraph.document_nodes t
        WHERE o.tenant_id = %(tenant)s AND o.document_id = %(origin)s
            AND t.tenant_id = %(tenant)s AND t.document_id = %(target)s
        """,
        {"tenant": tenant, "origin": origin, "target": target, "relation_type": relation_type},
    )
