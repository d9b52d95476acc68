"""From whatever the caller has (nothing, a URL, a connection, a pool, SQLAlchemy) to a psycopg connection.

The rule of the whole module: work joins the transaction that the caller has open, and commits only what it
began itself. A borrowed connection goes back as it came, with no setting changed.
"""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import asynccontextmanager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from docgraph.embedded import EmbeddedServer
from docgraph.errors import InvalidArgument, ServerUnavailable, translate
from docgraph.floors import ServerVersionWarning, Versions, check_versions, versions_of, versions_of_async
from docgraph.pools import POOL_SIZE, AsyncOwnPool, OwnPool
from docgraph.sources import URL_VARIABLE, Source, Style, conninfo_of, describe, kind_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    import sqlalchemy

__all__ = [
    "URL_VARIABLE",
    "AsyncDatabase",
    "Database",
    "ServerVersionWarning",
    "Source",
    "conninfo_of",
    "migration_engine",
]

Pool = TypeVar("Pool", OwnPool, AsyncOwnPool)


class _AnyDatabase(Generic[Pool]):
    """What the sync and the async database have in common: everything that sends nothing."""

    style: Style
    own_pool: type[Pool]

    def __init__(
        self,
        source: Source = None,
        *,
        home: Path | str | None = None,
        keep: bool = False,
        pool_size: int = POOL_SIZE,
    ) -> None:
        if source is not None and home is not None:
            raise InvalidArgument(
                "A database and the home of the embedded server are both given.", hint="Give one of them."
            )
        if source is None and home is None:
            source = os.environ.get(URL_VARIABLE) or None
        self._kind = kind_of(source, self.style)
        self._source: Any = source
        self._pool: Pool | None = None
        self._closed = False
        self._checked = False
        if source is None or isinstance(source, str):
            self._source = EmbeddedServer(home, keep=keep) if source is None else conninfo_of(source)
            self._pool = self.own_pool(self._source, pool_size)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.describe()}>"

    @property
    def embedded(self) -> EmbeddedServer | None:
        """The embedded server, if this database is in it."""
        return self._source if isinstance(self._source, EmbeddedServer) else None

    @property
    def commits(self) -> bool:
        """Whether each call is committed when it returns. One of the caller's may be in a transaction."""
        return self._kind.name in {"own", "pool", "engine"}

    def describe(self) -> str:
        """Where the data is, without the password."""
        return self.embedded.describe() if self.embedded else describe(self._source, self._kind)

    def _check(self, versions: Versions) -> None:
        warning = check_versions(*versions)
        self._checked = True
        if warning:
            warnings.warn(warning, ServerVersionWarning, stacklevel=2)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise InvalidArgument("This docgraph client is closed.", hint="Make a new one.")


class Database(_AnyDatabase[OwnPool]):
    """A database for blocking code. Safe to share between threads if its source is."""

    style = "sync"
    own_pool = OwnPool

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close our own pool, and let go of the embedded server. What the caller gave stays open."""
        self._closed = True
        if self._pool:
            self._pool.close()

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """A connection inside a transaction: a savepoint of the caller's one if that is open, else our own.

        A caller's connection brings its own row and cursor factories: make cursors that state theirs.
        """
        self._refuse_closed()
        try:
            with self._borrow() as conn, conn.transaction():
                if not self._checked:
                    self._check(versions_of(conn))
                yield conn
        except Exception as error:
            _reraise(error)

    @contextmanager
    def statement(self) -> Iterator[psycopg.Connection[Any]]:
        """As `connection`, for a statement that reads: where it can stand alone, no transaction is begun."""
        self._refuse_closed()
        try:
            with (
                self._borrow(quick=True) as conn,
                nullcontext() if _commits_alone(conn) else conn.transaction(),
            ):
                if not self._checked:
                    self._check(versions_of(conn))
                yield conn
        except Exception as error:
            _reraise(error)

    @contextmanager
    def _borrow(self, *, quick: bool = False) -> Iterator[psycopg.Connection[Any]]:
        match self._kind.name:
            case "own" | "pool":
                with self._pool.connection(quick=quick) if self._pool else self._source.connection() as conn:
                    yield conn
            case "psycopg":
                yield self._source
            case "engine":
                with self._source.connect() as outer:
                    conn = _inside(outer.connection, psycopg.Connection)
                    try:
                        yield conn
                    finally:
                        if conn.closed:
                            outer.invalidate()
            case "connection":
                conn = _inside(self._source.connection, psycopg.Connection)
                # SQLAlchemy counts a transaction as begun before it sends anything. Without this, the driver
                # would take our work for the outermost transaction and commit it.
                if self._source.in_transaction() and conn.info.transaction_status == TransactionStatus.IDLE:
                    self._source.exec_driver_sql("SELECT 1")
                yield conn


class AsyncDatabase(_AnyDatabase[AsyncOwnPool]):
    """A database for asyncio code."""

    style = "async"
    own_pool = AsyncOwnPool

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """As `Database.close`."""
        self._closed = True
        if self._pool:
            await self._pool.close()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        """As `Database.connection`."""
        self._refuse_closed()
        try:
            async with self._borrow() as conn, conn.transaction():
                if not self._checked:
                    self._check(await versions_of_async(conn))
                yield conn
        except Exception as error:
            _reraise(error)

    @asynccontextmanager
    async def statement(self) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        """As `Database.statement`."""
        self._refuse_closed()
        try:
            async with (
                self._borrow(quick=True) as conn,
                nullcontext() if _commits_alone(conn) else conn.transaction(),
            ):
                if not self._checked:
                    self._check(await versions_of_async(conn))
                yield conn
        except Exception as error:
            _reraise(error)

    @asynccontextmanager
    async def _borrow(self, *, quick: bool = False) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        match self._kind.name:
            case "own" | "pool":
                async with (
                    self._pool.connection(quick=quick) if self._pool else self._source.connection()
                ) as conn:
                    yield conn
            case "psycopg":
                yield self._source
            case "engine":
                async with self._source.connect() as outer:
                    conn = _inside(await outer.get_raw_connection(), psycopg.AsyncConnection)
                    try:
                        yield conn
                    finally:
                        if conn.closed:
                            await outer.invalidate()
            case "connection":
                conn = _inside(await self._source.get_raw_connection(), psycopg.AsyncConnection)
                # As in Database.
                if self._source.in_transaction() and conn.info.transaction_status == TransactionStatus.IDLE:
                    await self._source.exec_driver_sql("SELECT 1")
                yield conn


def _commits_alone(conn: psycopg.Connection[Any] | psycopg.AsyncConnection[Any]) -> bool:
    """Whether a statement is committed when it ends. It spares two round trips."""
    return conn.autocommit and conn.info.transaction_status == TransactionStatus.IDLE


def _inside(raw: sqlalchemy.PoolProxiedConnection, cls: type) -> Any:
    """The driver's connection that SQLAlchemy uses."""
    found = raw.driver_connection
    if not isinstance(found, cls):
        kind = f"{type(found).__module__}.{type(found).__qualname__}"
        raise InvalidArgument(f"The SQLAlchemy connection is a {kind} inside; docgraph needs psycopg 3.")
    return found


def _reraise(error: Exception) -> NoReturn:
    """The docgraph error for one of the driver, of its pool or of SQLAlchemy; any other goes on as it is."""
    original = getattr(error, "orig", None)  # what SQLAlchemy wraps
    if isinstance(original, psycopg.Error):
        raise translate(original) from error
    if isinstance(error, psycopg.Error):
        raise translate(error) from error
    if (found := sys.modules.get("sqlalchemy.exc")) and isinstance(error, found.SQLAlchemyError):
        cls = ServerUnavailable if isinstance(error, found.TimeoutError) else InvalidArgument
        raise cls(str(error)) from error
    raise error


# -------------------------------------------------------------------- SQLAlchemy, for Alembic


@contextmanager
def migration_engine(
    source: Source = None, *, home: Path | str | None = None, keep: bool = False
) -> Iterator[tuple[sqlalchemy.Engine, str]]:
    """A SQLAlchemy engine for migrations, and where it goes. The embedded server runs until the end."""
    import sqlalchemy  # noqa: PLC0415 - heavy, and only needed here

    with Database(source, home=home, keep=keep) as database:
        if database._kind.name not in {"own", "engine"}:
            raise InvalidArgument(
                f"Migrations do not run on a {type(source).__name__}.",
                hint="Give a URL or a SQLAlchemy engine.",
            )
        with database.connection():
            pass  # the server can be reached and is new enough
        if database._pool is None:
            yield database._source, database.describe()
            return
        conninfo = database._pool.conninfo
        # Through psycopg, because SQLAlchemy's URLs cannot express all that libpq takes.
        engine = sqlalchemy.create_engine(
            "postgresql+psycopg://",
            creator=lambda: _with_own_names_only(psycopg.connect(conninfo)),
            poolclass=sqlalchemy.NullPool,
            use_native_hstore=False,  # looks a type up before anything else is done
        )
        try:
            yield engine, database.describe()
        finally:
            engine.dispose()


def _with_own_names_only(connection: psycopg.Connection[Any]) -> psycopg.Connection[Any]:
    """An installer may be a superuser: nothing that others have put into public may be called."""
    connection.execute("SET search_path = pg_catalog")
    connection.commit()
    return connection
