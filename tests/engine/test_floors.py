"""Servers that are too old, and servers that should be updated."""

from __future__ import annotations

import asyncio
import warnings
from typing import TYPE_CHECKING

import psycopg
import pytest

from docgraph import engine
from docgraph.embedded import EmbeddedServer
from docgraph.engine import AsyncDatabase, Database, migration_engine
from docgraph.errors import ServerUnsupported
from docgraph.floors import ServerVersionWarning, check_versions
from tests.engine.databases import INSERT, ask
from tests.servers import FAST, bin_dir_16

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("server_version", "vector", "error"),
    [
        (140022, None, "PostgreSQL 14.22 is too old"),
        (90624, None, "PostgreSQL 9.624 is too old"),
        (180007, "0.8.3", "0.8.3 is too old"),
        (180007, "0.8.1", "CVE-2026-3172"),
        (180007, "0.7", "0.7 is too old"),
    ],
)
def test_versions_that_are_too_old(server_version: int, vector: str | None, error: str) -> None:
    with pytest.raises(ServerUnsupported, match=error) as caught:
        check_versions(server_version, vector)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("server_version", "warns"),
    [(150019, True), (150020, False), (160015, True), (160016, False), (170011, True), (170012, False),
     (180006, True), (180007, False), (190000, False)],
)  # fmt: skip
def test_versions_that_are_accepted(server_version: int, warns: bool) -> None:
    for vector in (None, "0.8.4", "0.8.10", "0.9.0", "1.0", "0.8.4-dev"):
        found = check_versions(server_version, vector)
        assert bool(found) == warns
        assert not found or ("CVE-2026-6460" in found and str(server_version // 10_000) in found)
        assert check_versions(server_version, vector, "UTF8", True) is None


def test_an_old_pgvector_in_the_database(dsn: str) -> None:
    with psycopg.connect(dsn) as conn:
        conn.execute("CREATE EXTENSION vector")
        conn.execute("UPDATE pg_extension SET extversion = '0.8.1' WHERE extname = 'vector'")
    with Database(dsn) as database:
        for _ in range(2):
            with pytest.raises(ServerUnsupported, match=r"pgvector\) 0\.8\.1 is too old"):
                ask(database)
    with psycopg.connect(dsn) as conn:
        conn.execute(INSERT)
        with pytest.raises(ServerUnsupported):
            ask(Database(conn))
        assert conn.execute("SELECT count(*) FROM t").fetchone() == (1,)

    async def check() -> None:
        async with AsyncDatabase(dsn) as database:
            with pytest.raises(ServerUnsupported):
                async with database.connection():
                    pass

    asyncio.run(check())
    with pytest.raises(ServerUnsupported), migration_engine(dsn):
        pass


def test_versions_are_asked_for_once(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(engine, "check_versions", lambda *versions: asked.append(versions))
    with Database(dsn) as database:
        for _ in range(3):
            ask(database)
    assert len(asked) == 1


def test_a_release_with_known_holes(home: Path) -> None:
    if bin_dir_16() is None:
        pytest.skip("no other PostgreSQL here")
    open_to_others = {**FAST, "unix_socket_permissions": "0770"}
    server = EmbeddedServer(home, bin_dir=bin_dir_16(), settings=open_to_others).start()
    with Database(server.conninfo) as database:
        with pytest.warns(ServerVersionWarning, match=r"PostgreSQL 16\.\d+ has known security holes"):
            ask(database)
        with warnings.catch_warnings(record=True, action="always") as again:
            ask(database)
        assert not again
    server.stop()


@pytest.mark.parametrize("by", ["home", "url"])
def test_of_the_embedded_server_nobody_is_warned(home: Path, by: str) -> None:
    """Its release comes with its wheel, and only the user who runs it gets in."""
    if bin_dir_16() is None:
        pytest.skip("no other PostgreSQL here")
    server = EmbeddedServer(home, bin_dir=bin_dir_16(), settings=FAST).start()
    with (
        warnings.catch_warnings(record=True, action="always") as caught,
        Database(home=home) if by == "home" else Database(server.conninfo) as database,
    ):
        ask(database)
    assert not caught
    server.stop()
