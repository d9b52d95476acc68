"""list_access: the ceilings of one tenant, in the order of the bytes of the logins."""

from __future__ import annotations

import pytest

from docgraph import calls
from docgraph.client import DocGraph
from docgraph.errors import AccessDenied
from tests.conftest import Installed
from tests.sql.asking import Connection, ask, nothing_written


def test_a_tenant_nobody_has_a_ceiling_in_has_no_rows(boss: Connection) -> None:
    assert ask(boss, calls.LIST_ACCESS, tenant="nobody here") == []


def test_logins_come_in_the_order_of_their_bytes(boss: Connection) -> None:
    logins = ["é", "b", "Z", "a", "a b", "ab", "1", "_", '"']
    for login in logins:
        ask(boss, calls.GRANT_ACCESS, tenant="order", login=login)
    found = [ceiling.login for ceiling in ask(boss, calls.LIST_ACCESS, tenant="order")]
    assert found == sorted(logins, key=str.encode)


def test_other_tenants_are_not_listed(boss: Connection) -> None:
    ask(boss, calls.GRANT_ACCESS, tenant="mine", login="x")
    ask(boss, calls.GRANT_ACCESS, tenant="mine ", login="y")
    assert [ceiling.login for ceiling in ask(boss, calls.LIST_ACCESS, tenant="mine")] == ["x"]


def test_listing_writes_nothing(boss: Connection) -> None:
    with nothing_written(boss):
        boss.execute("BEGIN READ ONLY")
        ask(boss, calls.LIST_ACCESS)
        boss.execute("COMMIT")


@pytest.mark.parametrize("role", ["docgraph_reader", "docgraph_writer"])
def test_only_administrators_may(shared: Installed, role: str) -> None:
    login = shared.cluster.login(f"list_{role}", member_of=role)
    shared.grant(login)
    with (
        shared.connect(login) as connection,
        DocGraph(connection) as client,
        pytest.raises(AccessDenied),
    ):
        client.list_access()
