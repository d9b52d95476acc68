"""The rules of docs/planning.md hold, a break of each is noticed, and nothing switches them off."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from docgraph import DocGraph, calls
from docgraph.errors import InvalidArgument
from tests.conftest import Installed
from tests.sql.api.guardrails import (
    GUARDRAILS,
    MOST,
    Guardrail,
    directionality,
    expansion_depth,
    put_maze,
)
from tests.sql.api.plan_breaks import BREAKS, Break
from tests.sql.asking import ALL_CALLS, Connection, refusal
from tests.sql.planning import NORTH, expanded_of, plan, plan_text, sealed


@pytest.fixture
def maze(undone: Connection) -> Connection:
    put_maze(undone)
    return undone


@pytest.mark.parametrize("guardrail", GUARDRAILS, ids=lambda guardrail: guardrail.__name__)
def test_holds(maze: Connection, guardrail: Guardrail) -> None:
    guardrail(maze)


@pytest.mark.parametrize("broken", BREAKS, ids=lambda broken: broken.name)
def test_is_noticed(maze: Connection, broken: Break) -> None:
    broken.install(maze)
    with pytest.raises(broken.by):
        broken.noticed_by(maze)


def test_every_guardrail_is_broken_once() -> None:
    assert {broken.noticed_by for broken in BREAKS} == set(GUARDRAILS)


class TestNothingMakesItTwoHops:
    def test_no_parameter(self, maze: Connection) -> None:
        """Neither one that is there, at whatever it accepts, nor one of a likely name."""
        assert not [
            name for name in calls.PLAN_RETRIEVAL.parameters if re.search("depth|hop|travers|level", name)
        ]
        for name in (
            "max_depth",
            "depth",
            "hops",
            "max_relationship_depth",
            "traversal_enabled",
            "direction",
        ):
            statement = f"SELECT docgraph.plan_retrieval('default', '{{}}', seeds => '{{a}}', {name} => 2)"
            with pytest.raises(Exception, match="does not exist"), maze.transaction():
                maze.execute(statement.encode())
        for kinds in (["explains"], ["explains.explains"], ["explains*"], ["*"], ["explains", "cites"]):
            found = expanded_of(plan(maze, seeds=["a"], relation_types=kinds, **MOST))
            assert found.keys() <= {"b", "w"}

    @pytest.mark.parametrize(
        "key", ["max_relationship_depth", "traversal_enabled", "depth", "plan", "constraints"]
    )
    def test_no_claim(self, maze: Connection, key: str) -> None:
        error = refusal(maze, calls.PLAN_RETRIEVAL, access=json.dumps({key: 2}))
        assert error.diag.message_primary == "access has an unknown key"

    @pytest.mark.parametrize(
        "constraint",
        [{"max_relationship_depth": 2}, {"max_relationship_depth": 0}, {"traversal_enabled": True}],
    )
    @pytest.mark.parametrize("function", ["plan_documents", "explain_plan", "seal_plan"])
    def test_no_plan_document(self, maze: Connection, function: str, constraint: dict[str, Any]) -> None:
        """Also one whose hash holds; and one whose reasons come from what a seed brought in."""
        made = plan(maze, seeds=["a"])
        deeper = sealed({**made, "constraints": {**made["constraints"], **constraint}})
        chain = made["expanded_documents"] + [
            {"document_id": "c", "via": [{"from": "b", "relation_type": "explains"}]}
        ]
        constants = "max_relationship_depth 1, traversal_enabled false, direction outgoing"
        for each, message in (
            (deeper, f"plan.constraints must have {constants}"),
            (
                sealed({**made, "expanded_documents": chain}),
                "plan.expanded_documents[3].via must come from other seeds of the plan",
            ),
        ):
            error = refusal(maze, ALL_CALLS[function], plan=json.dumps(each))
            assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", message)

    @pytest.mark.parametrize(
        "setting",
        [
            "docgraph.max_relationship_depth = 5",
            "docgraph.traversal_enabled = on",
            "plan_cache_mode = force_generic_plan",
            "plan_cache_mode = force_custom_plan",
            "enable_indexscan = off",
            "enable_nestloop = off",
            "from_collapse_limit = 1",
            "search_path = docgraph, public",
            "row_security = on",
            "work_mem = '64kB'",
            "jit_above_cost = 0",
            "extra_float_digits = 0",
            "lc_messages = 'C'",
            "DateStyle = 'German'",
            "bytea_output = 'escape'",
            "hnsw.iterative_scan = strict_order",
        ],
    )
    def test_no_setting(self, maze: Connection, setting: str) -> None:
        before = plan_text(maze, seeds=["a", "d"], query_embedding=NORTH, **MOST)
        maze.execute(f"SET LOCAL {setting}".encode())
        assert plan_text(maze, seeds=["a", "d"], query_embedding=NORTH, **MOST) == before
        expansion_depth(maze)
        directionality(maze)

    def test_no_option_in_python(self, shared_client: DocGraph) -> None:
        client: Any = shared_client
        for name in ("max_depth", "depth", "max_relationship_depth", "traversal_enabled", "direction"):
            for method in (client.plan, client.plan_retrieval):
                with pytest.raises(InvalidArgument, match=f"does not take {name}"):
                    method(seeds=["a"], **{name: 2})
        deeper = client.plan(seeds=[]).to_dict()
        deeper["constraints"]["max_relationship_depth"] = 2
        with pytest.raises(InvalidArgument, match="max_relationship_depth"):
            client.explain_plan(deeper)


def test_a_reader_may_plan_and_write_nothing(shared: Installed, boss: Connection) -> None:
    """By the functions of planning, with the rights that a reader has."""
    shared.reader("planning_reader")
    put_maze(boss)
    with shared.connect("planning_reader") as connection:
        connection.execute("SET default_transaction_read_only = on")
        assert expanded_of(plan(connection, seeds=["a"]))
        expansion_depth(connection)
