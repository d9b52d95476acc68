from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.conftest import Installed
from tests.servers import Server
from tests.sql.scratch import scratch_database


@pytest.fixture(scope="session")
def installed(server: Server, worker: str, template: str) -> Iterator[Installed]:
    with scratch_database(server, worker, template) as found:
        yield found


@pytest.fixture(scope="session")
def catalogue(installed: Installed) -> Iterator[psycopg.Connection[Any]]:
    """A superuser that reads the catalogue."""
    with installed.connect() as connection:
        yield connection
