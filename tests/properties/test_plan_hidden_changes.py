"""Whatever is changed that a caller may not see, not a byte of what the caller gets changes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.model import Attributes, World
from tests.properties.plan_worlds import PlanWorld, callers, plan_worlds, questions
from tests.properties.planner import Document, Question, Shelf
from tests.properties.test_hidden_changes import Caller, hidden
from tests.properties.test_mutants import mistaken
from tests.properties.test_plan_methods import exact_up_to, expected_method

UNSEEN = Attributes(labels=frozenset({"nobody claims it"}))
CROWD = {f"unseen {number}": Document("i", "x", (1, 0, 0, 0), ((1, 0, 0, 0),)) for number in range(40)}
"""So many that by method auto the search would be approximate, if they counted."""
EXACT_ROWS = 30


@pytest.fixture(scope="module", autouse=True)
def _narrow(asked: Asked) -> Iterator[None]:
    with mistaken(asked, exact_up_to(EXACT_ROWS)):
        yield


def changed(world: PlanWorld, other: PlanWorld, caller: Caller, *, crowd: bool) -> PlanWorld:
    """What the caller sees of one world, in the midst of another one."""
    tenant, mine = caller.tenant, (caller.tenant, caller.login)
    visible = set(world.access.visible_documents(caller.login, tenant, caller.claim) or ())
    seen = world.shelves[tenant].seen(visible)

    # Classes of visible documents stay; of the other world's, those that are hidden from this caller.
    of = {each: world.access.documents[tenant][each] for each in visible}
    classes = {number: world.access.classes[tenant][number] for number in set(of.values())}
    unseen = [
        needed
        for needed in other.access.classes[tenant].values()
        if hidden(world.access, caller, tenant, needed) and needed not in classes.values()
    ]
    numbers = dict(enumerate(dict.fromkeys([UNSEEN, *unseen]), start=10))
    theirs = {each: d for each, d in other.shelves[tenant].documents.items() if each not in visible}
    theirs |= CROWD if crowd else {}
    of |= {each: 10 + place % len(numbers) for place, each in enumerate(theirs)}

    there = of.keys()
    triples = other.shelves[tenant].edges | other.waiting[tenant]
    triples |= {(each, "cites", to) for each in list(seen.documents)[:2] for to in CROWD} if crowd else set()
    new = {each for each in triples if {each[0], each[2]} <= there and not {each[0], each[2]} <= visible}
    waiting = frozenset(each for each in triples if each[0] in there and each[2] not in there)

    access = World(
        other.access.classes | {tenant: classes | numbers},
        other.access.documents | {tenant: of},
        {key: ceiling for key, ceiling in other.access.ceilings.items() if key != mine}
        | {key: ceiling for key, ceiling in world.access.ceilings.items() if key == mine},
    )
    return PlanWorld(
        access,
        {**other.shelves, tenant: Shelf(theirs | seen.documents, seen.edges | new)},
        {**other.waiting, tenant: waiting},
    )


@given(
    world=plan_worlds(),
    other=plan_worlds(),
    caller=callers(),
    crowd=st.booleans(),
    asks=st.lists(questions, min_size=4, max_size=4),
)
def test_hidden_changes_alter_no_byte(
    asked: Asked, world: PlanWorld, other: PlanWorld, caller: Caller, crowd: bool, asks: list[Question]
) -> None:
    setting = plan_database.setting(asked.superuser)
    planner = world.planner(caller.login, caller.tenant, caller.claim, setting)
    if planner is not None:
        # What is approximate, also by method auto, is not promised to be the same.
        asks = [each for each in asks if expected_method(planner, each, EXACT_ROWS) == "exact"]

    def told() -> list[object]:
        connection = asked.logins[caller.login]
        return [
            (
                plan_database.plan(connection, caller, question),
                question.query_embedding and plan_database.search(connection, caller, question, 5),
            )
            for question in asks
        ]

    plan_database.put(asked.superuser, world)
    before = told()
    plan_database.put(asked.superuser, changed(world, other, caller, crowd=crowd))
    assert told() == before
