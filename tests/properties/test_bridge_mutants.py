"""Every small mistake in the selection by bridge is noticed, row security off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.test_execution_mutants import Known, know_vectors, look, make_known
from tests.properties.test_mutants import Mutant, mistaken

BRIDGE = "core/order_by_bridge.sql"
LINKS = "core/planned_links.sql"
CHOOSE = "core/choose_chunks.sql"

MUTANTS = [
    Mutant(
        BRIDGE, "WHERE c.position <= seeds AND c.place = 1", "WHERE c.position <= seeds + 1 AND c.place = 1"
    ),
    Mutant(BRIDGE, "least(r.by_plan, r.by_distance)", "r.by_distance"),
    Mutant(BRIDGE, "least(r.by_plan, r.by_distance)", "r.by_plan"),
    Mutant(
        BRIDGE, "least(r.by_plan, r.by_distance), r.by_plan", "least(r.by_plan, r.by_distance), r.by_distance"
    ),
    Mutant(BRIDGE, "greatest(c.distance, h.distance)", "c.distance"),
    Mutant(BRIDGE, "greatest(c.distance, h.distance)", "h.distance"),
    Mutant(BRIDGE, "max(p.distance) OVER (ORDER BY p.place)", "p.distance"),
    Mutant(BRIDGE, "PARTITION BY l.seed ORDER BY c.nth", "ORDER BY c.nth"),
    Mutant(BRIDGE, "PARTITION BY l.seed ORDER BY c.nth", "PARTITION BY l.seed ORDER BY c.position, c.nth"),
    Mutant(
        BRIDGE,
        "coalesce(s.place, b.seed) + b.steps AS place",
        "coalesce(s.place, b.seed) + b.steps - 1 AS place",
    ),
    Mutant(BRIDGE, "coalesce(s.place, b.seed) + b.steps AS place", "b.seed + b.steps AS place"),
    Mutant(BRIDGE, "coalesce(s.place, b.seed) + b.steps AS place", "s.place + b.steps AS place"),
    Mutant(BRIDGE, "ORDER BY b.nth, coalesce(s.place, b.seed) + b.steps, b.seed", "ORDER BY b.nth, b.seed"),
    Mutant(BRIDGE, "AND s.of_document = 1", "AND s.of_document = 2"),
    Mutant(
        BRIDGE,
        "array_agg(o.nth ORDER BY o.place, o.is_linked, o.nth)",
        "array_agg(o.nth ORDER BY o.place, o.nth)",
    ),
    Mutant(BRIDGE, "b.steps, documents[b.seed])", "b.place, documents[b.seed])"),
    Mutant(BRIDGE, "b.steps, documents[b.seed])", "b.steps, documents[1])"),
    Mutant(LINKS, "SELECT DISTINCT s.place", "SELECT s.place"),
    Mutant(CHOOSE, "chosen.turns[:max_chunks]", "chosen.turns"),
    Mutant(CHOOSE, "IF selection = 'bridge' THEN", "IF false THEN"),
]

WORLDS = [7, 13, 15, 1, 30, 5, 17]


@pytest.fixture(scope="module", autouse=True)
def _path(unguarded: Asked) -> None:
    """What the functions that know vectors are created with."""
    know_vectors(unguarded)


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
