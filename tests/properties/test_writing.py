"""Whatever is written in whatever order by whomever: reports and answers are those of the model."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph import calls
from docgraph.access import Ceiling
from tests.conftest import EVERYTHING
from tests.properties.database import Asked
from tests.properties.library import Library
from tests.properties.model import Attributes, Claim, World
from tests.properties.operations import (
    IDS,
    TENANT,
    Operation,
    as_login,
    by_database,
    by_model,
    compare,
    operations,
)
from tests.properties.worlds import LOGINS, ceilings, claims, mostly
from tests.sql.asking import Connection
from tests.sql.writing import text_of


@pytest.fixture(scope="module", autouse=True)
def _writers(asked: Asked) -> None:
    for login in LOGINS:
        asked.superuser.execute(f'GRANT docgraph_writer TO "{login}"'.encode())


def grant(superuser: Connection, world: World) -> None:
    for (tenant, _), ceiling in world.ceilings.items():
        calls.fetch(superuser, calls.grant_access(tenant, ceiling))


@st.composite
def communities(draw: st.DrawFn) -> World:
    """Ceilings in one tenant: of each login one, and most may see all."""
    free = {login: Ceiling(login, *EVERYTHING) for login in LOGINS}
    found = {login: draw(mostly(free[login], ceilings(login))) for login in LOGINS}
    return World(ceilings={(TENANT, login): ceiling for login, ceiling in found.items()})


@cache
def wide() -> st.SearchStrategy[Claim]:
    """Claims that see something, most of the time."""
    everything = {"tags": ["a", "A", "b", "é"], "labels": ["a", "b"], "clearance": 3}
    return mostly(everything, st.just({"tags": ["a"]}) | claims())


Step = tuple[str, Claim, Operation]

steps = st.tuples(st.sampled_from(LOGINS), wide(), operations())
plans = st.lists(steps, min_size=16, max_size=16)
"""Long: it takes several documents that are there before a call can go wrong."""


@given(
    world=communities(), plan=st.lists(steps, min_size=4, max_size=12), readers=st.lists(wide(), max_size=2)
)
def test_the_database_agrees_with_the_model(
    asked: Asked, world: World, plan: list[Step], readers: list[Claim]
) -> None:
    agree(asked, world, plan, readers)


def classes(superuser: Connection) -> set[Attributes]:
    """What the access classes of the tenant ask for: one for what its documents ask for, and none beside."""
    rows = superuser.execute(
        "SELECT repository, snapshot, tags, labels, clearance FROM docgraph.access_classes"
        " WHERE tenant_id = %s",
        (TENANT,),
    ).fetchall()
    found = {
        Attributes(repository, snapshot, frozenset(tags), frozenset(labels), clearance)
        for repository, snapshot, tags, labels, clearance in rows
    }
    assert len(found) == len(rows)
    return found


def agree(asked: Asked, world: World, plan: list[Step], readers: list[Claim]) -> None:
    superuser, library = asked.superuser, Library()
    with superuser.transaction(force_rollback=True):
        grant(superuser, world)
        for login, claim, operation in plan:
            held = world.held(login, TENANT, claim)
            assert held is not None
            with as_login(superuser, login):
                assert by_database(superuser, operation, claim) == by_model(library, operation, held)
        stored = superuser.execute(
            """
            SELECT from_document, relation_type, to_document, declared, inferred
            FROM docgraph.document_relationships WHERE tenant_id = %s
            """,
            (TENANT,),
        ).fetchall()
        assert {row[:3]: row[3:] for row in stored} == {
            edge: (link.declared, link.inferred) for edge, link in library.edges().items()
        }
        assert classes(superuser) == {each.attributes for each in library.documents.values()}
        for login in LOGINS:
            for claim in ({}, *readers):
                held = world.held(login, TENANT, claim)
                assert held is not None
                with as_login(superuser, login):
                    compare(superuser, library, held, claim)


HIDDEN_IDS = ["h", "H", "hidden"]
HIDDEN = st.fixed_dictionaries(
    {"labels": st.just(["nobody claims it"])}, optional={"clearance": st.integers(0, 3)}
)


def everything_said(connection: Connection, operation: Operation, claim: Claim) -> Any:
    """As the database writes it; of a refusal all its words."""
    found = by_database(connection, operation, claim)
    if isinstance(found, str):
        return found
    return repr(found)


def transcript(
    superuser: Connection, login: str, claim: Claim, plan: list[tuple[bool, Operation]], with_hidden: bool
) -> list[Any]:
    """Everything that a login is told while it writes, and what it sees in the end."""
    said: list[Any] = []
    for hidden, operation in plan:
        if not hidden:
            with as_login(superuser, login):
                said.append(everything_said(superuser, operation, claim))
        elif with_hidden:
            by_database(superuser, operation, {"labels": ["nobody claims it"], "tags": ["a"], "clearance": 3})
    with as_login(superuser, login):
        asked: dict[str, Any] = {"tenant": TENANT, "access": dict(claim)}
        said.append(text_of(superuser, "list_documents", **asked))
        for document in [*IDS, *HIDDEN_IDS]:
            said.append(text_of(superuser, "get_document", document=document, **asked))
            for direction in ("in", "out"):
                more = {"document": document, "direction": direction}
                said.append(text_of(superuser, "list_relationships", **more, **asked))
        unchanged = [{"id": document} for document in IDS]
        probe = Operation("", "unchanged_documents", "documents", unchanged)
        said.append(everything_said(superuser, probe, claim))
    return said


@settings(max_examples=30)
@given(
    world=communities(),
    login=st.sampled_from(LOGINS),
    claim=wide(),
    plan=st.lists(
        st.tuples(st.just(False), operations()) | st.tuples(st.just(True), operations(HIDDEN_IDS, HIDDEN)),
        min_size=16,
        max_size=16,
    ),
)
def test_what_is_hidden_alters_no_answer(
    asked: Asked, world: World, login: str, claim: Claim, plan: list[tuple[bool, Operation]]
) -> None:
    """Somebody else writes, changes and deletes what this login may not see; it is told the same."""
    superuser = asked.superuser
    told = []
    for with_hidden in (False, True):
        with superuser.transaction(force_rollback=True):
            grant(superuser, world)
            calls.fetch(
                superuser, calls.grant_access(TENANT, Ceiling("postgres", None, None, None, None, None))
            )
            told.append(transcript(superuser, login, claim, plan, with_hidden))
    assert told[0] == told[1]
