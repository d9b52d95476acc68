"""Lost connections and restarted servers: an error of ours, and the next call works."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, ExitStack
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool

from docgraph import pools
from docgraph.engine import AsyncDatabase, Database
from docgraph.errors import InvalidArgument, ServerUnavailable
from tests.engine.databases import ask, drop_connections, sa_engine

if TYPE_CHECKING:
    from tests.servers import Server


def test_after_lost_connections_and_restarts_the_next_call_works(server: Server, dsn: str) -> None:
    assert server.embedded
    with Database(dsn) as database:
        ask(database)
        drop_connections(dsn)
        ask(database)
        with pytest.raises(ServerUnavailable), database.connection() as conn:
            conn.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        ask(database)
        server.stop()
        server.embedded.ensure()
        ask(database)
        server.stop()
        before = time.monotonic()
        with pytest.raises(ServerUnavailable, match=r"No such file|refused"):
            ask(database)
        assert time.monotonic() - before < pools.POOL_WAIT / 2
        server.embedded.ensure()
        ask(database)


def test_many_lost_connections_delay_nobody(dsn: str) -> None:
    with Database(dsn) as database:
        with ExitStack() as stack:
            for _ in range(pools.POOL_SIZE):
                stack.enter_context(database.connection())
        drop_connections(dsn)
        before = time.monotonic()
        ask(database)
        assert time.monotonic() - before < pools.POOL_PROBE

    async def check() -> None:
        async with AsyncDatabase(dsn) as database:
            async with AsyncExitStack() as stack:
                for _ in range(pools.POOL_SIZE):
                    await stack.enter_async_context(database.connection())
            drop_connections(dsn)
            before = time.monotonic()
            async with database.connection() as conn:
                await conn.execute("SELECT 1")
            assert time.monotonic() - before < pools.POOL_PROBE

    asyncio.run(check())


def test_a_lost_connection_of_an_engine_is_not_used_again(dsn: str) -> None:
    found = sa_engine(dsn, pool_size=1)
    database = Database(found)
    ask(database)
    drop_connections(dsn)
    with pytest.raises(ServerUnavailable):
        ask(database)
    ask(database)
    found.dispose()


def test_async_after_a_restart_the_next_call_works(server: Server, dsn: str) -> None:
    async def check() -> None:
        assert server.embedded
        async with AsyncDatabase(dsn) as database:
            for _ in range(2):
                async with database.connection() as conn:
                    await conn.execute("SELECT 1")
                server.stop()
                server.embedded.ensure()
            server.stop()
            with pytest.raises(ServerUnavailable, match=r"No such file|refused"):
                async with database.connection():
                    pass

    asyncio.run(check())


def test_errors_of_every_layer_are_ours(dsn: str) -> None:
    with psycopg.connect(dsn) as closed:
        pass
    with pytest.raises(ServerUnavailable), Database(closed).connection():
        pass
    gone = make_conninfo(dsn, host="/nonexistent")
    with pytest.raises(ServerUnavailable), Database(sa_engine(gone)).connection():
        pass
    found = sa_engine(dsn, pool_size=1, max_overflow=0, pool_timeout=0.1)
    with found.connect(), pytest.raises(ServerUnavailable), Database(found).connection():
        pass
    with found.connect() as conn:
        pass
    found.dispose()
    with pytest.raises(InvalidArgument, match="closed"), Database(conn).connection():
        pass
    with ConnectionPool(dsn, min_size=1, timeout=0.1, open=True) as taken:  # noqa: SIM117 - only the inner one is to raise
        with taken.connection(), pytest.raises(ServerUnavailable), Database(taken).connection():
            pass
