"""A plan made by the client: a search, then the relationships of each seed, one call after another.

With the guarantees that a plan has: the same wall, and one state of the database, so one transaction.
The rules of expansion are those of `plan_retrieval`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import psycopg

PER_SEED = 10
DOCUMENTS = 40
"""The caps of every plan that is measured."""

_PAGE = 1000

SEARCH = (
    "SELECT document_id FROM docgraph.search_nodes('default', %(access)s,"
    " query_embedding => %(query)s::double precision[], method => %(method)s, max_nodes => %(seeds)s)"
    " ORDER BY rank"
)
_RELATIONSHIPS = (
    "SELECT relation_type, to_document"
    " FROM docgraph.list_relationships('default', %(access)s, %(document)s, 'out', page => %(page)s)"
    " WHERE NOT waiting"
)

Leads = Sequence[tuple[str, str]]
"""Types and targets of what leads from a document."""


def planned(connection: psycopg.Connection[Any], given: Mapping[str, object]) -> dict[str, Any]:
    """Seeds, expanded documents and reasons, as they stand in a plan. For a transaction."""
    seeds = [row[0] for row in connection.execute(SEARCH, given, prepare=True)]
    leads = {
        seed: connection.execute(
            _RELATIONSHIPS, {"access": given["access"], "document": seed, "page": _PAGE}, prepare=True
        ).fetchall()
        for seed in seeds
    }
    return {
        "seed_documents": [
            {"document_id": seed, "rank": place, "origin": "search"} for place, seed in enumerate(seeds, 1)
        ],
        "expanded_documents": _expanded(leads),
    }


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
