"""grant_access: one ceiling for each tenant and login, replaced as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import calls
from docgraph.access import Ceiling
from docgraph.client import DocGraph
from docgraph.errors import AccessDenied
from tests.conftest import Installed
from tests.sql.asking import Connection, ask, contents


def ceilings(connection: Connection, tenant: str) -> list[Ceiling]:
    return ask(connection, calls.LIST_ACCESS, tenant=tenant)


def test_what_is_granted_is_listed(shared_client: DocGraph) -> None:
    ceiling = Ceiling("g1", ("a", "b"), (), None, ("l",), 3)
    shared_client.grant_access(ceiling, tenant="listed")
    assert shared_client.list_access(tenant="listed") == [ceiling]


def test_null_is_all_and_an_empty_list_is_none(boss: Connection) -> None:
    nothing = {"repositories": [], "snapshots": [], "tags": [], "labels": [], "clearance": 0}
    ask(boss, calls.GRANT_ACCESS, tenant="kinds", login="all", **dict.fromkeys(nothing))
    ask(boss, calls.GRANT_ACCESS, tenant="kinds", login="none", **nothing)
    assert ceilings(boss, "kinds") == [
        Ceiling("all", None, None, None, None, None),
        Ceiling("none", (), (), (), (), 0),
    ]


def test_the_same_again_changes_nothing(boss: Connection) -> None:
    ask(boss, calls.GRANT_ACCESS, tenant="again")
    before = contents(boss)
    ask(boss, calls.GRANT_ACCESS, tenant="again")
    assert contents(boss) == before


def test_the_order_and_repetition_of_entries_do_not_matter(boss: Connection) -> None:
    ask(boss, calls.GRANT_ACCESS, tenant="order", tags=["b", "é", "a", "B", "b", ""])
    assert ceilings(boss, "order")[0].tags == ("", "B", "a", "b", "é")


@pytest.mark.parametrize("kind", ["repositories", "snapshots", "tags", "labels", "clearance"])
def test_a_new_ceiling_replaces_every_kind_of_the_old_one(boss: Connection, kind: str) -> None:
    """Nothing of the old one is kept, NULL included: otherwise a narrowing could leave a kind wide open."""
    values: tuple[Any, ...] = {"clearance": (None, 5, 0)}.get(kind, (None, ["x"], []))
    for value in (*values, *reversed(values)):
        ask(boss, calls.GRANT_ACCESS, tenant=f"replace {kind}", **{kind: value})
        expected = tuple(value) if isinstance(value, list) else value
        (found,) = ceilings(boss, f"replace {kind}")
        assert getattr(found, kind) == expected


def test_ceilings_of_other_logins_and_tenants_stay(boss: Connection) -> None:
    for tenant, login in (("t1", "x"), ("t1", "X"), ("t1 ", "x")):
        ask(boss, calls.GRANT_ACCESS, tenant=tenant, login=login, clearance=1)
    ask(boss, calls.GRANT_ACCESS, tenant="t1", login="x", clearance=9)
    assert [(c.login, c.clearance) for c in ceilings(boss, "t1")] == [("X", 1), ("x", 9)]
    assert [(c.login, c.clearance) for c in ceilings(boss, "t1 ")] == [("x", 1)]


def test_a_ceiling_may_come_before_the_role(shared: Installed, boss: Connection) -> None:
    ask(boss, calls.GRANT_ACCESS, tenant="early", login="not_there_yet", tags=None)
    login = shared.cluster.login("not_there_yet", member_of="docgraph_reader")
    with shared.connect(login) as connection:
        assert ask(connection, calls.WHOAMI, tenant="early", access='{"tags": ["x"]}').tags == ("x",)


def test_the_longest_names_are_accepted(boss: Connection) -> None:
    tenant, login, entry = "é" * 256, "é" * 31 + "x", "é" * 256
    ask(boss, calls.GRANT_ACCESS, tenant=tenant, login=login, tags=[entry], clearance=32767)
    assert ceilings(boss, tenant) == [Ceiling(login, ("r",), None, (entry,), (), 32767)]


def test_a_thousand_entries_are_accepted(boss: Connection) -> None:
    entries = [f"{number:0512}" for number in range(1000)]
    ask(boss, calls.GRANT_ACCESS, tenant="thousand", labels=entries)
    assert ceilings(boss, "thousand")[0].labels == tuple(entries)


def test_the_very_next_call_has_the_new_ceiling(shared: Installed, boss: Connection) -> None:
    """Also inside a transaction that was open before, at PostgreSQL's default isolation level."""
    login = shared.reader("grant_reader", "next", clearance=1)
    with shared.connect(login) as connection:
        connection.execute("BEGIN")
        for ceiling, expected in ((1, 1), (5, 5), (0, 0), (None, 9)):
            ask(boss, calls.GRANT_ACCESS, tenant="next", login=login, clearance=ceiling)
            assert (
                ask(connection, calls.WHOAMI, tenant="next", access='{"clearance": 9}').clearance == expected
            )


@pytest.mark.parametrize("role", ["docgraph_reader", "docgraph_writer"])
def test_only_administrators_may(shared: Installed, boss: Connection, role: str) -> None:
    login = shared.cluster.login(f"grant_{role}", member_of=role)
    with shared.connect(login) as connection, DocGraph(connection) as client:
        before = contents(boss)
        with pytest.raises(AccessDenied):
            client.grant_access(Ceiling(login, None, None, None, None, None))
        assert contents(boss) == before


def test_an_administrator_may_without_a_ceiling_of_its_own(shared: Installed) -> None:
    login = shared.cluster.login("grant_admin", member_of="docgraph_admin")
    with shared.connect(login) as connection, DocGraph(connection) as client:
        ceiling = Ceiling("somebody", None, None, (), (), 0)
        client.grant_access(ceiling, tenant="by admin")
        assert client.list_access(tenant="by admin") == [ceiling]
        with pytest.raises(AccessDenied):
            client.whoami(tenant="by admin")
