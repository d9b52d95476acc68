"""What a database can be given as, and which one is taken if several are given."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
import sqlalchemy
from sqlalchemy.ext.asyncio import create_async_engine

from docgraph.engine import AsyncDatabase, Database, migration_engine
from docgraph.errors import InvalidArgument, NotInstalled
from tests.engine.databases import sa_engine
from tests.engine.embedded import RELEASE

if TYPE_CHECKING:
    from pathlib import Path


def test_what_goes_first(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = made
    monkeypatch.setenv("DATABASE_URL", "postgresql://not/this")
    monkeypatch.setenv("PGHOST", "nor.this")
    with Database(home=home) as database:
        assert database.embedded
        assert database.describe() == f"embedded PostgreSQL, in {home}"
        with database.connection() as conn:
            assert conn.execute("SELECT current_database()").fetchone() == ("docgraph",)
        assert database.describe() == f"embedded PostgreSQL {RELEASE}, in {home}"
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", "postgresql://env/d")
    assert "PostgreSQL at env," in Database().describe()
    assert "PostgreSQL at arg," in Database("postgresql://arg/d").describe()
    assert Database(home=home).embedded
    with pytest.raises(InvalidArgument, match="both given"):
        Database("postgresql://arg/d", home=home)


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


def test_an_engine_for_migrations(dsn: str, made: Path) -> None:
    with migration_engine(dsn) as (found, description), found.connect() as conn:
        assert conn.exec_driver_sql("SELECT current_database()").scalar() == "scratch"
        assert conn.exec_driver_sql("SHOW search_path").scalar() == "pg_catalog"
        assert "database scratch" in description
    given = sa_engine(dsn)
    with migration_engine(given) as (found, _):
        assert found is given
    with given.connect():
        pass
    given.dispose()
    with migration_engine(home=made) as (found, description):
        assert description == f"embedded PostgreSQL {RELEASE}, in {made}"
        with found.begin() as conn:
            conn.exec_driver_sql("CREATE TABLE public.made ()")
    with (
        psycopg.connect(dsn) as source,
        pytest.raises(InvalidArgument, match="Give a URL"),
        migration_engine(source),
    ):
        pass
    with Database(home=made) as database:
        assert database.embedded
        assert not database.embedded.alive()


def test_opening_a_database_makes_no_server(home: Path) -> None:
    with Database(home=home) as database, pytest.raises(NotInstalled) as refused, database.connection():
        pass
    assert refused.value.message == f"There is no docgraph server in the folder {home}."
    assert refused.value.hint
    assert f"`docgraph init --home {home}`" in refused.value.hint
    with pytest.raises(NotInstalled), migration_engine(home=home):
        pass

    async def ask() -> None:
        async with AsyncDatabase(home=home) as database, database.connection():
            pass

    with pytest.raises(NotInstalled, match="no docgraph server"):
        asyncio.run(ask())
    assert not home.exists()
