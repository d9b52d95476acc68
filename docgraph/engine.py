"""From whatever the caller has (nothing, a URL, a connection, a pool, SQLAlchemy) to a psycopg connection.

The rule of the whole module: work joins the transaction that the caller has open, and commits only what it
began itself. A borrowed connection goes back as it came, with no setting changed.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import threading
import warnings
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, Self, TypeAlias, cast

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Conninfo, TransactionStatus
from psycopg.rows import tuple_row
from psycopg_pool import AsyncConnectionPool, ConnectionPool, PoolTimeout

from docgraph.embedded import EmbeddedServer
from docgraph.errors import InvalidArgument, ServerUnavailable, ServerUnsupported, translate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    import sqlalchemy
    import sqlalchemy.ext.asyncio

Source: TypeAlias = (
    "str"
    " | psycopg.Connection[Any] | ConnectionPool[Any] | sqlalchemy.Engine | sqlalchemy.Connection"
    " | psycopg.AsyncConnection[Any] | AsyncConnectionPool[Any]"
    " | sqlalchemy.ext.asyncio.AsyncEngine | sqlalchemy.ext.asyncio.AsyncConnection | None"
)
"""What a client can be made from. None: DOCGRAPH_DATABASE_URL, or else the embedded server."""

URL_VARIABLE = "DOCGRAPH_DATABASE_URL"
POOL_SIZE = 10
POOL_WAIT = 10.0
"""Seconds that a call waits for a connection of our own pool."""
POOL_PROBE = 2.0
"""Seconds after which a call that waits looks whether the server is there at all."""

_ACCEPTED = (
    "Accepted are postgresql://, postgres:// and postgresql+psycopg:// URLs, "
    "and libpq strings (host=... dbname=...)."
)
_SCHEMES = frozenset({"postgresql", "postgres", "postgresql+psycopg", "postgresql+psycopg_async"})


# -------------------------------------------------------------------- connection strings


def conninfo_of(url: str) -> str:
    """A libpq connection string for a URL. No message quotes any part of it: every part may be a password."""
    scheme, found, rest = url.strip().partition("://")
    if found and re.fullmatch(r"[a-z][a-z0-9+_.-]*", scheme):
        if scheme not in _SCHEMES:
            raise InvalidArgument(f"A database URL of the form {scheme}:// is not accepted.", hint=_ACCEPTED)
        server, _, path = rest.partition("/")
        if server.count("@") > 1 or "@" in path.partition("?")[0]:
            # libpq would take a part of the password for the host, and name it in its error.
            raise InvalidArgument(
                "The database URL has an @ too many.",
                hint="In a user name or a password write %40 for @, %2F for /.",
            )
        url = f"postgresql://{rest}"
    try:
        params = conninfo_to_dict(url)
        readable = all(not port or port.isdigit() for port in str(params.get("port") or "").split(","))
    except psycopg.Error:
        params, readable = {}, False
    if not readable or not url.strip():
        raise InvalidArgument(
            "The database URL cannot be read.",
            hint=f"{_ACCEPTED} In a password write %40 for @, %2F for /, %3F for ?, %23 for #.",
        ) from None
    if "connect_timeout" not in params and "PGCONNECT_TIMEOUT" not in os.environ:
        params["connect_timeout"] = 10
    params.setdefault("fallback_application_name", "docgraph")
    return make_conninfo(**{key: str(value) for key, value in params.items() if value is not None})


def _describe(**params: object) -> str:
    """Where a connection goes, without its password and without anything else that may hold one."""
    defaults = {
        option.keyword.decode(): option.val.decode()
        for option in Conninfo.get_defaults()
        if option.val is not None
    }
    host, port, dbname, user = (
        params.get(key) or defaults.get(key) for key in ("host", "port", "dbname", "user")
    )
    return f"PostgreSQL at {host or 'the local socket'}, port {port}, database {dbname or user}, user {user}"


# -------------------------------------------------------------------- server versions


class ServerVersionWarning(UserWarning):
    """The server runs a PostgreSQL release with publicly known security holes."""


_VERSIONS = (
    "SELECT pg_catalog.current_setting('server_version_num')::pg_catalog.int4,"
    " (SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'vector')"
)
_PATCHED = {15: 20, 16: 16, 17: 12, 18: 7}
"""The oldest minor release of each major one without known security holes; newer majors have none so far."""


def check_versions(server: int, vector: str | None) -> str | None:
    """Raise if the server or its pgvector is too old; the result is a warning to give, if there is one."""
    major, minor = divmod(server, 10_000)
    if major < 15:
        raise ServerUnsupported(
            f"PostgreSQL {major}.{minor} is too old: docgraph needs PostgreSQL 15 or newer.",
            hint="Use a newer server. Its pgvector extension must be 0.8.4 or newer.",
        )
    if vector is not None and [int(part) for part in re.findall(r"\d+", vector)[:3]] < [0, 8, 4]:
        raise ServerUnsupported(
            f"The extension vector (pgvector) {vector} is too old: docgraph needs 0.8.4 or newer. "
            "Older ones can corrupt HNSW indexes in a vacuum (fixed in 0.8.3 and 0.8.4), and overflow a "
            "buffer in parallel HNSW index builds (CVE-2026-3172, up to 0.8.1).",
            hint="Install a newer pgvector package on the server, run ALTER EXTENSION vector UPDATE in this "
            "database, and then REINDEX its HNSW indexes.",
        )
    patched = _PATCHED.get(major, 0)
    if minor >= patched:
        return None
    return (
        f"PostgreSQL {major}.{minor} has known security holes (CVE-2026-6460 and earlier ones); "
        f"they are closed in {major}.{patched}. Update the server."
    )


# -------------------------------------------------------------------- what kind of source it is


class _Kind(NamedTuple):
    """`own`: a URL or the embedded server, through a pool of ours. The others are the caller's."""

    name: Literal["own", "psycopg", "pool", "engine", "connection"]
    style: Literal["sync", "async", "either"]


def _kinds() -> list[tuple[Any, _Kind]]:
    kinds: list[tuple[Any, _Kind]] = [
        ((str, type(None)), _Kind("own", "either")),
        (psycopg.Connection, _Kind("psycopg", "sync")),
        (psycopg.AsyncConnection, _Kind("psycopg", "async")),
        (ConnectionPool, _Kind("pool", "sync")),
        (AsyncConnectionPool, _Kind("pool", "async")),
    ]
    # Not imported for this: without the module, nobody can have an object of it.
    if found := sys.modules.get("sqlalchemy"):
        kinds += [(found.Engine, _Kind("engine", "sync")), (found.Connection, _Kind("connection", "sync"))]
    if found := sys.modules.get("sqlalchemy.ext.asyncio"):
        kinds.append((found.AsyncEngine, _Kind("engine", "async")))
        kinds.append((found.AsyncConnection, _Kind("connection", "async")))
    return kinds


def _kind_of(source: object, style: Literal["sync", "async"]) -> _Kind:
    kind = next((kind for cls, kind in _kinds() if isinstance(source, cls)), None)
    if kind is None:
        raise InvalidArgument(
            f"A {type(source).__module__}.{type(source).__qualname__} is not a database.",
            hint="Give a URL, a psycopg 3 connection or pool, or a SQLAlchemy engine or connection.",
        )
    if kind.style not in {style, "either"}:
        raise InvalidArgument(
            f"A {type(source).__name__} is for {kind.style} code, this docgraph client is {style}.",
            hint=f"Use the {kind.style} client.",
        )
    if kind.name in {"engine", "connection"}:
        _require_psycopg(cast("Any", source).dialect)
    return kind


def _require_psycopg(dialect: sqlalchemy.Dialect) -> None:
    if (dialect.name, dialect.driver) not in {("postgresql", "psycopg"), ("postgresql", "psycopg_async")}:
        raise InvalidArgument(
            f"The SQLAlchemy engine uses {dialect.name}+{dialect.driver}; docgraph needs psycopg 3.",
            hint="Make the engine with a postgresql+psycopg:// URL.",
        )


# -------------------------------------------------------------------- databases


class _Source:
    """What the sync and the async database have in common: everything that sends nothing."""

    style: Literal["sync", "async"]

    def __init__(
        self,
        source: Source = None,
        *,
        home: Path | str | None = None,
        keep: bool = False,
        pool_size: int = POOL_SIZE,
    ) -> None:
        if source is None:
            source = os.environ.get(URL_VARIABLE) or None
        self._kind = _kind_of(source, self.style)
        self._source: Any = source
        self._pool_size = pool_size
        self._closed = False
        self._checked = False
        self._server: EmbeddedServer | None = EmbeddedServer(home, keep=keep) if source is None else None
        self._own_conninfo = conninfo_of(source) if isinstance(source, str) else None
        self._prepare()

    def _prepare(self) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.describe()}>"

    @property
    def embedded(self) -> EmbeddedServer | None:
        """The embedded server, if this database is in it."""
        return self._server

    def describe(self) -> str:
        """Where the data is, without the password."""
        if self._server:
            return self._server.describe()
        source, name = self._source, self._kind.name
        if name == "own":
            return _describe(**conninfo_to_dict(self._own_conninfo or ""))
        if name == "psycopg":
            return "a closed connection" if source.closed else _describe(**source.info.get_parameters())
        if name == "pool":
            known = isinstance(source.conninfo, str)
            return _describe(**conninfo_to_dict(source.conninfo)) if known else "a connection pool"
        url = (source if name == "engine" else source.engine).url
        return _describe(host=url.host, port=url.port, dbname=url.database, user=url.username)

    def _conninfo(self) -> str:
        return self._own_conninfo or cast("EmbeddedServer", self._server).conninfo

    def _pool_options(self) -> dict[str, Any]:
        return {
            # Prepared statements do not survive PgBouncer's transaction mode.
            "kwargs": {"prepare_threshold": None},
            "min_size": 0,
            "max_size": self._pool_size,
            "reconnect_timeout": POOL_WAIT,
            "name": "docgraph",
        }

    def _check(self, versions: tuple[int, str | None]) -> None:
        warning = check_versions(*versions)
        self._checked = True
        # The embedded server's release comes with its wheel, and it listens on no network.
        if warning and not self._server:
            warnings.warn(warning, ServerVersionWarning, stacklevel=2)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise InvalidArgument("This docgraph client is closed.", hint="Make a new one.")

    def _no_free_connection(self) -> ServerUnavailable:
        return ServerUnavailable(
            f"No database connection came free within {POOL_WAIT:.0f} s: all {self._pool_size} are in use.",
            hint="Make fewer calls at a time.",
        )


def _psycopg_connection(found: object, cls: type) -> Any:
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


class Database(_Source):
    """A database for blocking code. Safe to share between threads if its source is."""

    style = "sync"

    def _prepare(self) -> None:
        self._lock = threading.Lock()
        self._pool: ConnectionPool[psycopg.Connection[Any]] | None = None
        self._pool_pid = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close our own pool, and let go of the embedded server. What the caller gave stays open."""
        self._closed = True
        if self._pool and self._pool_pid == os.getpid():
            self._pool.close()
        if self._server:
            self._server.release()

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """A connection inside a transaction: a savepoint of the caller's one if that is open, else our own.

        A caller's connection brings its own row and cursor factories: make cursors that state theirs.
        """
        self._refuse_closed()
        try:
            with self._borrow() as conn, conn.transaction():
                if not self._checked:
                    self._check(_versions_of(conn))
                yield conn
        except Exception as error:
            _reraise(error)

    @contextmanager
    def _borrow(self) -> Iterator[psycopg.Connection[Any]]:
        match self._kind.name:
            case "own":
                with self._from_own_pool() as conn:
                    yield conn
            case "psycopg":
                yield self._source
            case "pool":
                with self._source.connection() as conn:
                    yield conn
            case "engine":
                with self._source.connect() as outer:
                    conn = _psycopg_connection(outer.connection.driver_connection, psycopg.Connection)
                    try:
                        yield conn
                    finally:
                        if conn.closed:
                            outer.invalidate()
            case "connection":
                conn = _psycopg_connection(self._source.connection.driver_connection, psycopg.Connection)
                # SQLAlchemy counts a transaction as begun before it sends anything. Without this, the driver
                # would take our work for the outermost transaction and commit it.
                if self._source.in_transaction() and conn.info.transaction_status == TransactionStatus.IDLE:
                    self._source.exec_driver_sql("SELECT 1")
                yield conn

    @contextmanager
    def _from_own_pool(self) -> Iterator[psycopg.Connection[Any]]:
        pool = self._open_pool()
        try:
            conn = pool.getconn(POOL_PROBE)
        except PoolTimeout:
            # The pool does not say why. If the server can be reached, it is just that all are taken.
            psycopg.connect(self._conninfo()).close()
            try:
                conn = pool.getconn(POOL_WAIT - POOL_PROBE)
            except PoolTimeout as error:
                raise self._no_free_connection() from error
        try:
            yield conn
        finally:
            pool.putconn(conn)

    def _open_pool(self) -> ConnectionPool[psycopg.Connection[Any]]:
        with self._lock:
            if self._server:
                self._server.ensure()
            # The threads of a pool do not live on in a forked child.
            if self._pool is None or self._pool_pid != os.getpid():
                # First alone: a pool would try for a while before it gave up, and not say why.
                psycopg.connect(self._conninfo()).close()
                self._pool = ConnectionPool(
                    self._conninfo(), open=True, check=ConnectionPool.check_connection, **self._pool_options()
                )
                self._pool_pid = os.getpid()
            return self._pool


class AsyncDatabase(_Source):
    """A database for asyncio code."""

    style = "async"

    def _prepare(self) -> None:
        self._pool: AsyncConnectionPool[psycopg.AsyncConnection[Any]] | None = None
        self._owner: tuple[int, asyncio.AbstractEventLoop] | None = None
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close our own pool, and let go of the embedded server. What the caller gave stays open."""
        self._closed = True
        if self._pool and self._owner == (os.getpid(), asyncio.get_running_loop()):
            await self._pool.close()
        if self._server:
            await asyncio.to_thread(self._server.release)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        """As `Database.connection`."""
        self._refuse_closed()
        try:
            async with self._borrow() as conn, conn.transaction():
                if not self._checked:
                    self._check(await _versions_of_async(conn))
                yield conn
        except Exception as error:
            _reraise(error)

    @asynccontextmanager
    async def _borrow(self) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        match self._kind.name:
            case "own":
                async with self._from_own_pool() as conn:
                    yield conn
            case "psycopg":
                yield self._source
            case "pool":
                async with self._source.connection() as conn:
                    yield conn
            case "engine":
                async with self._source.connect() as outer:
                    raw = await outer.get_raw_connection()
                    conn = _psycopg_connection(raw.driver_connection, psycopg.AsyncConnection)
                    try:
                        yield conn
                    finally:
                        if conn.closed:
                            await outer.invalidate()
            case "connection":
                raw = await self._source.get_raw_connection()
                conn = _psycopg_connection(raw.driver_connection, psycopg.AsyncConnection)
                # As in Database.
                if self._source.in_transaction() and conn.info.transaction_status == TransactionStatus.IDLE:
                    await self._source.exec_driver_sql("SELECT 1")
                yield conn

    @asynccontextmanager
    async def _from_own_pool(self) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        pool = await self._open_pool()
        try:
            conn = await pool.getconn(POOL_PROBE)
        except PoolTimeout:
            await (await psycopg.AsyncConnection.connect(self._conninfo())).close()
            try:
                conn = await pool.getconn(POOL_WAIT - POOL_PROBE)
            except PoolTimeout as error:
                raise self._no_free_connection() from error
        try:
            yield conn
        finally:
            await pool.putconn(conn)

    async def _open_pool(self) -> AsyncConnectionPool[psycopg.AsyncConnection[Any]]:
        async with self._lock:
            if self._server and not self._server.ready:
                await asyncio.to_thread(self._server.ensure)  # may take seconds
            owner = (os.getpid(), asyncio.get_running_loop())
            if self._owner and self._owner != owner and not self._owner[1].is_closed():
                raise InvalidArgument(
                    "This docgraph client is in use by another event loop.",
                    hint="Make one for each event loop.",
                )
            if self._pool is None or self._owner != owner:
                await (await psycopg.AsyncConnection.connect(self._conninfo())).close()
                check = AsyncConnectionPool.check_connection
                self._pool = AsyncConnectionPool(
                    self._conninfo(), open=False, check=check, **self._pool_options()
                )
                await self._pool.open()
                self._owner = owner
            return self._pool


def _versions_of(conn: psycopg.Connection[Any]) -> tuple[int, str | None]:
    with psycopg.Cursor(conn, row_factory=tuple_row) as cursor:
        return cast("tuple[int, str | None]", cursor.execute(_VERSIONS, prepare=False).fetchone())


async def _versions_of_async(conn: psycopg.AsyncConnection[Any]) -> tuple[int, str | None]:
    async with psycopg.AsyncCursor(conn, row_factory=tuple_row) as cursor:
        return cast(
            "tuple[int, str | None]", await (await cursor.execute(_VERSIONS, prepare=False)).fetchone()
        )


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
        if database._kind.name == "engine":
            yield database._source, database.describe()
            return
        conninfo = database._conninfo()
        # Through psycopg, because SQLAlchemy's URLs cannot express all that libpq takes.
        engine = sqlalchemy.create_engine(
            "postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo), poolclass=sqlalchemy.NullPool
        )
        try:
            yield engine, database.describe()
        finally:
            engine.dispose()
