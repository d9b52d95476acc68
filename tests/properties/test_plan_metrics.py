"""Plans in embedding spaces of other metrics than the usual one are those of the model, too."""

from __future__ import annotations

from hypothesis import given, settings

from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.plan_worlds import PlanWorld, asks, plan_worlds
from tests.properties.planner import Question
from tests.properties.test_hidden_changes import Caller
from tests.properties.test_plans import agree


@settings(max_examples=max(10, settings().max_examples // 5))
@given(world=plan_worlds(), questions=asks(2, 2))
def test_plans_are_those_of_the_model(
    measured: Asked, world: PlanWorld, questions: list[tuple[Caller, Question]]
) -> None:
    agree(measured, world, questions, plan_database.setting(measured.superuser).metric)
