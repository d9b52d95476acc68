"""What the database makes of a plan is what the model makes of it, byte for byte and row for row."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from docgraph import RetrievalPlan, RetrievedContext
from tests.properties import evidence_database, plan_database
from tests.properties.database import Asked, as_it_is
from tests.properties.evidence_worlds import (
    evidence_worlds,
    executor,
    sealed_plans,
    wanted,
    wanted_in_some_mode,
)
from tests.properties.executor import Executor, Wanted
from tests.properties.executor_answers import context_rows, evidence_rows, retrieved
from tests.properties.plan_worlds import PlanWorld, callers, chances, question
from tests.properties.planner import Plan, Planner, Question, canonical, sealed
from tests.properties.test_hidden_changes import Caller
from tests.sql.asking import Connection


def agree_on_execution(
    connection: Connection, executor: Executor | None, caller: Caller, plan: Plan, asked: Wanted
) -> None:
    """Rows of both kinds, and the JSON; a plan that holds."""
    text = canonical(plan)
    answer = evidence_database.by_plan(connection, caller, text, asked)
    rows = evidence_database.execute(connection, caller, text, asked)
    limited = replace(asked, budget_tokens=8000) if asked.room == 8000 else asked
    context = evidence_database.assemble(connection, caller, text, limited)
    if executor is None:
        assert (answer, rows, context) == (None, None, None)
        return
    assert answer == canonical(retrieved(executor, plan, asked))
    assert rows == evidence_rows(executor, plan, asked)
    assert context == context_rows(executor, plan, limited)


def agree_on_retrieval(
    connection: Connection, planner: Planner | None, caller: Caller, what: Question, how: Wanted
) -> None:
    """The plan that the model makes, and what it makes of it."""
    answer = evidence_database.retrieve(connection, caller, what, how)
    if planner is None:
        assert answer is None
    else:
        obeys = Executor(planner.shelf, planner.setting)
        assert answer == canonical(retrieved(obeys, planner.plan(what), how))


@given(
    world=evidence_worlds(), asks=st.lists(st.tuples(callers(), callers(), chances), min_size=2, max_size=2)
)
def test_execution_is_that_of_the_model(
    asked: Asked, world: PlanWorld, asks: list[tuple[Caller, Caller, Random]]
) -> None:
    """Whoever executes whatever plan, made by whomever."""
    plan_database.put(asked.superuser, world)
    setting = plan_database.setting(asked.superuser)
    for maker, other, chance in asks:
        user = replace(other, tenant=maker.tenant) if chance.randrange(2) else maker
        planner = world.planner(maker.login, maker.tenant, maker.claim, setting)
        if planner is None:
            continue
        connection = asked.logins[user.login]
        for plan in sealed_plans(planner, chance):
            agree_on_execution(connection, executor(world, user, setting), user, plan, wanted(chance))
            assert evidence_database.seal(connection, plan) == canonical(sealed(plan | {"edited": True}))


@as_it_is
@given(world=evidence_worlds(), caller=callers(), chance=chances)
def test_python_writes_what_the_database_writes(
    asked: Asked, world: PlanWorld, caller: Caller, chance: Random
) -> None:
    """Contexts and plans, read into values and written out again, byte for byte."""
    evidence_database.put(asked.superuser, world)
    setting = plan_database.setting(asked.superuser)
    connection = asked.logins[caller.login]
    for _ in range(3):
        how = wanted_in_some_mode(chance)
        what = replace(question(chance), query_embedding=how.query_embedding)
        text = evidence_database.retrieve(connection, caller, what, how)
        if text is not None:
            assert RetrievedContext.from_database(json.loads(text)).to_json() == text
            assert RetrievedContext.from_json(text).to_json() == text
        made = plan_database.plan(connection, caller, what)
        if made is not None:
            assert RetrievalPlan.from_dict(json.loads(made)).to_json() == made
    planner = world.planner(caller.login, caller.tenant, caller.claim, setting)
    for plan in sealed_plans(planner, chance) if planner else ():
        how = wanted_in_some_mode(chance)
        text = evidence_database.by_plan(connection, caller, canonical(plan), how)
        assert text is not None
        assert RetrievedContext.from_database(json.loads(text)).to_json() == text
        made = evidence_database.seal(connection, plan)
        assert RetrievalPlan.from_dict(json.loads(made)).to_json() == made


@given(world=evidence_worlds(), caller=callers(), chance=chances)
def test_retrieve_is_a_plan_and_its_execution(
    asked: Asked, world: PlanWorld, caller: Caller, chance: Random
) -> None:
    plan_database.put(asked.superuser, world)
    setting = plan_database.setting(asked.superuser)
    planner = world.planner(caller.login, caller.tenant, caller.claim, setting)
    for _ in range(3):
        how = wanted(chance)
        what = replace(question(chance), query_embedding=how.query_embedding)
        agree_on_retrieval(asked.logins[caller.login], planner, caller, what, how)
