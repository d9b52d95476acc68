"""Asks a database to expand, to fetch, and to do it all at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from tests.properties.stages_model import Expansion, Fetch, Json
from tests.properties.test_hidden_changes import Caller
from tests.sql.asking import Connection

_WHO = "tenant => %(tenant)s, access => %(access)s"
_EXPANSION = """
    seeds => %(seeds)s::text[], max_depth => %(max_depth)s::integer, max_nodes => %(max_nodes)s::integer,
    fan_out => %(fan_out)s::integer, edge_allowlist => %(edge_allowlist)s, direction => %(direction)s
"""
_TEXTS = """
    max_chars => %(max_chars)s::integer, budget_tokens => %(budget_tokens)s::integer,
    prioritization => %(prioritization)s
"""
EXPAND = f"SELECT docgraph.expand_dependency_tree({_WHO}, {_EXPANSION})::text"
FETCH = f"""
SELECT * FROM docgraph.fetch_node_texts(
    {_WHO}, nodes => %(nodes)s::jsonb, seeds => %(named)s::text[], {_TEXTS}
)
"""
PIPELINE = f"SELECT docgraph.run_pipeline({_WHO}, {_EXPANSION}, {_TEXTS})"


def _values(caller: Caller, **asked: Any) -> dict[str, Any]:
    lists = {name: list(value) for name, value in asked.items() if isinstance(value, tuple)}
    return asked | lists | {"tenant": caller.tenant, "access": Jsonb(caller.claim)}


def expand(connection: Connection, caller: Caller, asked: Expansion) -> str | None:
    """The tree's bytes; None is denied."""
    try:
        ((found,),) = connection.execute(EXPAND.encode(), _values(caller, **asdict(asked))).fetchall()
    except psycopg.errors.InsufficientPrivilege:
        return None
    return str(found)


def fetch(
    connection: Connection, caller: Caller, nodes: Sequence[Json] | None, asked: Fetch
) -> list[Any] | None:
    """The rows, and at the end the accounting; None is denied."""
    values = _values(caller, **asdict(asked))
    values |= {"named": values["seeds"], "nodes": None if nodes is None else json.dumps(list(nodes))}
    try:
        *texts, bill = connection.execute(FETCH.encode(), values).fetchall()
    except psycopg.errors.InsufficientPrivilege:
        return None
    assert bill[:-1] == (None,) * 8
    assert all(row[-1] is None for row in texts)
    return [*(row[:-1] for row in texts), bill[-1]]


def pipeline(connection: Connection, caller: Caller, expansion: Expansion, asked: Fetch) -> Json | None:
    """All stages from given seeds; None is denied."""
    values = _values(caller, **asdict(asked)) | _values(caller, **asdict(expansion))
    try:
        ((found,),) = connection.execute(PIPELINE.encode(), values).fetchall()
    except psycopg.errors.InsufficientPrivilege:
        return None
    assert isinstance(found, dict)
    return found
