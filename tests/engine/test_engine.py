"""From any source to a connection, and nothing committed that was not begun."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
import warnings
from contextlib import AsyncExitStack, ExitStack
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
import sqlalchemy
from psycopg.conninfo import make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, ConnectionPool
from sqlalchemy.ext.asyncio import create_async_engine

from docgraph import engine
from docgraph.engine import (
    AsyncDatabase,
    Database,
    ServerVersionWarning,
    check_versions,
    conninfo_of,
    migration_engine,
)
from docgraph.errors import DatabaseError, InvalidArgument, ServerUnavailable, ServerUnsupported
from tests.servers import Server, bin_dir_16, start_server, temporary_home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore::docgraph.engine.ServerVersionWarning")

SECRET = "s3cr3t"
INSERT = "INSERT INTO t VALUES (1)"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
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
        yield_to = server.conninfo("scratch")
        with psycopg.connect(yield_to) as scratch:
            scratch.execute("CREATE TABLE t (x int)")
    yield yield_to
    assert server.embedded
    server.embedded.ensure()


def rows(dsn: str) -> int:
    """How many rows everybody can see."""
    with psycopg.connect(dsn) as conn:
        found = conn.execute("SELECT count(*) FROM t").fetchone()
    assert found
    return int(found[0])


def drop_connections(dsn: str) -> None:
    with psycopg.connect(dsn) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = current_database()"
        )


def sa_engine(dsn: str, **kwargs: Any) -> sqlalchemy.Engine:
    return sqlalchemy.create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), **kwargs)


# -------------------------------------------------------------------- connection strings


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://u@h:1/d", {"host": "h", "port": "1", "dbname": "d", "user": "u"}),
        ("postgres://u@h/d", {"host": "h", "dbname": "d", "user": "u"}),
        ("postgresql+psycopg://u:p%40w@h/d", {"host": "h", "dbname": "d", "user": "u", "password": "p@w"}),
        ("postgresql+psycopg_async://h/d", {"host": "h", "dbname": "d"}),
        ("postgresql://h1:1,h2:2/d", {"host": "h1,h2", "port": "1,2", "dbname": "d"}),
        ("postgresql:///d?host=/tmp&sslmode=disable", {"host": "/tmp", "dbname": "d", "sslmode": "disable"}),
        ("host=h dbname='my db' password=x", {"host": "h", "dbname": "my db", "password": "x"}),
        ("postgresql://u%40corp@[::1]:5/d", {"host": "::1", "port": "5", "dbname": "d", "user": "u@corp"}),
        ("postgresql://u:p?w@h/d", {"host": "h", "dbname": "d", "user": "u", "password": "p?w"}),
    ],
)
def test_strings_that_are_accepted(url: str, expected: dict[str, str]) -> None:
    found = psycopg.conninfo.conninfo_to_dict(conninfo_of(url))
    assert found == {"connect_timeout": "10", "fallback_application_name": "docgraph"} | expected


def test_defaults_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "connect_timeout=3" in conninfo_of("postgresql://h/d?connect_timeout=3")
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "4")
    assert "connect_timeout" not in conninfo_of("postgresql://h/d")


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql+asyncpg://u:{SECRET}@h/d",
        f"postgresql+psycopg2://u:{SECRET}@h/d",
        f"mysql://u:{SECRET}@h/d",
        f"postgresql://u:a@{SECRET}@h/d",
        f"postgresql://u:{SECRET}/a@h/d",
        f"postgresql://u:1/{SECRET}@h/d",
        f"postgresql://u:a?b@{SECRET}@h/d",
        f"postgresql://u:a@b/{SECRET}@h/d",
        f"postgresql://u:{SECRET}#a:x@h:y/d",
        f"postgresql://u:p@h/d?passwort={SECRET}",
        f"postgresql://u:{SECRET}%zz@h/d",
        f"host=h passwort={SECRET}",
        f"host=h password='{SECRET}",
        SECRET,
        "",
        " ",
    ],
)
def test_strings_that_are_refused_without_being_quoted(url: str) -> None:
    for cls in (Database, AsyncDatabase):
        with pytest.raises(InvalidArgument) as caught:
            cls(url)
        assert SECRET not in str(caught.value)
        assert "postgresql" in str(caught.value) or "%40" in str(caught.value)
        assert not isinstance(caught.value.__cause__, psycopg.Error)
        assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_the_password_is_never_shown(dsn: str) -> None:
    url = f"postgresql://me:{SECRET}@localhost:1/db"
    for database in (Database(url), AsyncDatabase(url)):
        assert database.describe() == "PostgreSQL at localhost, port 1, database db, user me"
        assert SECRET not in repr(database)
    with Database(url) as database, pytest.raises(ServerUnavailable) as caught, database.connection():
        pass
    assert SECRET not in str(caught.value)
    secret_dsn = make_conninfo(dsn, password=SECRET)
    with psycopg.connect(secret_dsn) as conn, ConnectionPool(secret_dsn, open=False) as pool:
        for source in (
            conn,
            pool,
            sa_engine(secret_dsn),
            sqlalchemy.create_engine(f"postgresql+psycopg://u:{SECRET}@h/d"),
        ):
            assert SECRET not in Database(source).describe()
        assert "database scratch, user postgres" in Database(conn).describe()
        assert "database scratch, user postgres" in Database(pool).describe()
    assert Database(conn).describe() == "a closed connection"


# -------------------------------------------------------------------- which database


def test_what_goes_first(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://not/this")
    monkeypatch.setenv("PGHOST", "nor.this")
    with Database(home=home) as database:
        assert database.embedded
        assert database.describe() == f"embedded PostgreSQL, in {home}"
        with database.connection() as conn:
            assert conn.execute("SELECT current_database()").fetchone() == ("docgraph",)
        assert database.describe() == f"embedded PostgreSQL 18.6, in {home}"
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", "postgresql://env/d")
    assert "PostgreSQL at env," in Database(home=home).describe()
    assert "PostgreSQL at arg," in Database("postgresql://arg/d").describe()


@pytest.mark.parametrize("source", [1, object(), b"postgresql://h/d"])
def test_what_is_no_database(source: Any) -> None:
    with pytest.raises(InvalidArgument, match="is not a database"):
        Database(source)


def test_sync_and_async_are_not_mixed(dsn: str) -> None:
    async_engine = create_async_engine("postgresql+psycopg://h/d")
    with pytest.raises(InvalidArgument, match="Use the async client"):
        Database(async_engine)
    with pytest.raises(InvalidArgument, match="Use the sync client"):
        AsyncDatabase(sa_engine(dsn))
    with psycopg.connect(dsn) as conn, pytest.raises(InvalidArgument, match="Use the sync client"):
        AsyncDatabase(conn)


def test_another_driver_is_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"sqlite\+pysqlite; docgraph needs psycopg 3"):
        Database(sqlalchemy.create_engine("sqlite://"))


def test_sqlalchemy_is_not_imported_for_nothing() -> None:
    code = "import sys; import docgraph.engine; sys.exit('sqlalchemy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


# -------------------------------------------------------------------- transactions, sync


def idle_connection(stack: ExitStack, dsn: str) -> Any:
    return stack.enter_context(psycopg.connect(dsn))


def autocommit_connection(stack: ExitStack, dsn: str) -> Any:
    return stack.enter_context(psycopg.connect(dsn, autocommit=True))


def pool(stack: ExitStack, dsn: str) -> Any:
    return stack.enter_context(ConnectionPool(dsn, min_size=1, max_size=2, open=True))


def alchemy_engine(stack: ExitStack, dsn: str) -> Any:
    found = sa_engine(dsn)
    stack.callback(found.dispose)
    return found


def alchemy_autocommit_engine(stack: ExitStack, dsn: str) -> Any:
    return alchemy_engine(stack, dsn).execution_options(isolation_level="AUTOCOMMIT")


def alchemy_connection(stack: ExitStack, dsn: str) -> Any:
    return stack.enter_context(alchemy_engine(stack, dsn).connect())


def string(stack: ExitStack, dsn: str) -> Any:
    return dsn


@pytest.mark.parametrize(
    "make",
    [
        idle_connection,
        autocommit_connection,
        pool,
        alchemy_engine,
        alchemy_autocommit_engine,
        alchemy_connection,
        string,
    ],
)
def test_what_we_begin_we_end(dsn: str, make: Callable[[ExitStack, str], Any]) -> None:
    with ExitStack() as stack, Database(make(stack, dsn)) as database:
        for expected in (1, 2):
            with database.connection() as conn:
                conn.execute(INSERT)
                assert rows(dsn) == expected - 1
            assert rows(dsn) == expected
        with pytest.raises(ZeroDivisionError), database.connection() as conn:
            assert conn.execute(INSERT).rowcount / 0
        assert rows(dsn) == 2
        with pytest.raises(DatabaseError), database.connection() as conn:
            conn.execute(INSERT).connection.execute("SELECT nonsense")
        with database.connection() as conn, database.connection() as inner:
            inner.execute(INSERT)
        assert rows(dsn) == 3


def begun(conn: Any) -> Callable[[], None]:
    """The caller begins a transaction and sends something; the result ends it."""
    conn.execute(INSERT) if isinstance(conn, psycopg.Connection) else conn.exec_driver_sql(INSERT)
    return conn.rollback  # type: ignore[no-any-return]


def begun_without_sending(conn: sqlalchemy.Connection) -> Callable[[], None]:
    return conn.begin().rollback


@pytest.mark.parametrize(
    ("make", "begin", "own"),
    [
        (idle_connection, begun, 1),
        (alchemy_connection, begun, 1),
        (alchemy_connection, begun_without_sending, 0),
    ],
)
def test_what_the_caller_begins_only_the_caller_ends(
    dsn: str, make: Callable[[ExitStack, str], Any], begin: Callable[[Any], Callable[[], None]], own: int
) -> None:
    with ExitStack() as stack:
        source = make(stack, dsn)
        with Database(source) as database:
            rollback = begin(source)
            with database.connection() as conn:
                conn.execute(INSERT)
            assert conn.info.transaction_status == TransactionStatus.INTRANS
            with pytest.raises(DatabaseError), database.connection() as conn:
                conn.execute("SELECT nonsense")
            # Our failure took nothing of theirs with it.
            assert conn.execute("SELECT count(*) FROM t").fetchone() == (own + 1,)
            assert rows(dsn) == 0
            rollback()
            assert rows(dsn) == 0
            assert conn.info.transaction_status == TransactionStatus.IDLE


def test_the_caller_can_commit_our_work(dsn: str) -> None:
    with sa_engine(dsn, poolclass=sqlalchemy.NullPool).connect() as conn:
        with conn.begin(), Database(conn).connection() as inner:
            inner.execute(INSERT)
        assert rows(dsn) == 1
        with conn.begin() as outer:
            with conn.begin_nested(), Database(conn).connection() as inner:
                inner.execute(INSERT)
            outer.rollback()
        assert rows(dsn) == 1


def test_a_borrowed_connection_is_as_it_was(dsn: str) -> None:
    with psycopg.connect(dsn, row_factory=dict_row, cursor_factory=psycopg.RawCursor) as source:
        settings = "SELECT name, setting FROM pg_settings ORDER BY 1"
        before = source.execute(settings).fetchall()
        source.commit()
        prepare = source.prepare_threshold
        with Database(source).connection() as conn:
            assert conn is source
        assert source.info.transaction_status == TransactionStatus.IDLE
        assert (source.row_factory, source.cursor_factory) == (dict_row, psycopg.RawCursor)
        assert (source.autocommit, source.prepare_threshold) == (False, prepare)
        assert source.execute(settings).fetchall() == before


def test_closing_leaves_what_is_the_callers_open(dsn: str) -> None:
    with ExitStack() as stack:
        connection, a_pool, found = idle_connection(stack, dsn), pool(stack, dsn), alchemy_engine(stack, dsn)
        for source in (connection, a_pool, found):
            database = Database(source)
            with database.connection():
                pass
            database.close()
            with pytest.raises(InvalidArgument, match="is closed"), database.connection():
                pass
        assert not connection.closed
        with a_pool.connection(), found.connect():
            pass


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
    with ConnectionPool(dsn, min_size=1, timeout=0.1, open=True) as taken:  # noqa: SIM117
        with taken.connection(), pytest.raises(ServerUnavailable), Database(taken).connection():
            pass


# -------------------------------------------------------------------- transactions, async


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


def test_async_with_the_embedded_server(home: Path) -> None:
    async def check() -> None:
        async with AsyncDatabase(home=home) as database:

            async def ask() -> Any:
                async with database.connection() as conn:
                    return await (await conn.execute("SELECT 1")).fetchone()

            assert await asyncio.gather(*(ask() for _ in range(20))) == [(1,)] * 20
            assert database.embedded
            database.embedded.stop()
            assert await ask() == (1,)
        assert not database.embedded.alive()

    asyncio.run(check())


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


# -------------------------------------------------------------------- lost connections


def ask(database: Database) -> None:
    with database.connection() as conn:
        conn.execute("SELECT 1")


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
        assert time.monotonic() - before < engine.POOL_WAIT / 2
        server.embedded.ensure()
        ask(database)


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


def test_too_many_calls_at_once(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "POOL_WAIT", 0.4)
    monkeypatch.setattr(engine, "POOL_PROBE", 0.2)
    with Database(dsn, pool_size=1) as database, database.connection():  # noqa: SIM117
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


# -------------------------------------------------------------------- server versions


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
    assert asked == [(180006, None)]


def test_a_release_with_known_holes(home: Path) -> None:
    if bin_dir_16() is None:
        pytest.skip("no other PostgreSQL here")
    server = start_server("16", home)
    with Database(server.conninfo("docgraph")) as database:
        with pytest.warns(ServerVersionWarning, match=r"PostgreSQL 16\.14 has known security holes"):
            ask(database)
        with warnings.catch_warnings(record=True, action="always") as again:
            ask(database)
        assert not again
    server.stop()
    with warnings.catch_warnings(record=True, action="always") as caught, Database(home=home) as database:
        assert database.embedded
        database.embedded._given_bin_dir = bin_dir_16()
        ask(database)  # the embedded server is behind nobody's network
    assert not caught


# -------------------------------------------------------------------- SQLAlchemy for migrations


def test_an_engine_for_migrations(dsn: str, home: Path) -> None:
    with migration_engine(dsn) as (found, description), found.connect() as conn:
        assert conn.exec_driver_sql("SELECT current_database()").scalar() == "scratch"
        assert "database scratch" in description
    given = sa_engine(dsn)
    with migration_engine(given) as (found, _):
        assert found is given
    with given.connect():
        pass
    given.dispose()
    with migration_engine(home=home) as (found, description):
        assert description == f"embedded PostgreSQL 18.6, in {home}"
        with found.begin() as conn:
            conn.exec_driver_sql("CREATE TABLE made ()")
    with (
        psycopg.connect(dsn) as source,
        pytest.raises(InvalidArgument, match="Give a URL"),
        migration_engine(source),
    ):
        pass
    with Database(home=home) as database:
        assert database.embedded
        assert not database.embedded.alive()
