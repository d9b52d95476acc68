"""Database URLs: which are accepted, and that no password is ever shown."""

from __future__ import annotations

import psycopg
import pytest
import sqlalchemy
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool
from sqlalchemy.ext.asyncio import create_async_engine

from docgraph.engine import AsyncDatabase, Database
from docgraph.errors import InvalidArgument, ServerUnavailable
from docgraph.sources import conninfo_of
from tests.engine.databases import SECRET, sa_engine


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
    ours = {"connect_timeout": "10", "fallback_application_name": "docgraph", "client_encoding": "UTF8"}
    assert found == ours | expected


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
    found = create_async_engine(f"postgresql+psycopg://me:{SECRET}@h:1/d")
    assert AsyncDatabase(found).describe() == "PostgreSQL at h, port 1, database d, user me"
