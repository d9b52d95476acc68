"""The rules of planning once more, in plain Python: what the database must agree with.

Written from the rules and not from the SQL, with lists where the database has tables and indexes. What a
caller may not see is taken away before anything else happens, so that no later step can know of it.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.properties.library import Triple
from tests.properties.model import Held

Vector = tuple[float, ...]
Plan = dict[str, Any]
Hit = tuple[float, str, int | None]
"""Distance, document, chunk."""
Reason = tuple[int, bytes]
"""Rank of a seed, type of the relationship."""


@dataclass(frozen=True)
class Document:
    """What planning may know of a document, apart from who may see it."""

    ingestion: str | None = None
    doc_type: str = ""
    summary: Vector | None = None
    chunks: tuple[Vector | None, ...] = ()


@dataclass(frozen=True)
class Shelf:
    """The documents of a tenant and the relationships between them."""

    documents: dict[str, Document] = field(default_factory=dict)
    edges: frozenset[Triple] = frozenset()

    def seen(self, visible: Collection[str]) -> Shelf:
        """All that there is for somebody who sees these documents."""
        return Shelf(
            {each: found for each, found in self.documents.items() if each in visible},
            frozenset(edge for edge in self.edges if edge[0] in visible and edge[2] in visible),
        )


@dataclass(frozen=True)
class Question:
    """What plan_retrieval is asked, apart from who asks: its parameters and their defaults."""

    query_embedding: Vector | None = None
    seeds: tuple[str, ...] | None = None
    search_in: str = "summaries"
    method: str = "auto"
    seed_limit: int = 5
    relation_types: tuple[str, ...] | None = None
    expanded_per_seed: int = 10
    max_documents: int = 40
    dominant_scope: str = "none"
    scope_distance: str = "0.35"


@dataclass(frozen=True)
class Setting:
    """What a plan says of the database that made it."""

    model: str
    dimensions: int
    metric: str
    revision: str


def stored(vector: Vector, metric: str) -> Vector:
    """As it is stored: in half precision, for cosine of length 1."""
    length = math.hypot(*vector) if metric == "cosine" else 1
    return tuple(struct.unpack("e", struct.pack("e", each / length))[0] for each in vector)


def distance(a: Vector, b: Vector, metric: str) -> float:
    """Between two stored vectors, rounded as it counts."""
    product = math.fsum(x * y for x, y in zip(a, b, strict=True))
    if metric == "l2":
        return round(math.dist(a, b), 6)
    return round(-product if metric == "ip" else 1 - product / math.hypot(*a) / math.hypot(*b), 6)


def ordered(texts: Iterable[str]) -> list[str]:
    return sorted(set(texts), key=str.encode)


def canonical(value: Any) -> str:
    """JSON as jsonb writes it."""

    def arranged(value: Any) -> Any:
        if isinstance(value, dict):
            keys = sorted(value, key=lambda key: (len(key.encode()), key.encode()))
            return {key: arranged(value[key]) for key in keys}
        return [arranged(each) for each in value] if isinstance(value, list) else value

    return json.dumps(arranged(value), ensure_ascii=False, separators=(", ", ": "))


def sealed(plan: Plan) -> Plan:
    """With the hash over all the rest."""
    rest = {key: value for key, value in plan.items() if key != "plan_hash"}
    return rest | {"plan_hash": hashlib.sha256(canonical(rest).encode()).hexdigest()}


def rows(plan: Plan) -> list[tuple[Any, ...]]:
    """What plan_documents gives, but for the words of why."""
    seeds = len(plan["seed_documents"])
    found: list[tuple[Any, ...]] = []
    for n, each in enumerate(plan["seed_documents"] + plan["expanded_documents"], 1):
        role = "seed" if n <= seeds else "expanded"
        if role == "seed":
            found.append((n, each["document_id"], role, None, None))
        for reason in each.get("via", []):
            found += [(n, each["document_id"], role, reason["relation_type"], reason["from"])]
    return found


@dataclass(frozen=True)
class Planner:
    """Answers for one caller: the shelf has what that caller may see, and nothing else."""

    shelf: Shelf
    tenant: str
    held: Held
    setting: Setting

    def search(self, query: Vector, search_in: str) -> list[Hit]:
        """Everything that has an embedding, nearest first."""
        metric = self.setting.metric
        place = stored(query, metric)
        hits: list[Hit] = []
        for name, document in self.shelf.documents.items():
            if search_in == "summaries":
                vectors: list[tuple[int | None, Vector | None]] = [(None, document.summary)]
            else:
                vectors = list(enumerate(document.chunks))
            hits += [
                (distance(stored(vector, metric), place, metric), name, number)
                for number, vector in vectors
                if vector is not None
            ]
        return sorted(hits, key=lambda hit: (hit[0], hit[1].encode(), hit[2] or 0))

    def candidates(self, asked: Question) -> list[str]:
        """Every document that a search may find, nearest first; given ones are not looked for."""
        if asked.query_embedding is None:
            return []
        hits = self.search(asked.query_embedding, asked.search_in)
        return [name for name in dict.fromkeys(hit[1] for hit in hits) if name not in (asked.seeds or ())]

    def dominant(self, found: Sequence[str], asked: Question) -> list[str]:
        """Those of the first one's kind."""
        if asked.dominant_scope == "none" or not found:
            return list(found)
        leader = self.shelf.documents[found[0]]
        return [
            each
            for each in found
            if each == found[0] or self._alike(leader, self.shelf.documents[each], asked)
        ]

    def _alike(self, leader: Document, other: Document, asked: Question) -> bool:
        if asked.dominant_scope == "ingestion":
            return other.ingestion == leader.ingestion
        if asked.dominant_scope == "doc_type":
            return other.doc_type == leader.doc_type
        if leader.summary is None or other.summary is None:
            return False
        metric = self.setting.metric
        between = distance(stored(leader.summary, metric), stored(other.summary, metric), metric)
        return between <= float(asked.scope_distance)

    def plan(self, asked: Question, found: Sequence[str] | None = None) -> Plan:
        """The plan. found: what an approximate search has found, where it was one."""
        said = dict.fromkeys(asked.seeds or ())
        given = [each for each in said if each in self.shelf.documents]
        nearest = self.candidates(asked)[: asked.seed_limit] if found is None else list(found)
        kept = self.dominant(nearest, asked)
        seeds = [*given, *kept][: asked.max_documents]
        every_reason = self._reasons(seeds, asked)
        reasons = {to: found for to, found in every_reason.items() if to not in seeds}
        neighbours = [_neighbours(reasons, rank) for rank in range(1, len(seeds) + 1)]
        taken = _taken(neighbours, asked.expanded_per_seed)
        expanded = taken[: asked.max_documents - len(seeds)]
        truncated = {
            "documents": len(seeds) < len(given) + len(kept) or len(expanded) < len(taken),
            "expanded_per_seed": any(len(each) > asked.expanded_per_seed for each in neighbours),
        }
        origins = {seed: "given" if seed in said else "search" for seed in seeds}
        return sealed(
            {
                "format": 1,
                "scope": {
                    "tenant": self.tenant,
                    "repositories": _listed(self.held.repositories),
                    "snapshots": _listed(self.held.snapshots),
                },
                "seed_documents": [
                    {"document_id": seed, "rank": rank, "origin": origins[seed]}
                    | ({"via": _via(seeds, every_reason[seed])} if seed in every_reason else {})
                    for rank, seed in enumerate(seeds, start=1)
                ],
                "expanded_documents": [
                    {
                        "document_id": to,
                        "via": _via(seeds, reasons[to]),
                    }
                    for to in sorted(expanded, key=lambda to: (reasons[to][0], to.encode()))
                ],
                "constraints": _constraints(asked),
                "made_by": self._made_by(asked, approximate=found is not None),
                "truncated": sorted(word for word, happened in truncated.items() if happened),
                "omitted": len(said) - len(given),
                "dropped": len(nearest) - len(kept),
            }
        )

    def _reasons(self, seeds: list[str], asked: Question) -> dict[str, list[Reason]]:
        """Every document that is one allowed relationship away from a seed, with all that lead there.

        Seeds, too, if another seed leads there.
        """
        found: dict[str, list[Reason]] = {}
        for origin, kind, to in self.shelf.edges:
            allowed = asked.relation_types is None or kind in asked.relation_types
            if allowed and origin in seeds:
                found.setdefault(to, []).append((seeds.index(origin) + 1, kind.encode()))
        return {to: sorted(reasons) for to, reasons in found.items()}

    def _made_by(self, asked: Question, *, approximate: bool) -> Plan:
        searched = asked.query_embedding is not None
        return {
            "mode": "semantic" if searched else "ids",
            "search_in": asked.search_in if searched else None,
            "method": "approximate" if approximate else "exact",
            "embedding_space": {
                "model": self.setting.model,
                "dimensions": self.setting.dimensions,
                "metric": self.setting.metric,
            }
            if searched
            else None,
            "revision": self.setting.revision,
        }


def _via(seeds: list[str], reasons: list[Reason]) -> list[dict[str, str]]:
    return [{"from": seeds[rank - 1], "relation_type": kind.decode()} for rank, kind in reasons]


def _neighbours(reasons: dict[str, list[Reason]], rank: int) -> list[str]:
    """Of one seed, in the order in which they are taken: smallest type, then id."""
    first = {to: min((kind for r, kind in found if r == rank), default=None) for to, found in reasons.items()}
    return [
        to for _, _, to in sorted((kind, to.encode(), to) for to, kind in first.items() if kind is not None)
    ]


def _taken(neighbours: list[list[str]], cap: int) -> list[str]:
    """What the seeds take, each after the one before it: a document counts for the first that takes it."""
    return list(dict.fromkeys(to for each in neighbours for to in each[:cap]))


def _listed(entries: Iterable[str] | None) -> list[str] | None:
    return None if entries is None else ordered(entries)


def _constraints(asked: Question) -> Plan:
    return {
        "max_relationship_depth": 1,
        "traversal_enabled": False,
        "direction": "outgoing",
        "relation_types": _listed(asked.relation_types),
        "seed_limit": asked.seed_limit,
        "expanded_per_seed": asked.expanded_per_seed,
        "max_documents": asked.max_documents,
        "dominant_scope": asked.dominant_scope,
        "scope_distance": asked.scope_distance if asked.dominant_scope == "cluster" else None,
    }
