"""Asking for searches and plans as psql would, and whole plans to compare the answers with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from docgraph import calls
from docgraph.calls import Call
from tests.sql.asking import PLAN, Connection
from tests.sql.writing import put, relate
from tests.unit.plans import canonical

Plan = dict[str, Any]

NORTH = [1.0, 0.0, 0.0, 0.0]
"""A query in the space of the tests."""

USUAL_CONSTRAINTS = {
    "max_relationship_depth": 1,
    "traversal_enabled": False,
    "direction": "outgoing",
    "relation_types": None,
    "seed_limit": 5,
    "expanded_per_seed": 10,
    "max_documents": 40,
    "dominant_scope": "none",
    "scope_distance": None,
}


def asked(
    connection: Connection, call: Call[Any], arguments: Mapping[str, Any], shown: str = "*"
) -> list[tuple[Any, ...]]:
    """Only what is said is sent: the rest has defaults in the database."""
    values = {
        name: json.dumps(value) if isinstance(value, dict) else value
        for name, value in {"tenant": "default", "access": {}, **arguments}.items()
    }
    statement = f"SELECT {shown} FROM ({call.statement_with(values)}) AS answer"
    return connection.execute(statement.encode(), values).fetchall()


def hits(connection: Connection, **arguments: Any) -> list[tuple[Any, ...]]:
    """The rows of search_nodes."""
    return asked(connection, calls.SEARCH_NODES, {"query_embedding": NORTH, **arguments})


def found(connection: Connection, **arguments: Any) -> list[str]:
    """The documents of search_nodes."""
    return [row[1] for row in hits(connection, **arguments)]


def plan(connection: Connection, **arguments: Any) -> Plan:
    """What plan_retrieval gives, as JSON has it."""
    ((answer,),) = asked(connection, calls.PLAN_RETRIEVAL, arguments)
    assert isinstance(answer, dict)
    return answer


def plan_text(connection: Connection, **arguments: Any) -> str:
    """The same, byte for byte."""
    ((answer,),) = asked(connection, calls.PLAN_RETRIEVAL, arguments, "plan_retrieval::text")
    return str(answer)


def seeds_of(made: Plan) -> list[str]:
    return [seed["document_id"] for seed in made["seed_documents"]]


def expanded_of(made: Plan) -> dict[str, list[tuple[str, str]]]:
    """Documents in their order, each with the seeds and relation types that lead to it."""
    return {
        each["document_id"]: [(via["from"], via["relation_type"]) for via in each["via"]]
        for each in made["expanded_documents"]
    }


def sealed(made: Plan) -> Plan:
    """With the hash over all the rest, computed here."""
    rest = {key: value for key, value in made.items() if key != "plan_hash"}
    return {**rest, "plan_hash": hashlib.sha256(canonical(rest).encode()).hexdigest()}


def _via(reasons: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"from": seed, "relation_type": kind} for seed, kind in reasons]


def whole(
    connection: Connection,
    seeds: Sequence[tuple[str, str]],
    expanded: Mapping[str, Sequence[tuple[str, str]]],
    *,
    search_in: str | None = "summaries",
    method: str = "exact",
    constraints: Mapping[str, Any] | None = None,
    among: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    **others: Any,
) -> Plan:
    """A plan written out: its seeds with their origin, what they bring in, and what is not as usual.

    among: what leads from seeds to seeds.
    """
    ((revision,),) = connection.execute("SELECT docgraph.revision()").fetchall()
    space = {"model": "test-model", "dimensions": 4, "metric": "cosine"}
    return sealed(
        {
            "format": 1,
            "scope": {"tenant": "default", "repositories": None, "snapshots": None},
            "seed_documents": [
                {"document_id": each, "rank": rank, "origin": origin}
                | ({"via": _via(among[each])} if among and each in among else {})
                for rank, (each, origin) in enumerate(seeds, start=1)
            ],
            "expanded_documents": [{"document_id": each, "via": _via(via)} for each, via in expanded.items()],
            "constraints": {**USUAL_CONSTRAINTS, **(constraints or {})},
            "made_by": {
                "mode": "ids" if search_in is None else "semantic",
                "search_in": search_in,
                "method": method,
                "embedding_space": None if search_in is None else space,
                "revision": revision,
            },
            "truncated": [],
            "omitted": 0,
            "dropped": 0,
            **others,
        }
    )


def by_ids(connection: Connection, *args: Any, **others: Any) -> Plan:
    """`whole` for a plan from given ids alone."""
    return whole(connection, *args, search_in=None, **others)


def put_world(
    connection: Connection,
    *edges: tuple[str, str, str],
    summaries: Mapping[str, Sequence[float]] | None = None,
) -> None:
    """Documents, some with a summary's embedding, and relationships between them: from, type, to."""
    embeddings = summaries or {}
    ids = dict.fromkeys([*embeddings, *(end for edge in edges for end in (edge[0], edge[2]))])
    put(
        connection,
        *(
            {"id": each, **({"summary_embedding": embeddings[each]} if each in embeddings else {})}
            for each in ids
        ),
    )
    if edges:
        relate(connection, *edges)


def put_seeds(connection: Connection, *ids: str) -> None:
    """Documents that a search to the north finds in this order."""
    put(
        connection, *({"id": each, "summary_embedding": [9, number, 0, 0]} for number, each in enumerate(ids))
    )


MISSING = object()
"""In place of a value: its key goes."""


def changed(path: str, value: Any, made: str | Plan = PLAN) -> Plan:
    """A plan with another value at a place such as "seed_documents.0.rank"; its hash stays as it was."""
    found: Plan = json.loads(made) if isinstance(made, str) else deepcopy(made)
    *way, last = path.split(".")
    place: Any = found
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place[step]
    if value is MISSING:
        del place[last]
    else:
        place[int(last) if isinstance(place, list) else last] = value
    return found
