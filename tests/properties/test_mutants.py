"""The worlds notice every small mistake in the predicate: each is made once, with row security off.

A mistake that no world notices would be one that only row security stands in the way of.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from hypothesis import Phase, given, settings

from docgraph.resources import SQL
from tests.properties.database import Asked
from tests.properties.model import Claim, World
from tests.properties.worlds import claims, worlds

pytestmark = pytest.mark.long

MAY_SEE = "leaf/may_see.sql"
WITHIN = "leaf/within_ceiling.sql"
EFFECTIVE = "core/effective_access.sql"
CLASSES = "core/classes_within.sql"


@dataclass(frozen=True)
class Mutant:
    """A mistake: in a file this text becomes that."""

    path: str
    before: str
    after: str


MUTANTS = [
    Mutant(MAY_SEE, "held_repositories IS NULL OR ", ""),
    Mutant(MAY_SEE, "held_snapshots IS NULL OR", "held_repositories IS NULL OR"),
    Mutant(MAY_SEE, "repository = ANY (held_repositories)", "true"),
    Mutant(MAY_SEE, "repository = ANY (held_repositories)", "lower(repository) = ANY (held_repositories)"),
    Mutant(MAY_SEE, "snapshot = ANY (held_snapshots)", "snapshot = ANY (held_repositories)"),
    Mutant(MAY_SEE, "tags = '{}'::text[] OR ", ""),
    Mutant(MAY_SEE, "tags && held_tags", "tags <@ held_tags"),
    Mutant(MAY_SEE, "tags && held_tags", "true"),
    Mutant(MAY_SEE, "labels <@ held_labels", "labels && held_labels"),
    Mutant(MAY_SEE, "labels <@ held_labels", "(labels = '{}'::text[] OR labels && held_labels)"),
    Mutant(MAY_SEE, "labels <@ held_labels", "labels @> held_labels"),
    Mutant(MAY_SEE, "clearance <= held_clearance", "clearance < held_clearance"),
    Mutant(MAY_SEE, "clearance <= held_clearance", "clearance <= held_clearance + 1"),
    Mutant(MAY_SEE, "clearance <= held_clearance", "true"),
    Mutant(WITHIN, "WHEN claimed IS NULL THEN allowed", "WHEN claimed IS NULL THEN NULL"),
    Mutant(WITHIN, "WHEN claimed IS NULL THEN allowed", "WHEN claimed IS NULL THEN '{}'"),
    Mutant(WITHIN, "WHEN allowed IS NULL THEN claimed", "WHEN allowed IS NULL THEN '{}'"),
    Mutant(
        WITHIN, "WHEN allowed IS NULL THEN claimed", "WHEN allowed IS NULL OR allowed = '{}' THEN claimed"
    ),
    Mutant(WITHIN, " WHERE c.entry = ANY (allowed)", ""),
    Mutant(WITHIN, "c.entry = ANY (allowed)", "c.entry <> ALL (allowed)"),
    Mutant(WITHIN, "c.entry = ANY (allowed)", "lower(c.entry) = ANY (allowed)"),
    Mutant(EFFECTIVE, "least(clearance, ceiling.clearance)", "greatest(clearance, ceiling.clearance)"),
    Mutant(EFFECTIVE, "least(clearance, ceiling.clearance)", "coalesce(ceiling.clearance, clearance)"),
    Mutant(EFFECTIVE, "(tags, ceiling.tags)", "(tags, NULL)"),
    Mutant(EFFECTIVE, "(labels, ceiling.labels)", "(labels, ceiling.tags)"),
    Mutant(EFFECTIVE, "(snapshots, ceiling.snapshots)", "(snapshots, ceiling.repositories)"),
    Mutant(
        EFFECTIVE,
        "coalesce(docgraph.read_claim_list(access, 'tags'), '{}')",
        "docgraph.read_claim_list(access, 'tags')",
    ),
    Mutant(EFFECTIVE, "coalesce(level::numeric::integer, 0)", "coalesce(level::numeric::integer, 32767)"),
    Mutant(EFFECTIVE, "AND g.login = session_user", "AND lower(g.login) = lower(session_user)"),
    Mutant(EFFECTIVE, "AND g.login = session_user", ""),
    Mutant(EFFECTIVE, "g.tenant_id = effective_access.tenant AND", ""),
    Mutant(
        EFFECTIVE,
        "g.tenant_id = effective_access.tenant",
        "trim(g.tenant_id) = trim(effective_access.tenant)",
    ),
    Mutant(EFFECTIVE, "IF NOT FOUND THEN", "IF false THEN"),
    Mutant(CLASSES, "c.tenant_id = tenant\n            AND", ""),
    Mutant(CLASSES, "c.tenant_id = tenant", "lower(c.tenant_id) = lower(tenant)"),
    Mutant(CLASSES, "held_repositories, held_snapshots", "held_snapshots, held_repositories"),
    Mutant(CLASSES, "held_tags, held_labels", "held_labels, held_tags"),
    Mutant(CLASSES, "c.tags, c.labels", "c.labels, c.tags"),
    Mutant(CLASSES, "ORDER BY c.access_class", "ORDER BY c.access_class DESC"),
]


def install(asked: Asked, text: str) -> None:
    asked.superuser.execute(text.encode())


@contextmanager
def mistaken(asked: Asked, mutant: Mutant) -> Iterator[None]:
    """The database with this mistake in it."""
    original = (SQL / "functions" / mutant.path).read_text(encoding="utf-8")
    assert original.count(mutant.before) == 1
    install(asked, original.replace(mutant.before, mutant.after))
    try:
        yield
    finally:
        install(asked, original)


def look(asked: Asked) -> None:
    """Worlds until one of them does not agree with the model. Nothing is made smaller: one is enough."""

    @settings(phases=[Phase.generate], report_multiple_bugs=False, max_examples=400)
    @given(world=worlds(), claim=claims())
    def agrees(world: World, claim: Claim) -> None:
        asked.put(world)
        asked.compare(world, claim)

    agrees()


def test_without_a_mistake_nothing_is_noticed(unguarded: Asked) -> None:
    look(unguarded)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.before} -> {mutant.after}")
def test_a_mistake_is_noticed(unguarded: Asked, mutant: Mutant) -> None:
    with mistaken(unguarded, mutant), pytest.raises(AssertionError):
        look(unguarded)
