"""The calls for searches and plans. What a caller does not say is not sent: the database has the defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from docgraph.access import Access
from docgraph.calling import CLAIM, Call, Request, Row, claim, scalar
from docgraph.errors import InvalidArgument
from docgraph.plan import RetrievalPlan
from docgraph.plan.rows import PlanCheck, PlanRow, SearchHit

AnyPlan: TypeAlias = RetrievalPlan | Mapping[str, Any]
"""A plan, or its JSON as Python has it."""


def _hits(rows: Sequence[Row]) -> list[SearchHit]:
    return [SearchHit(*row) for row in rows]


def _texts(rows: Sequence[Row]) -> dict[int, str]:
    return dict(rows)


def _plan(rows: Sequence[Row]) -> RetrievalPlan:
    return RetrievalPlan.from_dict(rows[0][0])


def _plan_rows(rows: Sequence[Row]) -> list[PlanRow]:
    return [PlanRow(*row) for row in rows]


def _check(rows: Sequence[Row]) -> PlanCheck:
    return PlanCheck(*rows[0])


_QUERY = {
    **CLAIM,
    "query_embedding": "double precision[]",
    "query_text": "text",
}
_HOW = {"mode": "text", "search_in": "text", "method": "text"}
_FUSION = {"rrf_k": "integer", "title_hits": "boolean"}
_PLAN = {"plan": "jsonb"}

SEARCH_NODES: Call[list[SearchHit]] = Call(
    "search_nodes",
    {
        **_QUERY,
        **_HOW,
        "max_nodes": "integer",
        **_FUSION,
        "rerank": "text",
        "rerank_lexical": "boolean",
    },
    _hits,
    alone=True,
)
CANDIDATE_TEXTS: Call[dict[int, str]] = Call(
    "candidate_texts", {**CLAIM, "documents": "text[]", "chunks": "integer[]"}, _texts, alone=True
)
PLAN_RETRIEVAL: Call[RetrievalPlan] = Call(
    "plan_retrieval",
    {
        **_QUERY,
        "seeds": "text[]",
        **_HOW,
        "seed_limit": "integer",
        "relation_types": "text[]",
        "expanded_per_seed": "integer",
        "max_documents": "integer",
        "dominant_scope": "text",
        "scope_distance": "numeric",
        **_FUSION,
    },
    _plan,
    alone=True,
)
PLAN_DOCUMENTS: Call[list[PlanRow]] = Call("plan_documents", _PLAN, _plan_rows)
EXPLAIN_PLAN: Call[str] = Call("explain_plan", _PLAN, scalar)
SEAL_PLAN: Call[RetrievalPlan] = Call("seal_plan", _PLAN, _plan)
VERIFY_PLAN: Call[PlanCheck] = Call("verify_plan", _PLAN, _check)


def search_nodes(tenant: str, access: Access, **arguments: object) -> Request[list[SearchHit]]:
    return SEARCH_NODES(tenant=tenant, access=claim(access), **arguments)


def candidate_texts(
    tenant: str, access: Access, documents: Sequence[str], chunks: Sequence[int] | None
) -> Request[dict[int, str]]:
    return CANDIDATE_TEXTS(tenant=tenant, access=claim(access), documents=documents, chunks=chunks)


def plan_retrieval(tenant: str, access: Access, **arguments: object) -> Request[RetrievalPlan]:
    refuse_unordered(arguments.get("seeds"))
    return PLAN_RETRIEVAL(tenant=tenant, access=claim(access), **arguments)


def plan_documents(plan: AnyPlan) -> Request[list[PlanRow]]:
    return PLAN_DOCUMENTS(plan=json_of(plan))


def explain_plan(plan: AnyPlan) -> Request[str]:
    return EXPLAIN_PLAN(plan=json_of(plan))


def seal_plan(plan: AnyPlan) -> Request[RetrievalPlan]:
    return SEAL_PLAN(plan=json_of(plan))


def verify_plan(plan: AnyPlan) -> Request[PlanCheck]:
    return VERIFY_PLAN(plan=json_of(plan))


def json_of(plan: Any) -> Any:
    """What is no plan stays as it is, for the database to refuse."""
    if isinstance(plan, RetrievalPlan):
        return plan.to_dict()
    if isinstance(getattr(plan, "plan", None), RetrievalPlan):
        raise InvalidArgument(
            f"plan must be a plan, not {type(plan).__name__}", hint="Its plan is its attribute plan."
        )
    if isinstance(plan, (str, bytes)):
        raise InvalidArgument(
            f"plan must be an object or a list, not {type(plan).__name__}",
            hint="RetrievalPlan.from_json(text) makes a plan of what to_json wrote.",
        )
    return dict(plan) if isinstance(plan, Mapping) else plan


def refuse_unordered(seeds: object) -> None:
    """A set has another order in each process, and so would the plan."""
    if isinstance(seeds, (set, frozenset)):
        raise InvalidArgument("seeds must be a list: their order counts", hint='For example seeds=["a.md"].')
