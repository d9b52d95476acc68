"""What is promised of a context can be read off it: nothing foreign in it, no limit exceeded by one."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

from hypothesis import given

from tests.properties import evidence_database, plan_database
from tests.properties.database import Asked, as_it_is
from tests.properties.evidence_worlds import evidence_worlds, sealed_plans, wanted_in_some_mode
from tests.properties.executor import Wanted, estimated_tokens
from tests.properties.plan_worlds import PlanWorld, callers, chances
from tests.properties.planner import Plan, canonical
from tests.properties.test_hidden_changes import Caller

Json = dict[str, Any]


def within(found: Json, plan: Plan, visible: set[str], asked: Wanted) -> None:
    """Nothing but planned and visible documents, and no more than each of the limits."""
    documents = found["context"]["documents"]
    planned = [each["document_id"] for each in (*plan["seed_documents"], *plan["expanded_documents"])]
    shown = [each["document_id"] for each in documents]
    assert len(set(shown)) == len(shown)
    assert set(shown) <= visible & set(planned)
    assert shown == [each for each in planned if each in shown]
    assert len(shown) <= min(plan["constraints"]["max_documents"], 400)

    chunks = [chunk for each in documents for chunk in each["chunks"]]
    assert len(chunks) <= found["accounting"]["chunks"]["chosen"] <= asked.max_chunks
    assert all(len(each["chunks"]) <= asked.per_document for each in documents)
    within_budget(found, documents, chunks, asked)


def within_budget(found: Json, documents: list[Json], chunks: list[Json], asked: Wanted) -> None:
    """Counted anew from the texts, and as the accounting says."""
    tokens = asked.unit == "tokens"
    concepts = [each["summary"] for each in documents if each["summary"] is not None]
    concepts += [
        "\n".join(each["section_titles"]) for each in documents if each["section_titles"] is not None
    ]
    conceptual = sum(estimated_tokens(each) if tokens else len(each) for each in concepts)
    evidence = sum(each["tokens"] if tokens else len(each["text"]) for each in chunks)
    budget = found["accounting"]["budget"]
    assert (budget["unit"], budget["limit"]) == (asked.unit, asked.room)
    assert (budget["conceptual_used"], budget["evidence_used"]) == (conceptual, evidence)
    assert conceptual <= budget["conceptual_limit"] == int(Decimal(asked.conceptual_share) * asked.room)
    assert conceptual + evidence == budget["used"] <= asked.room


@given(world=evidence_worlds(), maker=callers(), user=callers(), chance=chances)
def test_nothing_foreign_and_no_limit_exceeded(
    asked: Asked, world: PlanWorld, maker: Caller, user: Caller, chance: Random
) -> None:
    evidence_database.put(asked.superuser, world)
    setting = plan_database.setting(asked.superuser)
    user = replace(user, tenant=maker.tenant)
    visible = world.access.visible_documents(user.login, user.tenant, user.claim)
    planner = world.planner(maker.login, maker.tenant, maker.claim, setting)
    if planner is None or visible is None:
        return
    for plan in sealed_plans(planner, chance):
        how = wanted_in_some_mode(chance)
        text = evidence_database.by_plan(asked.logins[user.login], user, canonical(plan), how)
        assert text is not None
        found = json.loads(text)
        assert found["plan"] == plan
        within(found, plan, set(visible), how)


@as_it_is
@given(world=evidence_worlds(), caller=callers(), chance=chances)
def test_a_smaller_max_chunks_chooses_the_first_of_the_same(
    asked: Asked, world: PlanWorld, caller: Caller, chance: Random
) -> None:
    """Which chunks, in which order, and by what."""
    evidence_database.put(asked.superuser, world)
    setting = plan_database.setting(asked.superuser)
    planner = world.planner(caller.login, caller.tenant, caller.claim, setting)
    if planner is None:
        return
    for plan in sealed_plans(planner, chance):
        how = wanted_in_some_mode(chance)

        def chosen(most: int, plan: Plan = plan, how: Wanted = how) -> list[tuple[int, str, int, str]]:
            rows = evidence_database.execute(
                asked.logins[caller.login], caller, canonical(plan), replace(how, max_chunks=most)
            )
            return sorted((row[8], row[1], row[3], row[9]) for row in rows or ())

        everything = chosen(1000)
        assert [place for place, *_ in everything] == list(range(1, len(everything) + 1))
        for most in chance.sample((0, 1, 2, 3, 4, 5, 7, 11), k=3):
            assert chosen(most) == everything[:most]
