"""What is no plan is refused by every function that takes one, with its place and without its values."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph import AsyncDocGraph, DocGraph, calls
from docgraph.errors import InvalidArgument
from tests.conftest import Installed
from tests.sql.api.bad_kinds import SECRET
from tests.sql.api.bad_plans import NO_PLANS, NOT_OBJECT, refusing
from tests.sql.asking import ALL_CALLS, PLAN, Connection, ask, nothing_written, refusal, refused, words

REFUSING = ["plan_documents", "explain_plan", "seal_plan"]


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_written(boss: Connection) -> Iterator[None]:
    with nothing_written(boss):
        yield


@pytest.mark.parametrize(("message", "value"), [case[1:] for case in NO_PLANS], ids=[c[0] for c in NO_PLANS])
def test_refused_with_its_place_and_without_its_value(boss: Connection, message: str, value: Any) -> None:
    text = json.dumps(value)
    for function in refusing(message):
        error = refusal(boss, ALL_CALLS[function], plan=text)
        assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", message)
        assert error.diag.message_hint
        assert SECRET not in repr(words(error))
    check = ask(boss, ALL_CALLS["verify_plan"], plan=text)
    assert (check.well_formed, check.problem) == (False, message)
    assert {check.hash_holds, check.same_embedding_space, check.same_revision, check.edited} == {None}


def test_seal_plan_sets_the_hash_and_the_mark_whatever_they_were(boss: Connection) -> None:
    mended = [value for _, message, value in NO_PLANS if "seal_plan" not in refusing(message)]
    assert len(mended) == 15
    assert {ask(boss, calls.SEAL_PLAN, plan=json.dumps(value)) for value in mended} == {
        ask(boss, calls.SEAL_PLAN)
    }


@pytest.mark.parametrize(
    ("function", "message"),
    [*((name, "plan must be an object") for name in REFUSING), ("verify_plan", "plan must not be null")],
)
def test_null(boss: Connection, function: str, message: str) -> None:
    error = refusal(boss, ALL_CALLS[function], plan=None)
    assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", message)
    assert error.diag.message_hint


@pytest.mark.parametrize("function", [*REFUSING, "verify_plan"])
@pytest.mark.parametrize("key", ["plan", "seed_documents", "constraints"])
def test_what_is_no_jsonb_is_refused_by_postgresql(boss: Connection, function: str, key: str) -> None:
    deep = "[" * 20_000 + "]" * 20_000
    for value, state in (
        (r'{"a": "\u0000"}', "22P05"),
        (r'"\ud800"', "22P02"),
        (deep, "54001"),
        ("NaN", "22P02"),
    ):
        text = value if key == "plan" else PLAN.replace(f'"{key}": ', f'"{key}": {value}, "x": ', 1)
        assert refusal(boss, ALL_CALLS[function], plan=text).diag.sqlstate == state


@pytest.mark.parametrize("function", [*REFUSING, "verify_plan"])
def test_json_as_deep_as_postgresql_takes_it(boss: Connection, function: str) -> None:
    """An unknown key, whatever is in it."""
    for levels in (100, 5000):
        text = PLAN.replace('"format"', '"deep": ' + "[" * levels + "]" * levels + ', "format"', 1)
        if function == "verify_plan":
            assert ask(boss, ALL_CALLS[function], plan=text).problem == "plan has an unknown key"
        else:
            error = refusal(boss, ALL_CALLS[function], plan=text)
            assert error.diag.message_primary == "plan has an unknown key"


@pytest.mark.parametrize("function", [*REFUSING, "verify_plan"])
def test_no_such_function(boss: Connection, function: str) -> None:
    for arguments in ("", "'{}'::text", "'{}'::json", "'{}', '{}'", "document => '{}'"):
        assert refused(boss, f"SELECT docgraph.{function}({arguments})").diag.sqlstate == "42883"


def python_cases() -> list[tuple[str, Any]]:
    """As a client takes them: what is neither an object nor a list it refuses by itself."""
    return [
        (message if isinstance(value, (dict, list)) else "plan must be an object or a list", value)
        for _, message, value in NO_PLANS
        if value is not None
    ]


def test_sync(shared_client: DocGraph) -> None:
    for message, value in python_cases():
        for function in refusing(message):
            with pytest.raises(InvalidArgument) as caught:
                getattr(shared_client, function)(value)
            assert caught.value.message.startswith(message)
            assert caught.value.hint
            assert SECRET not in str(caught.value)
        if isinstance(value, (dict, list)):
            assert shared_client.verify_plan(value).problem == message  # type: ignore[arg-type]  # what is refused


def test_async(shared: Installed) -> None:
    async def ask_all() -> None:
        async with AsyncDocGraph(shared.conninfo) as client:
            for message, value in python_cases()[::3]:
                for function in refusing(message):
                    with pytest.raises(InvalidArgument) as caught:
                        await getattr(client, function)(value)
                    assert caught.value.message.startswith(message)
            assert (await client.verify_plan(json.loads(PLAN))).well_formed  # the next call works

    asyncio.run(ask_all())


@pytest.mark.parametrize("function", [*REFUSING, "verify_plan"])
def test_none_and_other_types_from_python(shared_client: DocGraph, function: str) -> None:
    method: Any = getattr(shared_client, function)
    with pytest.raises(InvalidArgument, match="plan must"):
        method(None)
    for value in [*NOT_OBJECT[1:4], PLAN, b"{}", 1.5, {"a"}]:
        with pytest.raises(InvalidArgument, match="plan must be an object or a list, not"):
            method(value)
