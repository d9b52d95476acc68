"""Servers of their own for tests that need a cluster without docgraph's roles, and copies of the checkout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from psycopg import sql

from tests.conftest import Cluster
from tests.migrations.tools import Checkout, copy_checkout
from tests.servers import Server, start_server, temporary_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROLES = ("docgraph_admin", "docgraph_writer", "docgraph_reader", "docgraph_owner")


@pytest.fixture(scope="module")
def other_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A second server of the kind under test; docgraph has never been in it."""
    kind = request.config.getoption("--pg")
    if kind not in {"embedded", "16"}:
        pytest.skip("needs a second server, which only the kinds embedded and 16 give")
    with temporary_home() as home:
        found = start_server(kind, home)
        yield found
        found.stop()


@pytest.fixture
def untouched(other_server: Server) -> Iterator[Cluster]:
    """A cluster in which docgraph's roles do not exist yet."""
    found = Cluster(other_server, "untouched")
    yield found
    found.clean()
    with found.superuser() as connection:
        for role in ROLES:
            connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(role)))


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return copy_checkout(tmp_path / "checkout")
