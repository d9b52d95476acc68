"""The calls that fetch what a plan's documents say. What a caller does not say is not sent, as for plans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from docgraph.access import Access
from docgraph.adapting import Vectors, vectors
from docgraph.calling import CLAIM, Call, Request, Row, claim
from docgraph.context import Accounting, ContextRow, EvidenceRow, RetrievedContext
from docgraph.plan_calls import PLAN_RETRIEVAL, AnyPlan, json_of, refuse_unordered


def _context(rows: Sequence[Row]) -> RetrievedContext:
    return RetrievedContext.from_database(rows[0][0])


def _contexts(rows: Sequence[Row]) -> list[RetrievedContext]:
    return [RetrievedContext.from_database(found) for _, found in rows]


def _values(row: Row) -> list[Any]:
    """Lists as tuples; the one object in a row is an accounting."""
    kinds: dict[type, Callable[[Any], Any]] = {list: tuple, dict: Accounting.from_json}
    return [kinds[type(value)](value) if type(value) in kinds else value for value in row]


def _evidence(rows: Sequence[Row]) -> list[EvidenceRow]:
    return [EvidenceRow(*_values(row)) for row in rows]


def _pieces(rows: Sequence[Row]) -> list[ContextRow]:
    return [ContextRow(*_values(row)) for row in rows]


_BY_PLAN = {
    **CLAIM,
    "plan": "jsonb",
    "query_embedding": "double precision[]",
    "query_text": "text",
    "chunk_mode": "text",
    "rrf_k": "integer",
}
_CHOICE = {"max_chunks": "integer", "per_document": "integer", "reserve": "numeric", "selection": "text"}
_BUDGET = {"max_chars": "integer", "budget_tokens": "integer", "conceptual_share": "numeric"}
_SEVERAL = {
    "query_embedding": ("query_embeddings", "double precision[]"),
    "query_text": ("query_texts", "text[]"),
}
_BY_QUESTION = {**PLAN_RETRIEVAL.parameters, "chunk_mode": "text", **_CHOICE, **_BUDGET}

EXECUTE_PLAN: Call[list[EvidenceRow]] = Call("execute_plan", {**_BY_PLAN, **_CHOICE}, _evidence, alone=True)
ASSEMBLE_CONTEXT: Call[list[ContextRow]] = Call(
    "assemble_context", {**_BY_PLAN, **_BUDGET, **_CHOICE}, _pieces, alone=True
)
RETRIEVE: Call[RetrievedContext] = Call("retrieve", _BY_QUESTION, _context, alone=True)
RETRIEVE_BY_PLAN: Call[RetrievedContext] = Call(
    "retrieve_by_plan", {**_BY_PLAN, **_CHOICE, **_BUDGET}, _context, alone=True
)
RETRIEVE_MANY: Call[list[RetrievedContext]] = Call(
    "retrieve_many",
    dict(_SEVERAL.get(name, (name, kind)) for name, kind in _BY_QUESTION.items()),
    _contexts,
    alone=True,
)


def execute_plan(
    tenant: str, access: Access, plan: AnyPlan, **arguments: object
) -> Request[list[EvidenceRow]]:
    return EXECUTE_PLAN(tenant=tenant, access=claim(access), plan=json_of(plan), **arguments)


def assemble_context(
    tenant: str, access: Access, plan: AnyPlan, **arguments: object
) -> Request[list[ContextRow]]:
    return ASSEMBLE_CONTEXT(tenant=tenant, access=claim(access), plan=json_of(plan), **arguments)


def retrieve(tenant: str, access: Access, **arguments: object) -> Request[RetrievedContext]:
    refuse_unordered(arguments.get("seeds"))
    return RETRIEVE(tenant=tenant, access=claim(access), **arguments)


def retrieve_by_plan(
    tenant: str, access: Access, plan: AnyPlan, **arguments: object
) -> Request[RetrievedContext]:
    return RETRIEVE_BY_PLAN(tenant=tenant, access=claim(access), plan=json_of(plan), **arguments)


def retrieve_many(
    tenant: str, access: Access, query_embeddings: Vectors | None = None, **arguments: object
) -> Request[list[RetrievedContext]]:
    refuse_unordered(arguments.get("seeds"))
    packed = vectors("query_embeddings", query_embeddings)
    return RETRIEVE_MANY(tenant=tenant, access=claim(access), query_embeddings=packed, **arguments)
