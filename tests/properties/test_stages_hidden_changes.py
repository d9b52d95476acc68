"""Whatever is changed that a caller may not see, not a byte of what the stages give changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.properties import plan_database, stages_database
from tests.properties.database import Asked
from tests.properties.plan_worlds import PlanWorld, callers, chances
from tests.properties.stages_worlds import Asks, asks, stage_worlds
from tests.properties.test_hidden_changes import Caller
from tests.properties.test_plan_hidden_changes import changed

many_asks = chances.map(lambda chance: [asks(chance) for _ in range(6)])


@given(world=stage_worlds(), other=stage_worlds(), caller=callers(), crowd=st.booleans(), questions=many_asks)
def test_hidden_changes_alter_no_byte(
    asked: Asked, world: PlanWorld, other: PlanWorld, caller: Caller, crowd: bool, questions: list[Asks]
) -> None:
    connection = asked.logins[caller.login]

    def told() -> list[object]:
        return [
            (
                stages_database.expand(connection, caller, each.expansion),
                stages_database.fetch(connection, caller, each.own_nodes or [], each.fetch)
                if each.own_nodes or each.fetch.seeds is not None
                else None,
                stages_database.pipeline(connection, caller, each.expansion, each.fetch),
            )
            for each in questions
        ]

    plan_database.put(asked.superuser, world)
    before = told()
    plan_database.put(asked.superuser, changed(world, other, caller, crowd=crowd))
    assert told() == before
