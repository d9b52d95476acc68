"""Whatever is changed that a caller may not see, not a byte changes of what executing a plan gives."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.properties import evidence_database, plan_database
from tests.properties.database import Asked
from tests.properties.evidence_worlds import evidence_worlds, tampered, wanted_in_some_mode
from tests.properties.plan_worlds import PlanWorld, callers, chances, question
from tests.properties.planner import Plan, Planner, canonical, sealed
from tests.properties.test_hidden_changes import Caller
from tests.properties.test_plan_hidden_changes import changed
from tests.properties.test_planner import ALL


def made_by_somebody(world: PlanWorld, caller: Caller, asked: Asked, chance: Random) -> list[Plan]:
    """Plans of somebody who sees everything, and what others have made of them."""
    setting = plan_database.setting(asked.superuser)
    planner = Planner(world.shelves[caller.tenant], caller.tenant, ALL, setting)
    plan = planner.plan(question(chance))
    return [plan, *(sealed(tampered(plan, chance)) for _ in range(2))]


@given(
    world=evidence_worlds(), other=evidence_worlds(), caller=callers(), crowd=st.booleans(), chance=chances
)
def test_hidden_changes_alter_no_byte(
    asked: Asked, world: PlanWorld, other: PlanWorld, caller: Caller, crowd: bool, chance: Random
) -> None:
    plans = [
        (canonical(each), wanted_in_some_mode(chance))
        for each in made_by_somebody(world, caller, asked, chance)
    ]
    asks = [(question(chance), wanted_in_some_mode(chance)) for _ in range(2)]

    def told() -> list[object]:
        connection = asked.logins[caller.login]
        by_plan = [
            (
                evidence_database.by_plan(connection, caller, plan, how),
                evidence_database.execute(connection, caller, plan, how),
            )
            for plan, how in plans
        ]
        exactly = [
            (replace(what, method="exact", query_embedding=how.query_embedding), how) for what, how in asks
        ]
        return [*by_plan, *(evidence_database.retrieve(connection, caller, *each) for each in exactly)]

    evidence_database.put(asked.superuser, world)
    before = told()
    evidence_database.put(asked.superuser, changed(world, other, caller, crowd=crowd))
    assert told() == before
