"""What we begin we end, and nothing else."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
import sqlalchemy
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

from docgraph.engine import Database
from docgraph.errors import DatabaseError, InvalidArgument
from tests.engine.databases import INSERT, rows, sa_engine

if TYPE_CHECKING:
    from collections.abc import Callable


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
    return conn.rollback  # type: ignore[no-any-return]  # of either library


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
