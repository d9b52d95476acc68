"""A plan made by the client: a search, then the relationships of each seed, one call after another.

With the guarantees that a plan has: the same wall, one state of the database, so one transaction, and what
a plan says of itself. It must come out the same, to the hash. The rules are those of `plan_retrieval`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg

PER_SEED = 10
DOCUMENTS = 40
"""The usual limits of a plan."""

_PAGE = 1000

SEARCH = (
    "SELECT document_id, found_by FROM docgraph.search_nodes('default', %(access)s,"
    " query_embedding => %(query)s::double precision[], method => %(method)s, max_nodes => %(seeds)s)"
    " ORDER BY rank"
)
_RELATIONSHIPS = (
    "SELECT relation_type, to_document"
    " FROM docgraph.list_relationships('default', %(access)s, %(document)s, 'out', page => %(page)s)"
    " WHERE NOT waiting"
)
_WHO = "SELECT repositories, snapshots FROM docgraph.whoami('default', %(access)s)"
_SPACE = "SELECT model, dimensions, metric FROM docgraph.embedding_space()"
_REVISION = "SELECT docgraph.revision()"

Leads = Sequence[tuple[str, str]]
"""Types and targets of what leads from a document."""


def planned(connection: psycopg.Connection[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The plan. For a transaction."""

    def rows(statement: str, arguments: Mapping[str, Any] | None = None) -> list[Any]:
        return connection.execute(statement.encode(), arguments, prepare=True).fetchall()

    found = rows(SEARCH, given)
    seeds = [document for document, _ in found]
    leads = {
        seed: rows(_RELATIONSHIPS, {"access": given["access"], "document": seed, "page": _PAGE})
        for seed in seeds
    }
    ((repositories, snapshots),) = rows(_WHO, given)
    ((model, dimensions, metric),) = rows(_SPACE)
    ((revision,),) = rows(_REVISION)
    plan = {
        "format": 1,
        "scope": {"tenant": "default", "repositories": repositories, "snapshots": snapshots},
        "seed_documents": [
            {"document_id": seed, "rank": place, "origin": "search"} for place, seed in enumerate(seeds, 1)
        ],
        "expanded_documents": _expanded(leads),
        "constraints": {
            "max_relationship_depth": 1,
            "traversal_enabled": False,
            "direction": "outgoing",
            "relation_types": None,
            "seed_limit": given["seeds"],
            "expanded_per_seed": PER_SEED,
            "max_documents": DOCUMENTS,
            "dominant_scope": "none",
            "scope_distance": None,
        },
        "made_by": {
            "mode": "semantic",
            "search_in": "summaries",
            "method": found[0][1],
            "embedding_space": {"model": model, "dimensions": dimensions, "metric": metric},
            "revision": revision,
        },
        "truncated": [],
        "omitted": 0,
        "dropped": 0,
    }
    return {**plan, "plan_hash": hashlib.sha256(_canonical(plan).encode()).hexdigest()}


def _canonical(value: object) -> str:
    """As jsonb is written."""
    return json.dumps(_ordered(value), ensure_ascii=False)


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value, key=lambda key: (len(key), key))}
    return [_ordered(entry) for entry in value] if isinstance(value, list) else value


def _expanded(leads: Mapping[str, Leads]) -> list[dict[str, Any]]:
    """What the seeds bring in. Each seed's relationships come in order of type and target."""
    taken: dict[str, list[dict[str, str]]] = {}
    for found in leads.values():
        targets = dict.fromkeys(target for _, target in found if target not in leads)
        taken |= {target: [] for target in list(targets)[:PER_SEED] if target not in taken}
    taken = dict(list(taken.items())[: max(DOCUMENTS - len(leads), 0)])
    for seed, found in leads.items():
        for kind, target in found:
            if target in taken:
                taken[target].append({"from": seed, "relation_type": kind})
    rank = {seed: place for place, seed in enumerate(leads)}
    order = sorted(
        taken.items(), key=lambda one: (rank[one[1][0]["from"]], one[1][0]["relation_type"], one[0])
    )
    return [{"document_id": target, "via": via} for target, via in order]
