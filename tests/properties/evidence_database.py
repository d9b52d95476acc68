"""Asks a database to execute plans."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from tests.properties import plan_database
from tests.properties.executor import Wanted
from tests.properties.executor_answers import Row
from tests.properties.plan_worlds import PlanWorld
from tests.properties.planner import Plan, Question
from tests.properties.test_hidden_changes import Caller
from tests.sql.asking import Connection

_CALLER = "tenant => %(tenant)s, access => %(access)s"
_CHOICE = """
    max_chunks => %(max_chunks)s::integer, per_document => %(per_document)s::integer,
    reserve => %(reserve)s::numeric, selection => %(selection)s, query_text => %(query_text)s,
    chunk_mode => %(chunk_mode)s
"""
_BUDGET = """
    max_chars => %(max_chars)s::integer, budget_tokens => %(budget_tokens)s::integer,
    conceptual_share => %(conceptual_share)s::numeric
"""
_BY_PLAN = f"{_CALLER}, plan => %(plan)s::jsonb, query_embedding => %(query_embedding)s, {_CHOICE}"
_PLANNING = """
    query_embedding => %(query_embedding)s, mode => %(chunk_mode)s, seeds => %(seeds)s,
    search_in => %(search_in)s, method => %(method)s, seed_limit => %(seed_limit)s::integer,
    relation_types => %(relation_types)s, expanded_per_seed => %(expanded_per_seed)s::integer,
    max_documents => %(max_documents)s::integer, dominant_scope => %(dominant_scope)s,
    scope_distance => %(scope_distance)s::numeric
"""

EXECUTE = f"SELECT * FROM docgraph.execute_plan({_BY_PLAN})"
ASSEMBLE = f"SELECT * FROM docgraph.assemble_context({_BY_PLAN}, {_BUDGET})"
BY_PLAN = f"SELECT docgraph.retrieve_by_plan({_BY_PLAN}, {_BUDGET})::text"
RETRIEVE = f"SELECT docgraph.retrieve({_CALLER}, {_PLANNING}, {_CHOICE}, {_BUDGET})::text"
SEAL = "SELECT docgraph.seal_plan(%s::jsonb)::text"


def put(superuser: Connection, world: PlanWorld) -> None:
    """This world in place of the one before, and what is looked up to search it by words."""
    with superuser.transaction():
        plan_database.put(superuser, world)
        superuser.execute("DELETE FROM docgraph.lexical_counts; DELETE FROM docgraph.lexical_terms")
        superuser.execute(
            "SELECT docgraph.index_words(d.tenant_id, array_agg(d.document_id), NULL, true)"
            " FROM docgraph.document_nodes d GROUP BY d.tenant_id"
        )


def _values(caller: Caller, wanted: Wanted) -> dict[str, Any]:
    values = {each.name: getattr(wanted, each.name) for each in fields(wanted)}
    vector = None if wanted.chunk_mode == "bm25" else [float(each) for each in wanted.query_embedding]
    return values | {"tenant": caller.tenant, "access": Jsonb(caller.claim), "query_embedding": vector}


def _rows(connection: Connection, statement: str, values: dict[str, Any]) -> list[Row] | None:
    """None is denied."""
    try:
        return connection.execute(statement.encode(), values).fetchall()
    except psycopg.errors.InsufficientPrivilege:
        return None


def execute(connection: Connection, caller: Caller, plan: str, wanted: Wanted) -> list[Row] | None:
    """The rows of execute_plan; of a plan as its bytes."""
    return _rows(connection, EXECUTE, _values(caller, wanted) | {"plan": plan})


def assemble(connection: Connection, caller: Caller, plan: str, wanted: Wanted) -> list[Row] | None:
    """The rows of assemble_context, which wants a budget."""
    return _rows(connection, ASSEMBLE, _values(caller, wanted) | {"plan": plan})


def by_plan(connection: Connection, caller: Caller, plan: str, wanted: Wanted) -> str | None:
    """The bytes of retrieve_by_plan."""
    found = _rows(connection, BY_PLAN, _values(caller, wanted) | {"plan": plan})
    return None if found is None else str(found[0][0])


def retrieve(connection: Connection, caller: Caller, asked: Question, wanted: Wanted) -> str | None:
    """The bytes of retrieve; the query is that of both."""
    assert asked.query_embedding == wanted.query_embedding
    values = plan_database.arguments(caller, asked) | _values(caller, wanted)
    found = _rows(connection, RETRIEVE, values)
    return None if found is None else str(found[0][0])


def seal(connection: Connection, plan: Plan) -> str:
    """As seal_plan gives it."""
    row = connection.execute(SEAL, (json.dumps(plan),)).fetchone()
    assert row is not None
    return str(row[0])
