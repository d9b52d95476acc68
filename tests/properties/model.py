"""The access rules once more, in plain Python: what the database must agree with.

Written from the rules and not from the SQL; nothing here is shared with the package but its plain values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from docgraph.access import Ceiling

Claim = Mapping[str, Any]
"""A claim as it is sent: any of its keys may be absent."""


@dataclass(frozen=True)
class Attributes:
    """What a document asks of a reader."""

    repository: str = ""
    snapshot: str = ""
    tags: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    clearance: int = 0


@dataclass(frozen=True)
class Held:
    """What a reader holds in a call. None: whatever there is."""

    repositories: frozenset[str] | None
    snapshots: frozenset[str] | None
    tags: frozenset[str]
    labels: frozenset[str]
    clearance: int


@dataclass(frozen=True)
class World:
    """Tenants with classes by number, documents by id in a class, ceilings by tenant and login."""

    classes: dict[str, dict[int, Attributes]] = field(default_factory=dict)
    documents: dict[str, dict[str, int]] = field(default_factory=dict)
    ceilings: dict[tuple[str, str], Ceiling] = field(default_factory=dict)

    def held(self, login: str, tenant: str, claim: Claim) -> Held | None:
        """What this login holds with this claim; None is denied."""
        ceiling = self.ceilings.get((tenant, login))
        if ceiling is None:
            return None
        level = claim.get("clearance", 0)
        return Held(
            repositories=_both(_set(claim.get("repositories")), _set(ceiling.repositories)),
            snapshots=_both(_set(claim.get("snapshots")), _set(ceiling.snapshots)),
            tags=_both(frozenset(claim.get("tags", ())), _set(ceiling.tags)) or frozenset(),
            labels=_both(frozenset(claim.get("labels", ())), _set(ceiling.labels)) or frozenset(),
            clearance=level if ceiling.clearance is None else min(level, ceiling.clearance),
        )

    def visible_classes(self, login: str, tenant: str, claim: Claim) -> list[int] | None:
        held = self.held(login, tenant, claim)
        if held is None:
            return None
        return sorted(number for number, needed in self.classes.get(tenant, {}).items() if sees(held, needed))

    def visible_documents(self, login: str, tenant: str, claim: Claim) -> list[str] | None:
        visible = self.visible_classes(login, tenant, claim)
        if visible is None:
            return None
        documents = self.documents.get(tenant, {})
        return sorted((d for d, number in documents.items() if number in visible), key=str.encode)


def sees(held: Held, needed: Attributes) -> bool:
    """The visibility rule."""
    if held.repositories is not None and needed.repository not in held.repositories:
        return False
    if held.snapshots is not None and needed.snapshot not in held.snapshots:
        return False
    if needed.tags and not needed.tags & held.tags:
        return False
    return needed.labels <= held.labels and needed.clearance <= held.clearance


def _set(entries: Iterable[str] | None) -> frozenset[str] | None:
    return None if entries is None else frozenset(entries)


def _both(claimed: frozenset[str] | None, allowed: frozenset[str] | None) -> frozenset[str] | None:
    """What is in both; None is everything."""
    if claimed is None or allowed is None:
        return allowed if claimed is None else claimed
    return claimed & allowed
