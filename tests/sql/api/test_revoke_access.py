"""revoke_access: takes one ceiling away, and says whether there was one."""

from __future__ import annotations

import pytest

from docgraph import calls
from docgraph.client import DocGraph
from docgraph.errors import AccessDenied
from tests.conftest import Installed
from tests.sql.asking import Connection, ask, contents, nothing_written, refusal


def test_true_if_there_was_one_false_if_not(boss: Connection) -> None:
    ask(boss, calls.GRANT_ACCESS, tenant="once")
    assert ask(boss, calls.REVOKE_ACCESS, tenant="once") is True
    assert ask(boss, calls.LIST_ACCESS, tenant="once") == []
    with nothing_written(boss):
        assert ask(boss, calls.REVOKE_ACCESS, tenant="once") is False


def test_others_keep_theirs(boss: Connection) -> None:
    kept = [("t", "Somebody"), ("t", "somebody else"), ("t ", "somebody"), ("T", "somebody")]
    for tenant, login in kept:
        ask(boss, calls.GRANT_ACCESS, tenant=tenant, login=login)
    before = contents(boss)
    ask(boss, calls.GRANT_ACCESS, tenant="t")
    ask(boss, calls.REVOKE_ACCESS, tenant="t")
    assert contents(boss) == before


def test_the_very_next_call_is_denied(shared: Installed, boss: Connection) -> None:
    login = shared.reader("revoke_reader", "next")
    with shared.connect(login) as connection:
        connection.execute("BEGIN")
        ask(connection, calls.WHOAMI, tenant="next")
        ask(boss, calls.REVOKE_ACCESS, tenant="next", login=login)
        assert refusal(connection, calls.WHOAMI, tenant="next").diag.sqlstate == "42501"


def test_a_ceiling_outlives_its_role_and_can_be_taken_away(shared: Installed, boss: Connection) -> None:
    shared.reader("short_lived", "outlived")
    shared.cluster.logins.remove("short_lived")
    boss.execute("DROP ROLE short_lived")
    assert [c.login for c in ask(boss, calls.LIST_ACCESS, tenant="outlived")] == ["short_lived"]
    assert ask(boss, calls.REVOKE_ACCESS, tenant="outlived", login="short_lived") is True


@pytest.mark.parametrize("role", ["docgraph_reader", "docgraph_writer"])
def test_only_administrators_may(shared: Installed, boss: Connection, role: str) -> None:
    login = shared.cluster.login(f"revoke_{role}", member_of=role)
    ask(boss, calls.GRANT_ACCESS, tenant="kept")
    before = contents(boss)
    with shared.connect(login) as connection, DocGraph(connection) as client, pytest.raises(AccessDenied):
        client.revoke_access("somebody", tenant="kept")
    assert contents(boss) == before
