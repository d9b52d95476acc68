"""Our own pool: many calls at once, in threads, tasks and forked processes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from docgraph import pools
from docgraph.engine import AsyncDatabase, Database
from docgraph.errors import InvalidArgument, ServerUnavailable
from tests.engine.databases import INSERT, rows

if TYPE_CHECKING:
    from pathlib import Path


def test_too_many_calls_at_once(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "POOL_WAIT", 0.4)
    monkeypatch.setattr(pools, "POOL_PROBE", 0.2)
    with Database(dsn, pool_size=1) as database, database.connection():  # noqa: SIM117 - only the inner one is to raise
        with pytest.raises(ServerUnavailable, match="all 1 are in use"), database.connection():
            pass

    async def check() -> None:
        async with AsyncDatabase(dsn, pool_size=1) as database, database.connection():
            with pytest.raises(ServerUnavailable, match="all 1 are in use"):
                async with database.connection():
                    pass

    asyncio.run(check())


def test_many_threads(dsn: str) -> None:
    with Database(dsn, pool_size=4) as database:

        def insert() -> None:
            for _ in range(10):
                with database.connection() as conn:
                    conn.execute(INSERT)

        threads = [threading.Thread(target=insert) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert rows(dsn) == 80


def test_a_forked_child_gets_connections_of_its_own(dsn: str) -> None:
    code = """
import os, sys
from docgraph.engine import Database
database = Database(sys.argv[1])
def pid():
    with database.connection() as conn:
        return conn.info.backend_pid
mine = pid()
if child := os.fork():
    status = os.waitpid(child, 0)[1]
    assert pid() == mine
    database.close()
    sys.exit(status)
assert pid() != mine
database.close()
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code, dsn], check=True, timeout=30)


def test_async_with_the_embedded_server(made: Path) -> None:
    async def check() -> None:
        async with AsyncDatabase(home=made) as database:

            async def ask() -> Any:
                async with database.connection() as conn:
                    return await (await conn.execute("SELECT 1")).fetchone()

            assert await asyncio.gather(*(ask() for _ in range(20))) == [(1,)] * 20
            assert database.embedded
            database.embedded.stop()
            assert await ask() == (1,)
        assert not database.embedded.alive()

    asyncio.run(check())


def test_async_in_one_event_loop_after_the_other(dsn: str) -> None:
    """Many calls in each: what they wait for is of that loop."""
    database = AsyncDatabase(dsn, pool_size=2)

    async def insert() -> None:
        async with database.connection() as conn:
            await conn.execute(INSERT)

    async def many() -> None:
        await asyncio.gather(*[insert() for _ in range(6)])

    asyncio.run(many())
    asyncio.run(many())
    assert rows(dsn) == 12


def test_async_an_event_loop_ends_while_a_connection_is_made(dsn: str) -> None:
    """At whichever point it is: `asyncio.run` waits for every task, and must not wait forever."""
    code = """
import asyncio, sys
from docgraph.engine import AsyncDatabase

async def main(steps):
    database = AsyncDatabase(sys.argv[1], pool_size=2)
    async with database.connection():
        another = asyncio.create_task(database.connection().__aenter__())
        for _ in range(steps):
            await asyncio.sleep(0)

for steps in range(60):
    asyncio.run(main(steps))
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code, dsn], check=True, timeout=60)


def test_async_one_event_loop_at_a_time(dsn: str) -> None:
    database = AsyncDatabase(dsn)

    async def ask() -> None:
        async with database.connection() as conn:
            await conn.execute("SELECT 1")

    async def main() -> None:
        await ask()
        with pytest.raises(InvalidArgument, match="another event loop"):
            await asyncio.to_thread(asyncio.run, ask())
        await database.close()

    asyncio.run(main())
