"""The calls: one per SQL function, with its parameters and their types, and what its rows become.

All calls of the database's functions are here, those for plans, contexts and stages by way of `plan_calls`,
`context_calls` and `stage_calls`; other modules only ask the catalogue. The tests compare every call with the
live catalogue.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import psycopg
from psycopg.rows import tuple_row

from docgraph.access import Access, Ceiling, EmbeddingSpace, Identity, LexicalIndex
from docgraph.calling import (
    CLAIM,
    IS_COUNTERFEIT,
    TENANT,
    Call,
    Request,
    Row,
    claim,
    fetch,
    fetch_async,
    refuse_counterfeit,
    scalar,
    session_login,
)
from docgraph.context_calls import (
    ASSEMBLE_CONTEXT,
    EXECUTE_PLAN,
    RETRIEVE,
    RETRIEVE_BY_PLAN,
    RETRIEVE_MANY,
    assemble_context,
    execute_plan,
    retrieve,
    retrieve_by_plan,
    retrieve_many,
)
from docgraph.documents import Document
from docgraph.plan_calls import (
    CANDIDATE_TEXTS,
    EXPLAIN_PLAN,
    PLAN_DOCUMENTS,
    PLAN_RETRIEVAL,
    SEAL_PLAN,
    SEARCH_NODES,
    VERIFY_PLAN,
    candidate_texts,
    explain_plan,
    plan_documents,
    plan_retrieval,
    seal_plan,
    search_nodes,
    verify_plan,
)
from docgraph.stage_calls import (
    EXPAND_DEPENDENCY_TREE,
    FETCH_NODE_TEXTS,
    RUN_PIPELINE,
    expand_dependency_tree,
    fetch_node_texts,
    run_pipeline,
)
from docgraph.stored import DocumentRow, OldText, Relationship, StoredDocument, Written
from docgraph.unknown import refuse_other

__all__ = [
    "ASSEMBLE_CONTEXT",
    "CANDIDATE_TEXTS",
    "EXECUTE_PLAN",
    "EXPAND_DEPENDENCY_TREE",
    "EXPLAIN_PLAN",
    "FETCH_NODE_TEXTS",
    "IS_COUNTERFEIT",
    "PLAN_DOCUMENTS",
    "PLAN_RETRIEVAL",
    "RETRIEVE",
    "RETRIEVE_BY_PLAN",
    "RETRIEVE_MANY",
    "RUN_PIPELINE",
    "SEAL_PLAN",
    "SEARCH_NODES",
    "VERIFY_PLAN",
    "Call",
    "Request",
    "assemble_context",
    "candidate_texts",
    "execute_plan",
    "expand_dependency_tree",
    "explain_plan",
    "fetch",
    "fetch_async",
    "fetch_node_texts",
    "plan_documents",
    "plan_retrieval",
    "refuse_counterfeit",
    "retrieve",
    "retrieve_by_plan",
    "retrieve_many",
    "run_pipeline",
    "seal_plan",
    "search_nodes",
    "session_login",
    "verify_plan",
]

API_VERSION = (1, 5)
"""The functions this package calls: it works with the same major and at least this minor."""


def ask_version(connection: psycopg.Connection[Any]) -> str:
    """The version of the functions, if they are docgraph's."""
    with psycopg.Cursor(connection, row_factory=tuple_row) as cursor:
        refuse_counterfeit(scalar(cursor.execute(IS_COUNTERFEIT).fetchall()))
    return fetch(connection, API_VERSION_OF_DATABASE())


async def ask_version_async(connection: psycopg.AsyncConnection[Any]) -> str:
    """As `ask_version`."""
    async with psycopg.AsyncCursor(connection, row_factory=tuple_row) as cursor:
        await cursor.execute(IS_COUNTERFEIT)
        refuse_counterfeit(scalar(await cursor.fetchall()))
    return await fetch_async(connection, API_VERSION_OF_DATABASE())


def _nothing(rows: Sequence[Row]) -> None:
    return None


def _tuples(row: Row) -> list[Any]:
    return [tuple(value) if isinstance(value, list) else value for value in row]


def _identity(rows: Sequence[Row]) -> Identity:
    return Identity(*_tuples(rows[0]))


def _ceilings(rows: Sequence[Row]) -> list[Ceiling]:
    return [Ceiling(*_tuples(row)) for row in rows]


def _space(rows: Sequence[Row]) -> EmbeddingSpace | None:
    return EmbeddingSpace(*rows[0]) if rows else None


def _lexical(rows: Sequence[Row]) -> LexicalIndex:
    return LexicalIndex(*rows[0])


def _written(rows: Sequence[Row]) -> Written:
    return Written.from_json(rows[0][0])


def _document(rows: Sequence[Row]) -> StoredDocument | None:
    return None if rows[0][0] is None else StoredDocument.from_json(rows[0][0])


def _document_rows(rows: Sequence[Row]) -> list[DocumentRow]:
    return [DocumentRow(*_tuples(row)) for row in rows]


def _old_texts(rows: Sequence[Row]) -> list[OldText]:
    return [OldText(*_tuples(row)) for row in rows]


def _relationships(rows: Sequence[Row]) -> list[Relationship]:
    return [Relationship(*row) for row in rows]


_LOGIN = {**TENANT, "login": "text"}

API_VERSION_OF_DATABASE: Call[str] = Call("api_version", {}, scalar)
REVISION: Call[str] = Call("revision", {}, scalar)
EMBEDDING_SPACE: Call[EmbeddingSpace | None] = Call("embedding_space", {}, _space, alone=True)
CONFIGURE_EMBEDDING_SPACE: Call[bool] = Call(
    "configure_embedding_space",
    {
        "model": "text",
        "dimensions": "integer",
        "metric": "text",
        "text_search": "text",
        "average_length": "double precision",
    },
    scalar,
)
WHOAMI: Call[Identity] = Call("whoami", CLAIM, _identity)
GRANT_ACCESS: Call[None] = Call(
    "grant_access",
    {
        **_LOGIN,
        "repositories": "text[]",
        "snapshots": "text[]",
        "tags": "text[]",
        "labels": "text[]",
        "clearance": "integer",
    },
    _nothing,
)
REVOKE_ACCESS: Call[bool] = Call("revoke_access", _LOGIN, scalar)
LIST_ACCESS: Call[list[Ceiling]] = Call("list_access", TENANT, _ceilings)
BEGIN_INGESTION: Call[None] = Call(
    "begin_ingestion", {**CLAIM, "ingestion": "text", "source": "text"}, _nothing
)
FINISH_INGESTION: Call[dict[str, int]] = Call(
    "finish_ingestion", {**CLAIM, "ingestion": "text", "state": "text", "report": "jsonb"}, scalar
)
UNCHANGED_DOCUMENTS: Call[list[str]] = Call(
    "unchanged_documents", {**CLAIM, "documents": "jsonb", "ingestion": "text"}, scalar
)
PUT_DOCUMENTS: Call[Written] = Call(
    "put_documents", {**CLAIM, "documents": "jsonb", "ingestion": "text", "model": "text"}, _written
)
DELETE_DOCUMENTS: Call[Written] = Call("delete_documents", {**CLAIM, "documents": "text[]"}, _written)
SET_DOCUMENT_ACCESS: Call[Written] = Call(
    "set_document_access", {**CLAIM, "documents": "text[]", "attributes": "jsonb"}, _written
)
PUT_RELATIONSHIPS: Call[Written] = Call("put_relationships", {**CLAIM, "relationships": "jsonb"}, _written)
DELETE_RELATIONSHIPS: Call[Written] = Call(
    "delete_relationships", {**CLAIM, "relationships": "jsonb"}, _written
)
GET_DOCUMENT: Call[StoredDocument | None] = Call("get_document", {**CLAIM, "document": "text"}, _document)
LIST_DOCUMENTS: Call[list[DocumentRow]] = Call(
    "list_documents",
    {**CLAIM, "after": "text", "page": "integer", "ingested_from": "text"},
    _document_rows,
)
LIST_RELATIONSHIPS: Call[list[Relationship]] = Call(
    "list_relationships",
    {**CLAIM, "document": "text", "direction": "text", "after": "text[]", "page": "integer"},
    _relationships,
)
BEGIN_REEMBEDDING: Call[None] = Call(
    "begin_reembedding", {"model": "text", "dimensions": "integer", "metric": "text"}, _nothing
)
TEXTS_TO_REEMBED: Call[list[OldText]] = Call(
    "texts_to_reembed", {"after": "text[]", "page": "integer"}, _old_texts
)
PUT_NEW_VECTORS: Call[int] = Call("put_new_vectors", {"model": "text", "vectors": "jsonb"}, scalar)
SWITCH_EMBEDDING_SPACE: Call[None] = Call("switch_embedding_space", {}, _nothing)
REBUILD_LEXICAL: Call[LexicalIndex] = Call(
    "rebuild_lexical",
    {
        "average_length": "double precision",
        "text_search": "text",
        "k1": "double precision",
        "b": "double precision",
    },
    _lexical,
)
WAL_POSITION: Call[str] = Call("wal_position", {}, scalar)


def whoami(tenant: str, access: Access) -> Request[Identity]:
    return WHOAMI(tenant=tenant, access=claim(access))


def grant_access(tenant: str, ceiling: Ceiling) -> Request[None]:
    refuse_other(
        "ceiling", ceiling, Ceiling, 'For example Ceiling("alice", None, None, ("hr",), (), 1); None is all.'
    )
    return GRANT_ACCESS(
        tenant=tenant,
        login=ceiling.login,
        repositories=ceiling.repositories,
        snapshots=ceiling.snapshots,
        tags=ceiling.tags,
        labels=ceiling.labels,
        clearance=ceiling.clearance,
    )


def revoke_access(tenant: str, login: str) -> Request[bool]:
    return REVOKE_ACCESS(tenant=tenant, login=login)


def list_access(tenant: str) -> Request[list[Ceiling]]:
    return LIST_ACCESS(tenant=tenant)


def revision() -> Request[str]:
    return REVISION()


def embedding_space() -> Request[EmbeddingSpace | None]:
    return EMBEDDING_SPACE()


def configure_embedding_space(space: EmbeddingSpace) -> Request[bool]:
    refuse_other("space", space, EmbeddingSpace, "embedding_space() gives the one that is recorded.")
    return CONFIGURE_EMBEDDING_SPACE(
        model=space.model,
        dimensions=space.dimensions,
        metric=space.metric,
        text_search=space.text_search,
        average_length=space.average_length,
    )


def begin_ingestion(tenant: str, access: Access, ingestion: str, source: str) -> Request[None]:
    return BEGIN_INGESTION(tenant=tenant, access=claim(access), ingestion=ingestion, source=source)


def finish_ingestion(
    tenant: str, access: Access, ingestion: str, state: str, report: Mapping[str, object]
) -> Request[dict[str, int]]:
    return FINISH_INGESTION(
        tenant=tenant, access=claim(access), ingestion=ingestion, state=state, report=report
    )


def unchanged_documents(
    tenant: str,
    access: Access,
    documents: Iterable[Document | Mapping[str, object]],
    ingestion: str | None,
) -> Request[list[str]]:
    return UNCHANGED_DOCUMENTS(
        tenant=tenant, access=claim(access), documents=_plain(documents), ingestion=ingestion
    )


def put_documents(
    tenant: str,
    access: Access,
    documents: Iterable[Document | Mapping[str, object]],
    ingestion: str | None,
    model: str | None,
) -> Request[Written]:
    return PUT_DOCUMENTS(
        tenant=tenant,
        access=claim(access),
        documents=_plain(documents),
        ingestion=ingestion,
        model=model,
    )


def delete_documents(tenant: str, access: Access, documents: Collection[str]) -> Request[Written]:
    return DELETE_DOCUMENTS(tenant=tenant, access=claim(access), documents=documents)


def set_document_access(
    tenant: str, access: Access, documents: Collection[str], attributes: Mapping[str, object]
) -> Request[Written]:
    return SET_DOCUMENT_ACCESS(
        tenant=tenant, access=claim(access), documents=documents, attributes=attributes
    )


def put_relationships(
    tenant: str, access: Access, relationships: Iterable[Mapping[str, object]]
) -> Request[Written]:
    return PUT_RELATIONSHIPS(tenant=tenant, access=claim(access), relationships=_plain(relationships))


def delete_relationships(
    tenant: str, access: Access, relationships: Iterable[Mapping[str, object]]
) -> Request[Written]:
    return DELETE_RELATIONSHIPS(tenant=tenant, access=claim(access), relationships=_plain(relationships))


def get_document(tenant: str, access: Access, document: str) -> Request[StoredDocument | None]:
    return GET_DOCUMENT(tenant=tenant, access=claim(access), document=document)


def list_documents(
    tenant: str, access: Access, after: str | None, page: int, ingested_from: str | None
) -> Request[list[DocumentRow]]:
    return LIST_DOCUMENTS(
        tenant=tenant, access=claim(access), after=after, page=page, ingested_from=ingested_from
    )


def list_relationships(  # noqa: PLR0917 - the parameters of the function, in its order
    tenant: str, access: Access, document: str, direction: str, after: Collection[str] | None, page: int
) -> Request[list[Relationship]]:
    return LIST_RELATIONSHIPS(
        tenant=tenant, access=claim(access), document=document, direction=direction, after=after, page=page
    )


def wal_position() -> Request[str]:
    return WAL_POSITION()


def begin_reembedding(model: str, dimensions: int, metric: str) -> Request[None]:
    return BEGIN_REEMBEDDING(model=model, dimensions=dimensions, metric=metric)


def texts_to_reembed(after: Collection[str] | None, page: int) -> Request[list[OldText]]:
    return TEXTS_TO_REEMBED(after=after, page=page)


def put_new_vectors(model: str, vectors: Iterable[Mapping[str, object]]) -> Request[int]:
    return PUT_NEW_VECTORS(model=model, vectors=_plain(vectors))


def switch_embedding_space() -> Request[None]:
    return SWITCH_EMBEDDING_SPACE()


def rebuild_lexical(
    average_length: float | None, text_search: str | None, k1: float | None, b: float | None
) -> Request[LexicalIndex]:
    return REBUILD_LEXICAL(average_length=average_length, text_search=text_search, k1=k1, b=b)


def _plain(entries: Any) -> Any:
    """Documents and the like as JSON has them; what is no list stays as it is, for the database to refuse."""
    if isinstance(entries, (str, bytes, Mapping)) or not isinstance(entries, Iterable):
        return entries
    return [entry.to_dict() if isinstance(entry, Document) else entry for entry in entries]
