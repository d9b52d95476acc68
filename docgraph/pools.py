"""Our own connection pools, to a server that is named by a string or to the embedded one."""

from __future__ import annotations

import asyncio
import os
import select
import threading
import time
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg_pool import AsyncConnectionPool, ConnectionPool, PoolTimeout

from docgraph.embedded import EmbeddedServer
from docgraph.errors import InvalidArgument, ServerUnavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

POOL_SIZE = 10
POOL_WAIT = 10.0
"""Seconds that a call waits for a connection."""
POOL_PROBE = 2.0
"""Seconds after which a call that waits looks whether the server is there at all."""


class _Common:
    """What both pools have in common: everything that sends nothing."""

    def __init__(self, target: str | EmbeddedServer, size: int) -> None:
        self._target = target
        self._size = size
        self._server = target if isinstance(target, EmbeddedServer) else None

    @property
    def conninfo(self) -> str:
        """Of the embedded server once it is started; where its socket is may change whenever it starts."""
        return self._target.conninfo if isinstance(self._target, EmbeddedServer) else self._target

    def _options(self) -> dict[str, Any]:
        return {
            "kwargs": {
                "autocommit": True,  # so that a call that reads needs no transaction around it
                # Prepared statements do not survive PgBouncer, which cannot stand before our own server.
                "prepare_threshold": 5 if self._server else None,
            },
            "min_size": 0,
            "max_size": self._size,
            "reconnect_timeout": POOL_WAIT,
            "name": "docgraph",
        }

    def _none_free(self) -> ServerUnavailable:
        return ServerUnavailable(
            f"No database connection came free within {POOL_WAIT:.0f} s: all {self._size} are in use.",
            hint="Make fewer calls at a time.",
        )


class OwnPool(_Common):
    """For blocking code, in any number of threads."""

    def __init__(self, target: str | EmbeddedServer, size: int) -> None:
        super().__init__(target, size)
        self._lock = threading.Lock()
        self._pool: ConnectionPool[psycopg.Connection[Any]] | None = None
        self._pid = 0

    def close(self) -> None:
        """Close the connections, and let go of the embedded server."""
        if self._pool and self._pid == os.getpid():
            self._pool.close()
        if self._server:
            self._server.release()

    @contextmanager
    def connection(self, *, quick: bool = False) -> Iterator[psycopg.Connection[Any]]:
        """One that works. `quick` asks the server only if it has said something: without a round trip."""
        pool = self._open()
        try:
            conn = _working(pool, POOL_PROBE, quick=quick)
        except PoolTimeout:
            # The pool does not say why. If the server can be reached, it is just that all are taken.
            psycopg.connect(self.conninfo).close()
            try:
                conn = _working(pool, POOL_WAIT - POOL_PROBE, quick=quick)
            except PoolTimeout as error:
                raise self._none_free() from error
        try:
            yield conn
        finally:
            pool.putconn(conn)

    def _open(self) -> ConnectionPool[psycopg.Connection[Any]]:
        with self._lock:
            if self._server:
                self._server.ensure()
            # The threads of a pool do not live on in a forked child.
            if self._pool is None or self._pid != os.getpid():
                # First alone: a pool would try for a while before it gave up, and not say why.
                psycopg.connect(self.conninfo).close()
                self._pool = ConnectionPool(self.conninfo, open=True, **self._options())
                self._pid = os.getpid()
            return self._pool


def _working(
    pool: ConnectionPool[psycopg.Connection[Any]], wait: float, *, quick: bool
) -> psycopg.Connection[Any]:
    """A connection that works. The pool could check it too, but pauses ever longer after each broken one."""
    deadline = time.monotonic() + wait
    while True:
        conn = pool.getconn(deadline - time.monotonic())
        try:
            if not (quick and _is_silent(conn)):
                pool.check_connection(conn)
        except BaseException as error:
            pool.putconn(conn)  # which replaces a broken one
            if not isinstance(error, psycopg.OperationalError):
                raise
        else:
            return conn


def _is_silent(conn: psycopg.Connection[Any] | psycopg.AsyncConnection[Any]) -> bool:
    """Whether the server has said nothing since the last call: farewells and broken sockets are something.

    A connection that broke without a word to either side looks silent; a question to it would hang as well.
    """
    if not hasattr(select, "poll"):
        return False  # not on every platform
    waiting = select.poll()
    waiting.register(conn.fileno(), select.POLLIN)
    return not waiting.poll(0)


class AsyncOwnPool(_Common):
    """For the tasks of one event loop."""

    def __init__(self, target: str | EmbeddedServer, size: int) -> None:
        super().__init__(target, size)
        self._lock: tuple[asyncio.AbstractEventLoop | None, asyncio.Lock] = (None, asyncio.Lock())
        self._pool: AsyncConnectionPool[psycopg.AsyncConnection[Any]] | None = None
        self._owner: tuple[int, asyncio.AbstractEventLoop] | None = None
        self._closing: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """As `OwnPool.close`."""
        if self._closing and self._owner == (os.getpid(), asyncio.get_running_loop()):
            self._closing.cancel()
            await asyncio.wait([self._closing])
        if self._server:
            await asyncio.to_thread(self._server.release)

    @asynccontextmanager
    async def connection(self, *, quick: bool = False) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        """As `OwnPool.connection`."""
        pool = await self._open()
        try:
            conn = await _working_async(pool, POOL_PROBE, quick=quick)
        except PoolTimeout:
            await (await psycopg.AsyncConnection.connect(self.conninfo)).close()
            try:
                conn = await _working_async(pool, POOL_WAIT - POOL_PROBE, quick=quick)
            except PoolTimeout as error:
                raise self._none_free() from error
        try:
            yield conn
        finally:
            await pool.putconn(conn)

    async def _open(self) -> AsyncConnectionPool[psycopg.AsyncConnection[Any]]:
        async with self._lock_of_this_loop():
            if self._server and not self._server.ready:
                await asyncio.to_thread(self._server.ensure)  # may take seconds
            owner = (os.getpid(), asyncio.get_running_loop())
            if self._owner and self._owner != owner and not self._owner[1].is_closed():
                raise InvalidArgument(
                    "This docgraph client is in use by another event loop.",
                    hint="Make one for each event loop.",
                )
            if self._pool is None or self._owner != owner:
                await (await psycopg.AsyncConnection.connect(self.conninfo)).close()
                self._pool = AsyncConnectionPool(self.conninfo, open=False, **self._options())
                await self._pool.open()
                self._closing = asyncio.create_task(_close_when_cancelled(self._pool))
                self._owner = owner
            return self._pool

    def _lock_of_this_loop(self) -> asyncio.Lock:
        """A lock belongs to the event loop in which somebody first had to wait for it."""
        loop = asyncio.get_running_loop()
        if self._lock[0] is not loop:
            self._lock = (loop, asyncio.Lock())
        return self._lock[1]


async def _close_when_cancelled(pool: AsyncConnectionPool[psycopg.AsyncConnection[Any]]) -> None:
    """Close it as soon as this task is cancelled: by us, or with everything else where an event loop ends.

    The pool's own tasks take being cancelled for a connection that failed, and go on: `asyncio.run` would
    wait for them forever.
    """
    try:
        await asyncio.Event().wait()
    finally:
        await pool.close()


async def _working_async(
    pool: AsyncConnectionPool[psycopg.AsyncConnection[Any]], wait: float, *, quick: bool
) -> psycopg.AsyncConnection[Any]:
    """As `_working`."""
    deadline = time.monotonic() + wait
    while True:
        conn = await pool.getconn(deadline - time.monotonic())
        try:
            if not (quick and _is_silent(conn)):
                await pool.check_connection(conn)
        except BaseException as error:
            await pool.putconn(conn)
            if not isinstance(error, psycopg.OperationalError):
                raise
        else:
            return conn
