"""What is expanded and fetched is the model's, byte for byte, whoever asks within whatever limits."""

from __future__ import annotations

import json

from hypothesis import given

from tests.properties import plan_database, stages_database, stages_model
from tests.properties.database import Asked
from tests.properties.plan_worlds import PlanWorld
from tests.properties.planner import Shelf, canonical
from tests.properties.stages_model import Json
from tests.properties.stages_worlds import Asks, some_asks, stage_worlds
from tests.properties.test_hidden_changes import Caller
from tests.sql.asking import Connection


def agree(asked: Asked, world: PlanWorld, questions: list[tuple[Caller, Asks]]) -> None:
    """Whoever asks whatever is told what the model says."""
    plan_database.put(asked.superuser, world)
    for caller, asks in questions:
        agree_on(asked.logins[caller.login], world, caller, asks)


def agree_on(connection: Connection, world: PlanWorld, caller: Caller, asks: Asks) -> None:
    visible = world.access.visible_documents(caller.login, caller.tenant, caller.claim)
    found = stages_database.expand(connection, caller, asks.expansion)
    nodes = asks.own_nodes
    if visible is None or found is None:
        assert visible is None
        assert found is None
        assert stages_database.fetch(connection, caller, nodes or [], asks.fetch) is None
        assert stages_database.pipeline(connection, caller, asks.expansion, asks.fetch) is None
        return
    shelf = world.shelves[caller.tenant].seen(visible)
    tree = stages_model.expand(shelf, asks.expansion)
    assert found == canonical(tree)
    within(shelf, asks, tree)

    classes = world.access.classes[caller.tenant]
    needed = {each: classes[n] for each, n in world.access.documents[caller.tenant].items()}
    own = tree["nodes"] if nodes is None else nodes
    rows = stages_database.fetch(connection, caller, own, asks.fetch)
    assert rows == stages_model.fetch(own, asks.fetch, shelf, needed)

    whole = stages_database.pipeline(connection, caller, asks.expansion, asks.fetch)
    expected = stages_model.fetch(tree["nodes"], _of_the_pipeline(asks, tree), shelf, needed)
    assert whole is not None
    assert whole["expanded_nodes"] == tree["nodes"]
    assert whole["dependency_edges"] == tree["edges"]
    keys = ("id", "is_seed", "depth", "parent", "text", "tokens", "running_total")
    assert whole["node_texts"] == [dict(zip(keys, row[1:], strict=True)) for row in expected[:-1]]
    assert whole["accounting"] == {
        "truncated": tree["truncated"],
        "omitted": tree["omitted"],
        "warnings": [],
        "texts": expected[-1],
    }
    seeds = [each for each in dict.fromkeys(asks.expansion.seeds) if each in shelf.documents]
    assert [hit["document_id"] for hit in whole["retrieval_seed_nodes"]] == seeds


def _of_the_pipeline(asks: Asks, tree: Json) -> stages_model.Fetch:
    """The seeds that it begins with are those that it fetches by; without nodes there is nothing to fetch."""
    asked = asks.fetch
    seeds = asks.expansion.seeds if tree["nodes"] else ()
    return stages_model.Fetch(seeds, asked.max_chars, asked.budget_tokens, asked.prioritization)


def within(shelf: Shelf, asks: Asks, tree: Json) -> None:
    """Limits hold, nothing is hidden, and nothing dangles; said once more, in the simplest words."""
    limits, ids = asks.expansion, [node["id"] for node in tree["nodes"]]
    assert set(ids) <= shelf.documents.keys()
    assert len(ids) == len(set(ids)) <= limits.max_nodes
    depths = [node["depth"] for node in tree["nodes"]]
    assert depths == sorted(depths)
    assert all(depth <= limits.max_depth for depth in depths)
    for edge in tree["edges"]:
        assert (edge["from"], edge["relation_type"], edge["to"]) in shelf.edges
        assert {edge["from"], edge["to"]} <= set(ids)
    joined = {(edge["from"], edge["to"]) for edge in tree["edges"]}
    for node in tree["nodes"]:
        pair = (node["parent"], node["id"])
        assert node["is_seed"] or pair in joined or pair[::-1] in joined


@given(world=stage_worlds(), questions=some_asks(2, 4))
def test_stages_are_those_of_the_model(
    asked: Asked, world: PlanWorld, questions: list[tuple[Caller, Asks]]
) -> None:
    agree(asked, world, questions)


@given(world=stage_worlds(), questions=some_asks(1, 2))
def test_budgets_are_never_exceeded_and_texts_are_whole(
    asked: Asked, world: PlanWorld, questions: list[tuple[Caller, Asks]]
) -> None:
    plan_database.put(asked.superuser, world)
    for caller, asks in questions:
        connection = asked.logins[caller.login]
        tree = stages_database.expand(connection, caller, asks.expansion)
        if tree is None:
            continue
        rows = stages_database.fetch(connection, caller, json.loads(tree)["nodes"], asks.fetch)
        assert rows is not None
        *texts, bill = rows
        sizes = [len(row[5]) if asks.fetch.max_chars else row[6] for row in texts]
        assert sum(sizes) == bill["budget"]["used"] <= bill["budget"]["limit"]
        assert [row[7] for row in texts] == [sum(sizes[: n + 1]) for n in range(len(sizes))]
