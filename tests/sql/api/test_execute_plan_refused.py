"""What execution refuses: what is no plan, one that was changed, and one that is of somewhere else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph import AsyncDocGraph, DocGraph, calls
from docgraph.errors import AccessDenied, DocgraphError, EmbeddingSpaceInUse, InvalidArgument
from tests.conftest import Installed
from tests.sql.api.bad_kinds import SECRET
from tests.sql.api.bad_plans import CONSTANTS, NO_PLANS
from tests.sql.api.evidenced import EVERYTHING
from tests.sql.api.test_plan_tampered import CHANGES, NOT_ITS_HASH, change
from tests.sql.asking import ALL_CALLS, PLAN, Connection, ask, nothing_written, refusal, words
from tests.sql.planning import NORTH, Plan, changed, sealed

EXECUTING = ["execute_plan", "assemble_context", "retrieve_by_plan"]
OURS = '{"model": "test-model", "metric": "cosine", "dimensions": 4}'


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_written(shared: Installed, boss: Connection) -> Iterator[None]:
    shared.reader("without_elsewhere")
    ask(boss, calls.GRANT_ACCESS, tenant="elsewhere", login=boss.info.user, **EVERYTHING)
    with nothing_written(boss):
        yield


def refused_by_all(connection: Connection, made: Any, **more: Any) -> tuple[str | None, ...]:
    """SQLSTATE, message, detail and hint, which are the same from every function that executes."""
    text = made if isinstance(made, str) else json.dumps(made)
    errors = [refusal(connection, ALL_CALLS[name], plan=text, **more) for name in EXECUTING]
    assert {words(error)[:4] for error in errors} == {words(errors[0])[:4]}
    assert SECRET not in repr([words(error) for error in errors])
    return words(errors[0])[:4]


@pytest.mark.parametrize(("message", "value"), [case[1:] for case in NO_PLANS], ids=[c[0] for c in NO_PLANS])
def test_what_is_no_plan(boss: Connection, message: str, value: Any) -> None:
    """With its place and without its value, also where its hash holds."""
    each = sealed(value) if isinstance(value, dict) and "plan_hash" not in message else value
    state, found, detail, hint = refused_by_all(boss, json.dumps(each))
    assert (state, found, detail) == ("22023", message, None)
    assert hint


def test_no_plan_at_all(boss: Connection) -> None:
    assert refused_by_all(boss, "null")[:2] == ("22023", "plan must be an object")
    for name in EXECUTING:
        error = refusal(boss, ALL_CALLS[name], plan=None)
        assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", "plan must be an object")


@pytest.mark.parametrize(
    "constraint",
    [
        {"max_relationship_depth": 2},
        {"max_relationship_depth": 0},
        {"traversal_enabled": True},
        {"direction": "incoming"},
    ],
)
def test_another_depth_or_direction(boss: Connection, constraint: dict[str, Any]) -> None:
    made = json.loads(PLAN)
    made["constraints"] |= constraint
    assert refused_by_all(boss, sealed(made))[:2] == ("22023", CONSTANTS)


def test_a_second_step_in_disguise(boss: Connection) -> None:
    """A document that comes from what a seed brought in, and not from a seed."""
    made = sealed(changed("expanded_documents.1.via.0.from", "c.md"))
    message = "plan.expanded_documents[1].via must come from other seeds of the plan"
    assert refused_by_all(boss, made)[:2] == ("22023", message)


@pytest.mark.parametrize("path", CHANGES)
def test_a_change_after_the_seal(boss: Connection, path: str) -> None:
    state, message, _, hint = refused_by_all(boss, change(path))
    assert (state, message) == ("22023", NOT_ITS_HASH)
    assert "seal_plan" in str(hint)


def test_another_format(boss: Connection) -> None:
    state, message, _, hint = refused_by_all(boss, sealed(changed("format", 2)))
    assert (state, message) == ("22023", "plan.format must be 1")
    assert "make it again" in str(hint)


@pytest.mark.parametrize("levels", [5000, 20_000])
def test_json_of_very_many_levels(boss: Connection, levels: int) -> None:
    deep = "[" * levels + "]" * levels
    state, message = refused_by_all(boss, PLAN.replace('"format"', f'"deep": {deep}, "format"', 1))[:2]
    expected = (
        ("22023", "plan has an unknown key") if levels == 5000 else ("54001", "stack depth limit exceeded")
    )
    assert (state, message) == expected


class TestAnotherTenant:
    MESSAGE = "plan is of another tenant than the call"

    def test_a_plan_of_it(self, boss: Connection) -> None:
        """In whichever of the two it is executed; how the tenant is spelt counts."""
        for theirs in ("elsewhere", "Default", "default ", "nowhere"):
            made = sealed(changed("scope.tenant", theirs))
            assert refused_by_all(boss, made)[:2] == ("22023", self.MESSAGE)
        assert refused_by_all(boss, PLAN, tenant="elsewhere")[:2] == ("22023", self.MESSAGE)

    def test_who_has_no_ceiling_is_told_nothing_of_a_plan(self, shared: Installed) -> None:
        """The tenant is asked for first, and an unknown one reads the same."""
        with shared.connect("without_elsewhere") as connection:
            said = {
                refused_by_all(connection, made, tenant=tenant)
                for tenant in ("elsewhere", "nowhere")
                for made in (PLAN, "{}", sealed(changed("scope.tenant", tenant)))
            }
        ((state, *_),) = said
        assert state == "42501"


class TestAnotherEmbeddingSpace:
    @pytest.mark.parametrize(
        ("key", "value"), [("model", "their-model"), ("dimensions", 5), ("metric", "l2")]
    )
    def test_is_refused_and_both_are_named(self, boss: Connection, key: str, value: Any) -> None:
        made = sealed(changed(f"made_by.embedding_space.{key}", value))
        theirs = {"model": "test-model", "metric": "cosine", "dimensions": 4} | {key: value}
        state, message, _, hint = refused_by_all(boss, made)
        named = f"plan is of the embedding space {json.dumps(theirs)}, and this database is of {OURS}"
        assert (state, message) == ("KG001", named)
        assert "Make the plan again" in str(hint)

    def test_a_plan_that_names_none_is_of_every_space(self, boss: Connection) -> None:
        made = json.dumps(sealed(changed("made_by.embedding_space", None)))
        for name in EXECUTING:
            ask(boss, ALL_CALLS[name], plan=made)

    def test_no_space_is_recorded(self, undone: Connection) -> None:
        undone.execute("DELETE FROM docgraph.embedding_space")
        for made in (json.loads(PLAN), sealed(changed("made_by.embedding_space", None))):
            state, message, _, hint = refused_by_all(undone, made)
            assert (state, message) == ("KG003", "this database has no embedding space yet")
            assert hint


def python_cases() -> list[tuple[type[DocgraphError], str, Any]]:
    space = sealed(changed("made_by.embedding_space.model", "their-model"))
    return [
        (InvalidArgument, CONSTANTS, sealed(changed("constraints.max_relationship_depth", 2))),
        (InvalidArgument, NOT_ITS_HASH, changed("omitted", 9)),
        (InvalidArgument, "plan.format must be 1", sealed(changed("format", 2))),
        (InvalidArgument, TestAnotherTenant.MESSAGE, sealed(changed("scope.tenant", "elsewhere"))),
        (EmbeddingSpaceInUse, f"and this database is of {OURS}", space),
    ]


METHODS = {name: {"query_embedding": NORTH} for name in EXECUTING} | {"execute": {"embedding": NORTH}}
METHODS["assemble_context"]["budget_tokens"] = 9  # type: ignore[assignment]  # a table of any values


@pytest.mark.parametrize("method", METHODS)
def test_from_python(shared_client: DocGraph, method: str) -> None:
    call: Any = getattr(shared_client, method)
    for kind, message, made in python_cases():
        with pytest.raises(kind) as caught:
            call(made, **METHODS[method])
        assert caught.value.message.endswith(message)
        assert caught.value.hint
    with pytest.raises(AccessDenied):
        call(json.loads(PLAN), tenant="nowhere", **METHODS[method])


@pytest.mark.parametrize("method", METHODS)
def test_from_python_without_waiting(shared: Installed, method: str) -> None:
    async def ask_all() -> None:
        async with AsyncDocGraph(shared.conninfo) as client:
            call: Any = getattr(client, method)
            for kind, message, made in python_cases():
                with pytest.raises(kind) as caught:
                    await call(made, **METHODS[method])
                assert caught.value.message.endswith(message)
            await call(json.loads(PLAN), **METHODS[method])  # the next call works

    asyncio.run(ask_all())


def test_a_plan_that_says_nothing_of_the_hash_is_none(boss: Connection) -> None:
    made: Plan = {key: value for key, value in json.loads(PLAN).items() if key != "plan_hash"}
    assert refused_by_all(boss, made)[0] == "22023"
