"""A server that a test may disturb, and databases to load into."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psycopg

from docgraph import migrate
from docgraph.access import Ceiling
from docgraph.client import DocGraph
from docgraph.embedded import EmbeddedServer
from tests.conftest import SPACE
from tests.ingest.loading import Rows, before, load, put_all
from tests.ingest.rows import stored
from tests.servers import temporary_home


@dataclass(frozen=True)
class Place:
    """The server, and what a database holds before the load and after one that was not disturbed."""

    server: EmbeddedServer
    old: Rows
    new: Rows

    def database(self, name: str, tablespace: str = "pg_default") -> str:
        """A new database as it is when the load begins; its conninfo."""
        return _database(self.server, name, f'TEMPLATE before STRATEGY WAL_LOG TABLESPACE "{tablespace}"')

    def superuser(self) -> psycopg.Connection[tuple[object, ...]]:
        """Beside the databases that are disturbed."""
        return psycopg.connect(self.server.conninfo_for("postgres"), autocommit=True)

    def wait_until_alone(self, name: str) -> None:
        """A backend notices late that its client is gone; what it does until then may still commit."""
        deadline = time.monotonic() + 30
        with self.superuser() as connection:
            while connection.execute(
                "SELECT FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'", [name]
            ).fetchone():
                assert time.monotonic() < deadline
                time.sleep(0.01)

    def drop(self, name: str) -> None:
        with self.superuser() as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _database(server: EmbeddedServer, name: str, how: str) -> str:
    with psycopg.connect(server.conninfo_for("postgres"), autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}" {how}')
    return server.conninfo_for(name)


@contextmanager
def server_of_its_own(settings: Mapping[str, str]) -> Iterator[Place]:
    """Stopped and removed at the end."""
    with temporary_home() as home:
        server = EmbeddedServer(home, settings=settings).start()
        try:
            first = _database(server, "before", "")
            migrate.upgrade(first)
            with DocGraph(first) as client:
                client.configure_embedding_space(SPACE)
                client.grant_access(Ceiling("postgres", None, None, None, None, None))
                put_all(client, before())
            second = _database(server, "after", "TEMPLATE before STRATEGY WAL_LOG")
            with DocGraph(second) as client:
                put_all(client, load())
            yield Place(server, stored(first), stored(second))
        finally:
            with suppress(Exception):
                server.stop()
