"""Every plan of the database is the model's, byte for byte, and so is all that can be asked of it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.plan_worlds import PlanWorld, asks, plan_worlds
from tests.properties.planner import Plan, Planner, Question, canonical, rows, sealed
from tests.properties.test_hidden_changes import Caller
from tests.sql.asking import Connection

VERIFIED = [
    {
        "well_formed": True,
        "hash_holds": True,
        "same_embedding_space": True,
        "same_revision": True,
        "edited": False,
        "problem": None,
    }
]


def agree(
    asked: Asked, world: PlanWorld, questions: list[tuple[Caller, Question]], metric: str = "cosine"
) -> None:
    """Whoever asks whatever is told what the model says."""
    plan_database.put(asked.superuser, world, metric)
    setting = plan_database.setting(asked.superuser)
    assert setting.metric == metric
    for caller, question in questions:
        planner = world.planner(caller.login, caller.tenant, caller.claim, setting)
        connection = asked.logins[caller.login]
        agree_on_plan(connection, planner, caller, question)
        if question.query_embedding is not None:
            agree_on_search(connection, planner, caller, question)


def agree_on_plan(
    connection: Connection, planner: Planner | None, caller: Caller, question: Question
) -> None:
    looked = plan_database.look(connection, caller, question)
    if planner is None or looked is None:
        assert planner is None
        assert looked is None
        return
    expected = planner.plan(question)
    assert looked.plan == canonical(expected)
    within(planner, json.loads(looked.plan))
    assert looked.rows == rows(expected)
    assert all(looked.why)
    assert looked.explained
    assert looked.sealed == canonical(sealed(expected | {"edited": True}))
    assert looked.verified == VERIFIED


def within(planner: Planner, plan: Plan) -> None:
    """Nothing but what the caller may see, and nothing further away than one relationship."""
    seeds = [each["document_id"] for each in plan["seed_documents"]]
    expanded = [each["document_id"] for each in plan["expanded_documents"]]
    assert {*seeds, *expanded} <= planner.shelf.documents.keys()
    assert len({*seeds, *expanded}) == len(seeds) + len(expanded) <= plan["constraints"]["max_documents"]
    for each in plan["expanded_documents"]:
        for reason in each["via"]:
            assert reason["from"] in seeds
            assert (reason["from"], reason["relation_type"], each["document_id"]) in planner.shelf.edges


def agree_on_search(
    connection: Connection, planner: Planner | None, caller: Caller, question: Question
) -> None:
    found = plan_database.search(connection, caller, question, question.seed_limit)
    if planner is None or found is None:
        assert planner is None
        assert found is None
        return
    assert question.query_embedding is not None
    hits = planner.search(question.query_embedding, question.search_in)[: question.seed_limit]
    assert found == [(rank, name, chunk, "exact") for rank, (_, name, chunk) in enumerate(hits, start=1)]


@given(world=plan_worlds(), questions=asks(2, 2))
def test_plans_are_those_of_the_model(
    asked: Asked, world: PlanWorld, questions: list[tuple[Caller, Question]]
) -> None:
    agree(asked, world, questions)


@given(world=plan_worlds(), questions=asks(1, 1))
def test_without_relationships_a_plan_is_its_seeds(
    asked: Asked, world: PlanWorld, questions: list[tuple[Caller, Question]]
) -> None:
    """And nothing else of it differs, but that nothing more can have been cut off."""

    def rest(plan: Plan) -> dict[str, Any]:
        for seed in plan["seed_documents"]:
            seed.pop("via", None)
        apart = ("expanded_documents", "truncated", "plan_hash")
        return {key: value for key, value in plan.items() if key not in apart}

    ((caller, question),) = questions
    connection = asked.logins[caller.login]
    plan_database.put(asked.superuser, world)
    related = plan_database.plan(connection, caller, question)
    asked.superuser.execute("DELETE FROM docgraph.document_relationships")
    alone = plan_database.plan(connection, caller, question)
    if related is None or alone is None:
        assert related is None
        assert alone is None
        return
    before, after = json.loads(related), json.loads(alone)
    assert rest(after) == rest(before)
    assert after["expanded_documents"] == []
    assert set(after["truncated"]) <= {"documents"} & set(before["truncated"])
    assert not before["expanded_documents"] or before != after
