"""Selection by bridge is that of the model, byte for byte and row for row."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given

from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.evidence_worlds import evidence_worlds, executor, sealed_plans, wanted
from tests.properties.plan_worlds import PlanWorld, callers, chances
from tests.properties.test_execution import agree_on_execution
from tests.properties.test_hidden_changes import Caller


@given(world=evidence_worlds(), maker=callers(), other=callers(), chance=chances)
def test_bridge_is_that_of_the_model(
    asked: Asked, world: PlanWorld, maker: Caller, other: Caller, chance: Random
) -> None:
    plan_database.put(asked.superuser, world)
    setting = plan_database.setting(asked.superuser)
    planner = world.planner(maker.login, maker.tenant, maker.claim, setting)
    if planner is None:
        return
    user = replace(other, tenant=maker.tenant)
    for plan in sealed_plans(planner, chance):
        how = replace(wanted(chance), selection="bridge")
        agree_on_execution(asked.logins[user.login], executor(world, user, setting), user, plan, how)
