"""Calling the API functions as psql would: by name, with one argument changed at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any, TypeVar

import psycopg
import pytest
from psycopg import sql

from docgraph import calls
from docgraph.calls import Call

T = TypeVar("T")
Connection = psycopg.Connection[Any]

ALL_CALLS: dict[str, Call[Any]] = {
    call.function: call for call in vars(calls).values() if isinstance(call, Call)
}

_CALLER = {"tenant": "default", "access": "{}"}
_DOCUMENTS = """[{
    "id": "a.md", "title": "A", "chunks": [{"text": "Of a.", "embedding": [1, 0, 0, 0]}],
    "links": [{"relation_type": "references", "to": "b.md"}]
}]"""
_RELATIONSHIPS = '[{"from": "a.md", "relation_type": "explains", "to": "b.md"}]'

PLAN = """{
    "format": 1,
    "scope": {"tenant": "default", "repositories": null, "snapshots": ["main"]},
    "seed_documents": [
        {"document_id": "a.md", "rank": 1, "origin": "given"},
        {"document_id": "b.md", "rank": 2, "origin": "search"}
    ],
    "expanded_documents": [
        {"document_id": "c.md", "via": [
            {"from": "a.md", "relation_type": "explains"}, {"from": "b.md", "relation_type": "cites"}
        ]},
        {"document_id": "d.md", "via": [{"from": "b.md", "relation_type": "cites"}]}
    ],
    "constraints": {
        "max_relationship_depth": 1, "traversal_enabled": false, "direction": "outgoing",
        "relation_types": null, "seed_limit": 5, "expanded_per_seed": 10, "max_documents": 40,
        "dominant_scope": "none", "scope_distance": null
    },
    "made_by": {
        "mode": "semantic", "search_in": "summaries", "method": "exact", "revision": "0004",
        "embedding_space": {"model": "test-model", "dimensions": 4, "metric": "cosine"}
    },
    "truncated": [], "omitted": 0, "dropped": 0,
    "plan_hash": "3c0658d54750e3ac64659d5f2ad879e2a44f0cd746d0c85c43d9ebad0ee7239b"
}"""
"""A plan that is well formed and whose hash holds, as text of JSON."""

_QUERY = {**_CALLER, "query_embedding": [1.0, 0.25, 0.0, 0.0], "query_text": None}
_HOW = {"mode": "semantic", "search_in": "summaries", "method": "auto"}
_LIMITS = {
    "seed_limit": 5,
    "relation_types": None,
    "expanded_per_seed": 10,
    "max_documents": 40,
    "dominant_scope": "none",
    "scope_distance": Decimal("0.35"),
}
_FUSION = {"rrf_k": 60, "title_hits": False}
_CHOICE = {"max_chunks": 10, "per_document": 3, "reserve": Decimal("0.4"), "selection": "similarity"}
_BUDGET = {"max_chars": None, "budget_tokens": 8000, "conceptual_share": Decimal("0.25")}
_EXPANSION = {
    "max_depth": 2,
    "max_nodes": 200,
    "fan_out": 50,
    "edge_allowlist": None,
    "direction": "outgoing",
}
_TEXTS = {"max_chars": None, "budget_tokens": 8000, "prioritization": "seed_first"}
NODES = """[
    {"id": "a.md", "depth": 0, "parent": null, "is_seed": true},
    {"id": "b.md", "depth": 1, "parent": "a.md", "is_seed": false}
]"""
"""Nodes of an expansion, as text of JSON."""
_BY_PLAN = {
    **_CALLER,
    "plan": PLAN,
    "query_embedding": [1.0, 0.25, 0.0, 0.0],
    "query_text": None,
    "chunk_mode": "semantic",
    "rrf_k": 60,
}

VALID: dict[str, dict[str, Any]] = {
    "api_version": {},
    "revision": {},
    "embedding_space": {},
    "configure_embedding_space": {
        "model": "another-model",
        "dimensions": 3,
        "metric": "l2",
        "text_search": "simple",
        "average_length": 50.0,
    },
    "whoami": {"tenant": "default", "access": "{}"},
    "grant_access": {
        "tenant": "default",
        "login": "somebody",
        "repositories": ["r"],
        "snapshots": None,
        "tags": ["a", "b"],
        "labels": [],
        "clearance": 1,
    },
    "revoke_access": {"tenant": "default", "login": "somebody"},
    "list_access": {"tenant": "default"},
    "begin_ingestion": {**_CALLER, "ingestion": "nightly", "source": "/srv/handbook"},
    "finish_ingestion": {**_CALLER, "ingestion": "nightly", "state": "finished", "report": '{"added": 1}'},
    "unchanged_documents": {**_CALLER, "documents": _DOCUMENTS, "ingestion": None},
    "put_documents": {**_CALLER, "documents": _DOCUMENTS, "ingestion": None, "model": None},
    "delete_documents": {**_CALLER, "documents": ["a.md"]},
    "set_document_access": {**_CALLER, "documents": ["a.md"], "attributes": '{"clearance": 0}'},
    "put_relationships": {**_CALLER, "relationships": _RELATIONSHIPS},
    "delete_relationships": {**_CALLER, "relationships": _RELATIONSHIPS},
    "get_document": {**_CALLER, "document": "a.md"},
    "list_documents": {**_CALLER, "after": None, "page": 100, "ingested_from": None},
    "list_relationships": {**_CALLER, "document": "a.md", "direction": "out", "after": None, "page": 100},
    "wal_position": {},
    "begin_reembedding": {"model": "another-model", "dimensions": 3, "metric": "l2"},
    "texts_to_reembed": {"after": None, "page": 100},
    "put_new_vectors": {"model": "another-model", "vectors": "[]"},
    "switch_embedding_space": {},
    "rebuild_lexical": {"average_length": 50.0, "text_search": "simple", "k1": 1.5, "b": 0.5},
    "search_nodes": {
        **_QUERY,
        **_HOW,
        "max_nodes": 10,
        **_FUSION,
        "rerank": "none",
        "rerank_lexical": False,
    },
    "candidate_texts": {**_CALLER, "documents": ["a.md"], "chunks": [0]},
    "plan_retrieval": {**_QUERY, "seeds": ["a.md"], **_HOW, **_LIMITS, **_FUSION},
    "plan_documents": {"plan": PLAN},
    "explain_plan": {"plan": PLAN},
    "seal_plan": {"plan": PLAN},
    "verify_plan": {"plan": PLAN},
    "execute_plan": {**_BY_PLAN, **_CHOICE},
    "assemble_context": {**_BY_PLAN, **_BUDGET, **_CHOICE},
    "retrieve_by_plan": {**_BY_PLAN, **_CHOICE, **_BUDGET},
    "retrieve": {
        **_QUERY,
        "seeds": ["a.md"],
        **_HOW,
        **_LIMITS,
        **_FUSION,
        "chunk_mode": None,
        **_CHOICE,
        **_BUDGET,
    },
    "retrieve_many": {
        **_CALLER,
        "query_embeddings": [[1.0, 0.25, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
        "query_texts": None,
        "seeds": ["a.md"],
        **_HOW,
        **_LIMITS,
        **_FUSION,
        "chunk_mode": None,
        **_CHOICE,
        **_BUDGET,
    },
    "expand_dependency_tree": {**_CALLER, "seeds": ["a.md"], **_EXPANSION},
    "fetch_node_texts": {**_CALLER, "nodes": NODES, "seeds": ["a.md"], **_TEXTS},
    "run_pipeline": {
        **_CALLER,
        "query_embedding": None,
        "query_text": None,
        "seeds": ["a.md"],
        **_HOW,
        **_FUSION,
        "rerank": "none",
        "rerank_lexical": False,
        "seed_limit": 5,
        **_EXPANSION,
        **_TEXTS,
    },
}
"""Arguments that each function accepts."""


def ask(connection: Connection, call: Call[T], **changes: Any) -> T:
    """One call; what is not said is valid. No Python layer looks at arguments or errors."""
    arguments = {**VALID[call.function], **changes}
    return call.result(connection.execute(call.statement.encode(), arguments).fetchall())


def refusal(connection: Connection, call: Call[Any], **changes: Any) -> psycopg.Error:
    """The error that a call gives; an open transaction goes on."""
    with pytest.raises(psycopg.Error) as caught, connection.transaction():
        ask(connection, call, **changes)
    return caught.value


def refused(connection: Connection, statement: str, *arguments: Any) -> psycopg.Error:
    """The error that a statement gives; an open transaction goes on."""
    with pytest.raises(psycopg.Error) as caught, connection.transaction():
        connection.execute(statement.encode(), arguments or None)
    return caught.value


def words(error: psycopg.Error) -> tuple[str | None, ...]:
    """Everything of an error that a caller can read."""
    diag = error.diag
    return (
        diag.sqlstate,
        diag.message_primary,
        diag.message_detail,
        diag.message_hint,
        diag.context,
        diag.internal_query,
        diag.schema_name,
        diag.table_name,
        diag.column_name,
        diag.constraint_name,
    )


def tables(connection: Connection) -> list[str]:
    """Every table of the schema."""
    rows = connection.execute(
        "SELECT relname FROM pg_class"
        " WHERE relnamespace = 'docgraph'::regnamespace AND relkind = 'r' ORDER BY relname"
    )
    return [name for (name,) in rows]


def contents(superuser: Connection) -> dict[str, str]:
    """A digest of every table, and of the shape of the vector columns."""
    found = {}
    for table in tables(superuser):
        rows = superuser.execute(
            sql.SQL("SELECT t::text FROM docgraph.{} AS t ORDER BY 1").format(sql.Identifier(table))
        )
        found[table] = hashlib.sha256(repr(rows.fetchall()).encode()).hexdigest()
    shape = superuser.execute(
        """
        SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity, i.indisvalid, pg_get_indexdef(c.oid), (
            SELECT array_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum)
            FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
        )
        FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
        WHERE c.relnamespace = 'docgraph'::regnamespace
        ORDER BY 1
        """
    )
    return found | {"": repr(shape.fetchall())}


@contextmanager
def nothing_written(superuser: Connection) -> Iterator[None]:
    """Whatever happens inside leaves every row and every column type as it was."""
    before = contents(superuser)
    yield
    assert contents(superuser) == before
