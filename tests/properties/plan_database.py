"""Puts a world to plan in into a database, and asks the database for plans."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from tests.properties.pages import page
from tests.properties.plan_worlds import PlanWorld
from tests.properties.planner import Question, Setting, Vector, stored
from tests.properties.test_hidden_changes import Caller
from tests.sql.asking import Connection

TABLES = (
    "document_relationships",
    "document_references",
    "vector_chunks",
    "document_nodes",
    "ingestion_requests",
    "access_classes",
    "access_grants",
)
_CLASSES = """
INSERT INTO docgraph.access_classes
SELECT c.tenant, c.number, c.repository, c.snapshot, c.tags, c.labels, c.clearance,
    docgraph.access_fingerprint(c.repository, c.snapshot, c.tags, c.labels, c.clearance)
FROM jsonb_to_recordset(%s) AS c (
    tenant text, number bigint, repository text, snapshot text, tags text[], labels text[], clearance integer
)
"""
_NODES = (
    "document_nodes (tenant_id, document_id, access_class, ingestion_id, doc_type, content_hash,"
    " summary_embedding, title, source, summary, section_titles)"
)
_CHUNKS = (
    "vector_chunks (tenant_id, document_id, ordinal, access_class, token_count, text, section_path,"
    " start_offset, end_offset, embedding)"
)
_GRANTS = "access_grants (tenant_id, login, repositories, snapshots, tags, labels, clearance)"
_RELATIONSHIPS = (
    "document_relationships (tenant_id, from_document, relation_type, to_document,"
    " from_access_class, to_access_class, declared, inferred)"
)
_REFERENCES = "document_references (tenant_id, from_document, relation_type, to_name, declared, inferred)"

_SEARCH = """
SELECT * FROM docgraph.search_nodes(
    tenant => %(tenant)s, access => %(access)s, query_embedding => %(query_embedding)s,
    search_in => %(search_in)s, method => %(method)s, max_nodes => %(max_nodes)s::integer
)
"""
_PLAN = """
SELECT docgraph.plan_retrieval(
    tenant => %(tenant)s, access => %(access)s, query_embedding => %(query_embedding)s,
    seeds => %(seeds)s, search_in => %(search_in)s, method => %(method)s,
    seed_limit => %(seed_limit)s::integer, relation_types => %(relation_types)s,
    expanded_per_seed => %(expanded_per_seed)s::integer, max_documents => %(max_documents)s::integer,
    dominant_scope => %(dominant_scope)s, scope_distance => %(scope_distance)s::numeric
) AS plan
"""
_LOOK = f"""
WITH p AS MATERIALIZED ({_PLAN})
SELECT plan::text,
    ARRAY(
        SELECT jsonb_build_array(d.position, d.document_id, d.role, d.via, d.from_document, d.why)
        FROM docgraph.plan_documents(plan) d
    ),
    docgraph.explain_plan(plan),
    docgraph.seal_plan(plan)::text,
    ARRAY(SELECT to_jsonb(v) FROM docgraph.verify_plan(plan) v)
FROM p
"""


def _half(vector: Vector | None, metric: str) -> str | None:
    return None if vector is None else json.dumps(stored(vector, metric))


def _listed(entries: Iterable[str] | None) -> list[str] | None:
    return None if entries is None else sorted(set(entries), key=str.encode)


def _copy(cursor: psycopg.Cursor[Any], into: str, found: Iterable[tuple[Any, ...]]) -> None:
    with cursor.copy(f"COPY docgraph.{into} FROM STDIN".encode()) as copy:
        for row in found:
            copy.write_row(row)


def put(superuser: Connection, world: PlanWorld, metric: str = "cosine") -> None:
    """This world in place of the one before, in the order in which it has things."""
    access = world.access
    classes = [
        {
            "tenant": tenant,
            "number": number,
            "repository": needed.repository,
            "snapshot": needed.snapshot,
            "tags": _listed(needed.tags),
            "labels": _listed(needed.labels),
            "clearance": needed.clearance,
        }
        for tenant, found in access.classes.items()
        for number, needed in found.items()
    ]
    found = [(t, each, page(d)) for t, shelf in world.shelves.items() for each, d in shelf.documents.items()]
    runs = dict.fromkeys((t, d.ingestion, "postgres") for t, _, d in found if d.ingestion is not None)
    of = access.documents
    with superuser.transaction(), superuser.cursor() as cursor:
        cursor.execute("; ".join(f"DELETE FROM docgraph.{table}" for table in TABLES).encode())
        cursor.execute(_CLASSES, (Jsonb(classes),))
        _copy(
            cursor,
            _GRANTS,
            (
                (t, login, *map(_listed, (c.repositories, c.snapshots, c.tags, c.labels)), c.clearance)
                for (t, login), c in access.ceilings.items()
            ),
        )
        _copy(cursor, "ingestion_requests (tenant_id, ingestion_id, login)", runs)
        _copy(
            cursor,
            _NODES,
            (
                (
                    *(t, each, of[t][each], d.ingestion, d.doc_type, bytes(32), _half(d.summary, metric)),
                    *(d.title, d.source, d.about, list(d.section_titles)),
                )
                for t, each, d in found
            ),
        )
        _copy(
            cursor,
            _CHUNKS,
            (
                (
                    *(t, each, number, of[t][each], piece.tokens, piece.text, list(piece.section_path)),
                    *(piece.offsets or (None, None)),
                    _half(vector, metric),
                )
                for t, each, d in found
                for number, (piece, vector) in enumerate(zip(d.pieces, d.chunks, strict=True))
            ),
        )
        _copy(
            cursor,
            _RELATIONSHIPS,
            (
                (t, a, kind, b, of[t][a], of[t][b], True, False)
                for t, shelf in world.shelves.items()
                for a, kind, b in shelf.edges
            ),
        )
        _copy(
            cursor,
            _REFERENCES,
            ((t, *each, True, False) for t, waiting in world.waiting.items() for each in waiting),
        )


@dataclass(frozen=True)
class Looked:
    """A plan as its bytes, and what the functions that read plans say of it."""

    plan: str
    rows: list[tuple[Any, ...]]
    why: list[str]
    explained: str
    sealed: str
    verified: list[dict[str, Any]]


def arguments(caller: Caller, asked: Question) -> dict[str, Any]:
    """Those of plan_retrieval."""
    values = {each.name: getattr(asked, each.name) for each in fields(asked)}
    lists = {name: list(value) for name, value in values.items() if isinstance(value, tuple)}
    vector = values["query_embedding"]
    given = {"query_embedding": vector and [float(each) for each in vector]}
    return values | lists | given | {"tenant": caller.tenant, "access": Jsonb(caller.claim)}


def plan(connection: Connection, caller: Caller, asked: Question) -> str | None:
    """The plan's bytes; None is denied."""
    statement = f"SELECT plan::text FROM ({_PLAN}) AS p"
    try:
        ((found,),) = connection.execute(statement.encode(), arguments(caller, asked)).fetchall()
    except psycopg.errors.InsufficientPrivilege:
        return None
    return str(found)


def look(connection: Connection, caller: Caller, asked: Question) -> Looked | None:
    """The plan and all that can be asked about it; None is denied."""
    try:
        (row,) = connection.execute(_LOOK.encode(), arguments(caller, asked)).fetchall()
    except psycopg.errors.InsufficientPrivilege:
        return None
    text, listed, explained, sealed, verified = row
    return Looked(text, [tuple(r[:5]) for r in listed], [r[5] for r in listed], explained, sealed, verified)


def search(
    connection: Connection, caller: Caller, asked: Question, max_nodes: int
) -> list[tuple[int, str, int | None, str]] | None:
    """The rows of search_nodes; None is denied."""
    values = arguments(caller, asked) | {"max_nodes": max_nodes}
    try:
        return connection.execute(_SEARCH.encode(), values).fetchall()
    except psycopg.errors.InsufficientPrivilege:
        return None


def setting(superuser: Connection) -> Setting:
    """What plans say of this database."""
    (row,) = superuser.execute(
        "SELECT e.model, e.dimensions, e.metric, r.version_num"
        " FROM docgraph.embedding_space e, docgraph.alembic_version r"
    ).fetchall()
    return Setting(*row)
