"""Settings of a login, of an engine or of the environment do not change what is installed."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest
import sqlalchemy

from docgraph import migrate
from docgraph.engine import Database
from docgraph.resources import SQL
from docgraph.verify import verify
from tests.migrations.tools import clean_environment, drift

if TYPE_CHECKING:
    from pathlib import Path


def test_sql_is_ascii() -> None:
    """A client of another encoding would otherwise install other texts than the release's."""
    assert [path.name for path in SQL.rglob("*.sql") if not path.read_text(encoding="utf-8").isascii()] == []


@pytest.mark.parametrize(
    "setting", ["search_path=", "row_security=off", "default_transaction_isolation=serializable"]
)
def test_defaults_of_the_login_do_not_matter(empty: str, setting: str) -> None:
    url = psycopg.conninfo.make_conninfo(empty, options=f"-c {setting}")
    migrate.upgrade(url)
    assert drift(empty) == []


def test_an_engine_gets_its_session_back(empty: str) -> None:
    """Also one made for autocommit: an upgrade is one transaction all the same."""
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(empty, options="-c lock_timeout=1s -c search_path=public"),
        isolation_level="AUTOCOMMIT",
        pool_size=1,
    )
    migrate.upgrade(engine)
    with engine.connect() as connection:
        for name, value in {"lock_timeout": "1s", "search_path": "public", "role": "none"}.items():
            assert connection.exec_driver_sql(f"SHOW {name}").scalar_one() == value
    engine.dispose()
    assert drift(empty) == []


def test_another_client_encoding_is_no_matter(empty: str) -> None:
    migrate.upgrade(empty)
    with psycopg.connect(empty, client_encoding="LATIN1") as connection:
        connection.execute("COMMENT ON TABLE docgraph.access_grants IS E'\\u2026'")
        connection.commit()
        (found,) = verify(Database(connection))
        assert "…" in found.diff
        assert connection.info.encoding == "iso8859-1"


def test_a_cursor_class_of_the_callers_is_no_matter(empty: str) -> None:
    migrate.upgrade(empty)
    with psycopg.connect(empty, cursor_factory=psycopg.RawCursor) as connection:
        assert verify(Database(connection)) == []


def test_asking_alembic_changes_nothing(empty: str, pytestconfig: pytest.Config) -> None:
    root: Path = pytestconfig.rootpath
    subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "alembic", "current"],
        cwd=root,
        env=clean_environment(DOCGRAPH_DATABASE_URL=empty),
        check=True,
        capture_output=True,
    )
    assert migrate.downgrade(empty, "base") == (None, None)
    with psycopg.connect(empty) as connection:
        assert connection.execute("SELECT to_regnamespace('docgraph')").fetchone() == (None,)
        assert connection.execute("SELECT FROM pg_extension WHERE extname = 'vector'").fetchone() is None


def test_a_script_looks_where_it_is(empty: str) -> None:
    migrate.upgrade(empty)
    script = migrate.offline_sql("0001", "head")
    with (
        psycopg.connect(empty, autocommit=True) as connection,
        pytest.raises(psycopg.errors.DatabaseError, match="continues from revision 0001"),
    ):
        connection.execute(script.encode())
    assert drift(empty) == []
