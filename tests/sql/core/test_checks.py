"""check_tenant, check_login, check_ceiling_list: what they just accept. What they refuse is in ../api."""

from __future__ import annotations

import pytest

from tests.sql.asking import Connection


@pytest.mark.parametrize("tenant", ["x", " ", "é" * 256, "x" * 512])
def test_tenants(boss: Connection, tenant: str) -> None:
    boss.execute("SELECT docgraph.check_tenant(%s)", (tenant,))


@pytest.mark.parametrize("login", ["x", " ", "x" * 63, "é" * 31])
def test_logins(boss: Connection, login: str) -> None:
    boss.execute("SELECT docgraph.check_login(%s)", (login,))


@pytest.mark.parametrize("entries", [None, [], [""], ["x" * 512], ["a", "a"], ["x"] * 1000])
def test_ceiling_lists(boss: Connection, entries: list[str] | None) -> None:
    boss.execute("SELECT docgraph.check_ceiling_list('tags', %s)", (entries,))
