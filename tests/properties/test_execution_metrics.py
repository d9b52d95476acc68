"""Execution in embedding spaces of other metrics than the usual one is that of the model, too."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings

from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.evidence_worlds import evidence_worlds, executor, sealed_plans, wanted
from tests.properties.plan_worlds import PlanWorld, callers, chances
from tests.properties.test_execution import agree_on_execution
from tests.properties.test_hidden_changes import Caller


@settings(max_examples=max(10, settings().max_examples // 5))
@given(world=evidence_worlds(), caller=callers(), chance=chances)
def test_execution_is_that_of_the_model(
    measured: Asked, world: PlanWorld, caller: Caller, chance: Random
) -> None:
    setting = plan_database.setting(measured.superuser)
    plan_database.put(measured.superuser, world, setting.metric)
    planner = world.planner(caller.login, caller.tenant, caller.claim, setting)
    if planner is not None:
        for plan in sealed_plans(planner, chance):
            obeys = executor(world, caller, setting)
            agree_on_execution(measured.logins[caller.login], obeys, caller, plan, wanted(chance))
