"""Every small mistake in the selection by bridge is noticed, row security off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.test_execution_mutants import Known, look, make_known
from tests.properties.test_mutants import Mutant, mistaken
from tests.sql.mistakes import know_vectors

pytestmark = pytest.mark.long

BRIDGE = "core/order_by_bridge.sql"
LINKS = "core/planned_links.sql"
CHOOSE = "core/choose_chunks.sql"

MUTANTS = [
    Mutant(
        BRIDGE, "WHERE c.position <= seeds AND c.place = 1", "WHERE c.position <= seeds + 1 AND c.place = 1"
    ),
    Mutant(BRIDGE, "greatest(c.distance, h.distance)", "c.distance"),
    Mutant(BRIDGE, "greatest(c.distance, h.distance)", "h.distance"),
    Mutant(BRIDGE, "max(c.distance) OVER (ORDER BY c.position)", "c.distance"),
    Mutant(BRIDGE, "PARTITION BY l.seed ORDER BY", "ORDER BY"),
    Mutant(BRIDGE, "b.of_seed + b.steps, b.seed", "b.of_seed + b.steps - 1, b.seed"),
    Mutant(BRIDGE, "coalesce(s.place, l.seed) AS of_seed", "l.seed AS of_seed"),
    Mutant(BRIDGE, "coalesce(s.place, l.seed) AS of_seed", "s.place AS of_seed"),
    Mutant(BRIDGE, "ORDER BY e.nth, e.place, e.seed NULLS FIRST", "ORDER BY e.nth, e.seed NULLS FIRST"),
    Mutant(BRIDGE, "ORDER BY e.nth, e.place, e.seed NULLS FIRST", "ORDER BY e.nth, e.place, e.seed"),
    Mutant(BRIDGE, "ORDER BY o.place, o.nth), '{}'),\n", "ORDER BY o.nth), '{}'),\n"),
    Mutant(BRIDGE, "CASE r.brought WHEN 0 THEN 1 ELSE 0 END", "CASE WHEN r.brought > 0 THEN 0 ELSE 1 END"),
    Mutant(BRIDGE, "WHERE r.place <= max_chunks", "WHERE r.place < max_chunks - 1"),
    Mutant(BRIDGE, "e.steps, documents[e.seed])", "e.place, documents[e.seed])"),
    Mutant(BRIDGE, "e.steps, documents[e.seed])", "e.steps, documents[1])"),
    Mutant(LINKS, "SELECT DISTINCT s.place", "SELECT s.place"),
    Mutant(
        LINKS, "(plan -> 'seed_documents') || (plan -> 'expanded_documents')", "plan -> 'expanded_documents'"
    ),
    Mutant(CHOOSE, "chosen.turns[:max_chunks]", "chosen.turns"),
    Mutant(CHOOSE, "IF selection = 'bridge' THEN", "IF false THEN"),
]

WORLDS = [7, 13, 15, 1, 30, 5, 17]


@pytest.fixture(scope="module", autouse=True)
def _path(unguarded: Asked) -> None:
    """What the functions that know vectors are created with."""
    know_vectors(unguarded.superuser)


@pytest.fixture(scope="module")
def known(unguarded: Asked) -> list[Known]:
    """The worlds of the other mistakes, executed by bridge."""
    setting = plan_database.setting(unguarded.superuser)

    def by_bridge(each: Known) -> Known:
        return replace(
            each,
            executions=[(*asks[:3], replace(asks[3], selection="bridge")) for asks in each.executions],
            retrievals=[(*asks[:3], replace(asks[3], selection="bridge")) for asks in each.retrievals],
        )

    return [by_bridge(make_known(number, setting)) for number in WORLDS]


def test_without_a_mistake_nothing_is_noticed(unguarded: Asked, known: list[Known]) -> None:
    look(unguarded, known)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.before} -> {mutant.after}")
def test_a_mistake_is_noticed(unguarded: Asked, known: list[Known], mutant: Mutant) -> None:
    with mistaken(unguarded, mutant), pytest.raises(Exception):  # noqa: B017, PT011 - an error notices, too
        look(unguarded, known)
