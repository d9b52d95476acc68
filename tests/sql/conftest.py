from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from docgraph.client import DocGraph
from tests.conftest import Installed
from tests.servers import Server
from tests.sql.scratch import scratch_database


@pytest.fixture(scope="module")
def shared(server: Server, worker: str, template: str) -> Iterator[Installed]:
    """One database for all tests of a module."""
    with scratch_database(server, worker, template) as found:
        yield found


@pytest.fixture(scope="module")
def boss(shared: Installed) -> Iterator[psycopg.Connection[Any]]:
    """The superuser in the shared database."""
    with shared.connect() as connection:
        yield connection


@pytest.fixture
def undone(boss: psycopg.Connection[Any]) -> Iterator[psycopg.Connection[Any]]:
    """The superuser in the shared database, in a transaction that is rolled back when the test ends."""
    with boss.transaction(force_rollback=True):
        yield boss


@pytest.fixture(scope="module")
def shared_client(shared: Installed) -> Iterator[DocGraph]:
    """The Python client in the shared database."""
    with DocGraph(shared.conninfo) as found:
        yield found
