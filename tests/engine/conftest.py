from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg
import pytest

from docgraph.embedded import EmbeddedServer
from docgraph.errors import EmbeddedServerError
from tests.servers import FAST, Server, start_server, temporary_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def home() -> Iterator[Path]:
    """The place for one embedded server, not made yet."""
    with temporary_home() as path:
        try:
            yield path
        finally:
            with suppress(EmbeddedServerError):
                EmbeddedServer(path).stop()


@pytest.fixture
def made(home: Path) -> Path:
    """The home of a server that does not run."""
    EmbeddedServer(home, settings=FAST).start().release()
    return home


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Not the one of all other tests: these may stop it."""
    with temporary_home() as home:
        found = start_server("embedded", home)
        yield found
        found.stop()


@pytest.fixture
def dsn(server: Server) -> Iterator[str]:
    """A database with an empty table t, for one test."""
    with psycopg.connect(server.conninfo(), autocommit=True) as conn:
        conn.execute("DROP DATABASE IF EXISTS scratch WITH (FORCE)")
        conn.execute("CREATE DATABASE scratch")
    with psycopg.connect(server.conninfo("scratch")) as scratch:
        scratch.execute("CREATE TABLE t (x int)")
    yield server.conninfo("scratch")
    assert server.embedded
    server.embedded.ensure()


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DOCGRAPH_DATABASE_URL", "DOCGRAPH_HOME"):
        monkeypatch.delenv(name, raising=False)
