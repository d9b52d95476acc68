"""Bad input from SQL: our SQLSTATE, the parameter by name, never its value, a hint, and nothing written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docgraph import calls
from docgraph.calls import Call
from tests.sql.api.bad_kinds import Bad
from tests.sql.api.bad_values import BAD, BAD_HERE, ELSEWHERE, PAIR, TRIPLE, case_id, cases
from tests.sql.asking import (
    ALL_CALLS,
    VALID,
    Connection,
    ask,
    contents,
    nothing_written,
    refusal,
    refused,
    words,
)


@pytest.fixture(scope="module", autouse=True)
def _something_is_stored(boss: Connection) -> Iterator[None]:
    """A ceiling that a bad call could overwrite or delete, and a check for all tests together."""
    ask(boss, calls.GRANT_ACCESS)
    ask(boss, calls.BEGIN_REEMBEDDING)
    before = contents(boss)
    yield
    assert contents(boss) == before


def parts(value: object) -> list[str]:
    """Whatever of a value would be recognised in a message."""
    if isinstance(value, list):
        return [text for entry in value for text in parts(entry)]
    text = str(value)
    return [text[:20]] if value is not None and len(text) > 3 else []


def test_every_parameter_has_its_bad_values() -> None:
    tested = {(call.function, parameter) for call, parameter, _ in cases()}
    for call in ALL_CALLS.values():
        for parameter, kind in call.parameters.items():
            assert parameter in ELSEWHERE if kind == "jsonb" else (call.function, parameter) in tested
    assert tested >= BAD_HERE.keys()
    assert {parameter for _, parameter in tested} >= BAD.keys()


def test_every_function_has_valid_values() -> None:
    assert {name: list(arguments) for name, arguments in VALID.items()} == {
        name: list(call.parameters) for name, call in ALL_CALLS.items()
    }


@pytest.mark.parametrize("function", ALL_CALLS)
def test_refused_by_name_without_its_value(boss: Connection, function: str) -> None:
    """Every bad value of every parameter."""
    with nothing_written(boss):
        for case in cases():
            if case[0].function == function:
                check(boss, case)


def check(boss: Connection, case: tuple[Call[Any], str, Bad]) -> None:
    call, parameter, bad = case
    error = refusal(boss, call, **{parameter: bad.value})
    assert (error.diag.sqlstate, error.diag.message_primary) == (bad.sqlstate, bad.message), case_id(case)
    # A text that PostgreSQL refuses before our function runs has no hint of ours.
    assert error.diag.message_hint or bad.sqlstate != "22023", case_id(case)
    said = " ".join(word for word in words(error) if word)
    assert not [part for part in parts(bad.value) if part in said], case_id(case)


LITERALS = {
    "1.5": "42883",
    "1.0": "42883",
    "true": "42883",
    "2147483648": "42883",
    "'1.5'": "22P02",
    "''": "22P02",
    "'one'": "22P02",
}


@pytest.mark.parametrize("literal", LITERALS)
def test_what_is_no_integer_is_refused_by_postgresql(boss: Connection, literal: str) -> None:
    """By its parser: no such function, or no such number. It is never rounded."""
    grant = f"SELECT docgraph.grant_access('default', 'x', NULL, NULL, NULL, NULL, {literal})"
    configure = f"SELECT docgraph.configure_embedding_space('m', {literal}, 'l2', 'simple', 100)"
    search = f"SELECT docgraph.search_nodes('default', '{{}}', '{{1,0,0,0}}', max_nodes => {literal})"
    limits = [
        f"SELECT docgraph.plan_retrieval('default', '{{}}', seeds => '{{}}', {limit} => {literal})"
        for limit in ("seed_limit", "expanded_per_seed", "max_documents")
    ]
    plan = "docgraph.plan_retrieval('default', '{}', seeds => '{}')"
    limits += [
        f"SELECT docgraph.{function}, '{{1,0,0,0}}', {limit} => {literal})"
        for function, limit in (
            (f"execute_plan('default', '{{}}', {plan}", "max_chunks"),
            (f"assemble_context('default', '{{}}', {plan}", "budget_tokens"),
            (f"retrieve_by_plan('default', '{{}}', {plan}", "max_chars"),
            ("retrieve('default', '{}'", "per_document"),
            ("run_pipeline('default', '{}'", "seed_limit"),
        )
    ]
    limits += [
        f"SELECT docgraph.expand_dependency_tree('default', '{{}}', '{{a}}', {limit} => {literal})"
        for limit in ("max_depth", "max_nodes", "fan_out")
    ]
    limits += [
        f"SELECT docgraph.fetch_node_texts('default', '{{}}', seeds => '{{a}}', {limit} => {literal})"
        for limit in ("max_chars", "budget_tokens")
    ]
    for statement in (grant, configure, search, *limits):
        with nothing_written(boss):
            assert refused(boss, statement).diag.sqlstate == LITERALS[literal]


@pytest.mark.parametrize(
    ("call", "entries", "message"),
    [
        ("list_relationships('default', '{{}}', 'a.md', 'out', after => {})", "x,b", PAIR),
        ("texts_to_reembed(after => {})", "default,1,1", TRIPLE),
    ],
)
def test_what_a_page_begins_behind_counts_from_one(
    boss: Connection, call: str, entries: str, message: str
) -> None:
    """Its entries would be read as others, or as none."""
    length = entries.count(",") + 1
    for first in (1, -1, 0, 2):
        after = f"'[{first}:{first + length - 1}]={{{entries}}}'"
        statement = f"SELECT docgraph.{call.format(after)}"
        if first == 1:
            boss.execute(statement.encode())
            continue
        with nothing_written(boss):
            error = refused(boss, statement)
        assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", message)
        assert error.diag.message_hint


MISCALLED = {
    "one argument too few": "SELECT docgraph.revoke_access('default')",
    "one argument too many": "SELECT docgraph.list_access('default', 'x')",
    "unknown name": "SELECT docgraph.revoke_access(tenant => 'default', user_name => 'somebody')",
    "half a ceiling": "SELECT docgraph.grant_access('default', 'somebody', NULL, clearance => NULL)",
    "json for a list": "SELECT docgraph.grant_access('default', 'x', '[]'::jsonb, NULL, NULL, NULL, NULL)",
    "text for json": "SELECT docgraph.whoami('default', '{}'::text)",
    "integer for text": "SELECT docgraph.whoami(1, '{}')",
    "vector for numbers": "SELECT docgraph.search_nodes('default', '{}', '[1,0,0,0]'::vector)",
    "text for numbers": "SELECT docgraph.search_nodes('default', '{}', '{1,0,0,0}'::text)",
    "json for seeds": "SELECT docgraph.plan_retrieval('default', '{}', seeds => '[]'::jsonb)",
    "no tenant": "SELECT docgraph.plan_retrieval(access => '{}', seeds => '{}')",
    "no claim": "SELECT docgraph.search_nodes('default', query_embedding => '{1,0,0,0}')",
    "a depth": "SELECT docgraph.plan_retrieval('default', '{}', seeds => '{}', max_depth => 1)",
    "vector for a query": "SELECT docgraph.retrieve('default', '{}', '[1,0,0,0]'::vector)",
    "no plan to execute": "SELECT docgraph.execute_plan('default', '{}', query_embedding => '{1,0,0,0}')",
    "text for a plan to execute": "SELECT docgraph.execute_plan('default', '{}', '{}'::text, '{1,0,0,0}')",
    "a depth of execution": "SELECT docgraph.retrieve('default', '{}', '{1,0,0,0}', max_depth => 1)",
    "json for the seeds of a tree": "SELECT docgraph.expand_dependency_tree('default', '{}', '[]'::jsonb)",
    "ids for nodes": "SELECT docgraph.fetch_node_texts('default', '{}', ARRAY['a'], budget_tokens => 1)",
    "no seeds for a tree": "SELECT docgraph.expand_dependency_tree('default', '{}')",
    "text for a plan": "SELECT docgraph.explain_plan('{}'::text)",
}


@pytest.mark.parametrize("miscalled", MISCALLED)
def test_no_such_function(boss: Connection, miscalled: str) -> None:
    with nothing_written(boss):
        assert refused(boss, MISCALLED[miscalled]).diag.sqlstate == "42883"


@pytest.mark.parametrize(
    "function", [name for name, call in ALL_CALLS.items() if "text" in call.parameters.values()]
)
def test_what_is_no_utf8_is_refused_by_postgresql(boss: Connection, function: str) -> None:
    """A broken byte sequence cannot become an id, whatever the client claims to send."""
    call = ALL_CALLS[function]
    for parameter, kind in call.parameters.items():
        if kind != "text":
            continue
        literals = dict.fromkeys(call.parameters, "NULL") | {parameter: r"E'a\xC3\x28'"}
        arguments = ", ".join(f"{name} => {literal}" for name, literal in literals.items())
        with nothing_written(boss):
            assert refused(boss, f"SELECT docgraph.{function}({arguments})").diag.sqlstate == "22021"
