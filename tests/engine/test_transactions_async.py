"""As test_transactions.py, for asyncio."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import psycopg
import pytest
from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncConnectionPool
from sqlalchemy.ext.asyncio import create_async_engine

from docgraph.engine import AsyncDatabase
from docgraph.errors import DatabaseError
from tests.engine.databases import INSERT, rows


async def async_connection(stack: AsyncExitStack, dsn: str) -> Any:
    return await stack.enter_async_context(await psycopg.AsyncConnection.connect(dsn))


async def async_pool(stack: AsyncExitStack, dsn: str) -> Any:
    return await stack.enter_async_context(AsyncConnectionPool(dsn, min_size=1, open=False))


async def async_engine(stack: AsyncExitStack, dsn: str) -> Any:
    async def connect() -> psycopg.AsyncConnection[Any]:
        return await psycopg.AsyncConnection.connect(dsn)

    found = create_async_engine("postgresql+psycopg://", async_creator=connect)
    stack.push_async_callback(found.dispose)
    return found


async def async_alchemy_connection(stack: AsyncExitStack, dsn: str) -> Any:
    return await stack.enter_async_context((await async_engine(stack, dsn)).connect())


async def async_string(stack: AsyncExitStack, dsn: str) -> Any:
    return dsn


@pytest.mark.parametrize(
    "make", [async_connection, async_pool, async_engine, async_alchemy_connection, async_string]
)
def test_async_what_we_begin_we_end(dsn: str, make: Any) -> None:
    async def check() -> None:
        async with AsyncExitStack() as stack, AsyncDatabase(await make(stack, dsn)) as database:
            for expected in (1, 2):
                async with database.connection() as conn:
                    await conn.execute(INSERT)
                    assert rows(dsn) == expected - 1
                assert rows(dsn) == expected
            with pytest.raises(DatabaseError):
                async with database.connection() as conn:
                    await conn.execute("SELECT nonsense")
            async with database.connection() as conn:
                await conn.execute(INSERT)
            assert rows(dsn) == 3

    asyncio.run(check())


@pytest.mark.parametrize("sent", [True, False])
@pytest.mark.parametrize("make", [async_connection, async_alchemy_connection])
def test_async_what_the_caller_begins_only_the_caller_ends(dsn: str, make: Any, sent: bool) -> None:
    async def check() -> None:
        async with AsyncExitStack() as stack:
            source = await make(stack, dsn)
            if isinstance(source, psycopg.AsyncConnection):
                await source.execute(INSERT)
            elif sent:
                await source.exec_driver_sql(INSERT)
            else:
                await source.begin()
            async with AsyncDatabase(source).connection() as conn:
                await conn.execute(INSERT)
            assert conn.info.transaction_status == TransactionStatus.INTRANS
            assert rows(dsn) == 0
            await source.rollback()
            assert rows(dsn) == 0

    asyncio.run(check())
