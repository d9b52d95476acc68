"""One valid row of every table, as SQL expressions, to be spoilt one column at a time."""

from __future__ import annotations

from tests.sql.asking import Connection

FINGERPRINT = "that of the row"
"""Stands for the call of access_fingerprint with the row's own attributes."""

# The order is that of the foreign keys.
VALID: dict[str, dict[str, str]] = {
    "embedding_space": {
        "singleton": "true",
        "model": "'m'",
        "dimensions": "4",
        "metric": "'l2'",
        "text_search": "'simple'",
        "average_length": "100",
        "k1": "1.2",
        "b": "0.75",
    },
    "access_grants": {
        "tenant_id": "'t'",
        "login": "'x'",
        "repositories": "NULL::text[]",
        "snapshots": "'{}'::text[]",
        "tags": "'{a}'::text[]",
        "labels": "'{a,b}'::text[]",
        "clearance": "0",
    },
    "access_classes": {
        "tenant_id": "'t'",
        "access_class": "1",
        "repository": "''",
        "snapshot": "''",
        "tags": "'{}'::text[]",
        "labels": "'{}'::text[]",
        "clearance": "0",
        "fingerprint": FINGERPRINT,
    },
    "ingestion_requests": {
        "tenant_id": "'t'",
        "ingestion_id": "'i'",
        "state": "'running'",
        "finished_at": "NULL::timestamptz",
        "report": "'{}'::jsonb",
        "login": "'x'",
    },
    "document_nodes": {
        "tenant_id": "'t'",
        "document_id": "'a'",
        "access_class": "1",
        "ingestion_id": "'i'",
        "doc_type": "''",
        "metadata": "'{}'::jsonb",
        "content_hash": r"sha256('\x00')",
        "summary_embedding": "'[1,0,0,0]'",
    },
    "vector_chunks": {
        "tenant_id": "'t'",
        "document_id": "'a'",
        "ordinal": "0",
        "access_class": "1",
        "start_offset": "0",
        "end_offset": "0",
        "token_count": "0",
        "text": "''",
        "embedding": "'[1,0,0,0]'",
    },
    "document_relationships": {
        "tenant_id": "'t'",
        "from_document": "'a'",
        "relation_type": "'references'",
        "to_document": "'b'",
        "from_access_class": "1",
        "to_access_class": "1",
        "declared": "true",
        "inferred": "false",
        "evidence": "NULL::text",
    },
    "document_references": {
        "tenant_id": "'t'",
        "from_document": "'a'",
        "relation_type": "'references'",
        "to_name": "'not there'",
        "declared": "false",
        "inferred": "true",
        "evidence": "NULL::text",
    },
    "document_names": {"tenant_id": "'t'", "document_id": "'a'", "name": "'A'"},
    "write_turns": {"tenant_id": "'t'", "turn": "1"},
    "next_embedding_space": {"singleton": "true", "model": "'n'", "dimensions": "4", "metric": "'l2'"},
    "next_vectors": {
        "tenant_id": "'t'",
        "document_id": "'a'",
        "ordinal": "-1",
        "digest": r"sha256('\x00')",
        "embedding": "'[1,0,0,0]'",
    },
    "lexical_terms": {"tenant_id": "'t'", "term": "'word'", "term_number": "1"},
    "lexical_counts": {
        "tenant_id": "'t'",
        "term_number": "1",
        "in_chunks": "true",
        "access_class": "1",
        "entries": "1",
    },
    "lexical_index": {
        "tenant_id": "'t'",
        "document_id": "'a'",
        "ordinal": "-1",
        "access_class": "1",
        "lexemes": "''",
        "weights": "'{1:1}/9'",
    },
}


def insertion(table: str, **changes: str) -> str:
    """The statement that stores the valid row of a table, with some columns changed."""
    row = {**VALID[table], **changes}
    if row.get("fingerprint") == FINGERPRINT:
        attributes = ("repository", "snapshot", "tags", "labels", "clearance")
        row["fingerprint"] = f"docgraph.access_fingerprint({', '.join(row[name] for name in attributes)})"
    columns, values = ", ".join(row), ", ".join(row.values())
    return f"INSERT INTO docgraph.{table} ({columns}) VALUES ({values})"


def put_row(connection: Connection, table: str, **changes: str) -> None:
    connection.execute(insertion(table, **changes).encode())


def put_every_row(connection: Connection) -> None:
    """The valid row of every table, and what they refer to."""
    connection.execute("DELETE FROM docgraph.embedding_space")
    for table in VALID:
        if table == "document_relationships":
            put_row(connection, "document_nodes", document_id="'b'", summary_embedding="NULL")
        put_row(connection, table)
