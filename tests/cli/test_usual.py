"""What --help says is usual: it is what the database takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import psycopg
import pytest
import typer

from docgraph.cli import app, usual
from docgraph.cli.context import EXECUTION
from docgraph.cli.plan_options import OPTIONS
from docgraph.cli.stages import EXPAND, FETCH, SEARCH

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # a group has them


def defaults(connection: psycopg.Connection[Any], function: str) -> dict[str, str]:
    """But for what is off, or nothing, unless it is asked for."""
    row = connection.execute(
        "SELECT pg_get_function_arguments(%s::regproc)", (f"docgraph.{function}",)
    ).fetchone()
    assert row is not None
    found = dict(re.findall(r"(\w+) [\w\[\] ]+ DEFAULT '?([\w.]+)", row[0]))
    return {name: value for name, value in found.items() if value not in {"NULL", "false"}}


@pytest.mark.parametrize(
    ("function", "table"),
    [
        ("retrieve", usual.RETRIEVE),
        ("search_nodes", usual.SEARCH),
        ("expand_dependency_tree", usual.EXPAND),
        ("fetch_node_texts", usual.FETCH),
    ],
)
def test_it_is_what_the_function_takes(
    superuser: psycopg.Connection[Any], function: str, table: Mapping[str, str]
) -> None:
    found = defaults(superuser, function)
    assert found
    assert table == found


def test_plans_are_made_and_executed_with_the_same(superuser: psycopg.Connection[Any]) -> None:
    """docgraph plan, and context --plan, call other functions than context does."""
    made, executed = (defaults(superuser, name) for name in ("plan_retrieval", "retrieve_by_plan"))
    # There is no mode of the plan that it could follow.
    assert executed.pop("chunk_mode") == "semantic"
    assert made | executed == usual.RETRIEVE


def test_the_budget(superuser: psycopg.Connection[Any]) -> None:
    row = superuser.execute("SELECT docgraph.bound('usual_budget')").fetchone()
    assert row == (usual.TOKENS,)


@pytest.mark.parametrize(
    ("command", "options", "table"),
    [
        ("plan", OPTIONS, usual.RETRIEVE),
        ("context", OPTIONS | EXECUTION, usual.RETRIEVE),
        ("search", SEARCH, usual.SEARCH),
        ("expand", EXPAND, usual.EXPAND),
        ("fetch", FETCH, usual.FETCH),
    ],
)
def test_the_help_of_each_option_says_it(
    command: str, options: Mapping[str, str], table: Mapping[str, str]
) -> None:
    shown = {**table, "budget_tokens": str(usual.TOKENS)}
    named = options.keys() & shown.keys()
    assert named
    for name in named:
        assert f"Default: {shown[name]}." in option_help(command, options[name])


def test_options_without_effect_say_so() -> None:
    for command in ("plan", "context", "search"):
        assert "For hybrid alone" in option_help(command, "--rrf-k")
    assert "Without effect for --selection bridge" in option_help("context", "--reserve")


def option_help(command: str, name: str) -> str:
    (found,) = [option.help for option in COMMANDS[command].params if name in option.opts]
    return str(found)
