"""An approximate search may miss one, but it finds as many, shows nothing hidden, and says what it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.plan_worlds import PlanWorld, callers, plan_worlds, questions, vectors
from tests.properties.planner import Planner, Question, canonical
from tests.properties.test_hidden_changes import Caller
from tests.properties.test_mutants import Mutant, mistaken
from tests.properties.test_plans import within

EXACT_ROWS = 4


@pytest.fixture(scope="module", autouse=True)
def _hasty(asked: Asked) -> Iterator[None]:
    """auto is approximate as soon as a caller sees more than a few rows."""
    with mistaken(asked, exact_up_to(EXACT_ROWS)):
        yield


def exact_up_to(rows: int) -> Mutant:
    return Mutant("leaf/bound.sql", "WHEN 'exact_rows' THEN 50000", f"WHEN 'exact_rows' THEN {rows}")


def expected_method(planner: Planner, question: Question, exact_rows: int = EXACT_ROWS) -> str:
    """Rows count whether or not they have a vector."""
    documents = planner.shelf.documents.values()
    by_chunk = question.search_in == "chunks"
    searched = sum(len(each.chunks) for each in documents) if by_chunk else len(documents)
    hasty = question.method == "auto" and searched > exact_rows
    return "approximate" if hasty or question.method == "approximate" else "exact"


def hasty_questions() -> st.SearchStrategy[Question]:
    """By a vector, and with nothing taken from what the search finds: the plan shows all of it."""
    return st.builds(
        lambda question, vector, method: replace(
            question, query_embedding=vector, method=method, dominant_scope="none", max_documents=400
        ),
        questions,
        vectors,
        st.sampled_from(["auto", "approximate", "exact"]),
    )


@given(world=plan_worlds(), asks=st.lists(st.tuples(callers(), hasty_questions()), min_size=3, max_size=3))
def test_plans_by_an_approximate_search(
    asked: Asked, world: PlanWorld, asks: list[tuple[Caller, Question]]
) -> None:
    """Whatever it has found, as many as there are or were asked for: the rest of the plan follows from it."""
    plan_database.put(asked.superuser, world)
    setting = plan_database.setting(asked.superuser)
    for caller, question in asks:
        planner = world.planner(caller.login, caller.tenant, caller.claim, setting)
        text = plan_database.plan(asked.logins[caller.login], caller, question)
        if planner is None or text is None:
            assert planner is None
            assert text is None
            continue
        plan = json.loads(text)
        within(planner, plan)
        found = [each["document_id"] for each in plan["seed_documents"] if each["origin"] == "search"]
        nearest = planner.candidates(question)
        assert found == [each for each in nearest if each in found]
        assert len(found) == min(question.seed_limit, len(nearest))
        hasty = expected_method(planner, question) == "approximate"
        assert text == canonical(planner.plan(question, found if hasty else None))


@given(
    world=plan_worlds(),
    caller=callers(),
    question=hasty_questions(),
    most=st.sampled_from([0, 1, 2, 10, 200]),
)
def test_an_approximate_search_finds_as_many(
    asked: Asked, world: PlanWorld, caller: Caller, question: Question, most: int
) -> None:
    plan_database.put(asked.superuser, world)
    setting = plan_database.setting(asked.superuser)
    planner = world.planner(caller.login, caller.tenant, caller.claim, setting)
    found = plan_database.search(asked.logins[caller.login], caller, question, most)
    if planner is None or found is None:
        assert planner is None
        assert found is None
        return
    assert question.query_embedding is not None
    nearest = [hit[1:] for hit in planner.search(question.query_embedding, question.search_in)]
    places = [row[1:3] for row in found]
    assert places == [each for each in nearest if each in places]
    assert [row[0] for row in found] == list(range(1, min(most, len(nearest)) + 1))
    assert {row[3] for row in found} <= {expected_method(planner, question)}
