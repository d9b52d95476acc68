"""A hot standby: what only reads runs there, verification among it."""

from __future__ import annotations

import os
import pwd
import time
from typing import TYPE_CHECKING

import psycopg
import pytest

from docgraph import DocGraph
from docgraph.embedded import SYSTEM_USER, EmbeddedServer
from docgraph.errors import WrongTransaction
from tests.migrations.tools import drift, program
from tests.servers import FAST, temporary_home

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Installed

REACHED = "SELECT docgraph.wal_position()::pg_lsn >= %s::pg_lsn"


@pytest.fixture
def standby(database: Installed) -> Iterator[str]:
    """The test's database on a standby of its server."""
    primary = database.cluster.server
    if primary.embedded is None:
        pytest.skip("needs the programs and the files of the server")
    with temporary_home() as home:
        home.mkdir()
        data = home / "pgdata"
        # --write-recovery-conf makes it a standby, which follows.
        done = program(
            primary, "pg_basebackup", "-D", data, "-d", primary.conninfo(), "-R", "-X", "stream", "-c", "fast"
        )
        assert done.returncode == 0, done.stderr
        if os.geteuid() == 0:
            user = pwd.getpwnam(SYSTEM_USER)
            for path in (home, data, *data.rglob("*")):
                os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)
        server = EmbeddedServer(home, bin_dir=primary.embedded.bin_dir, settings=FAST)
        try:
            server.start()
            yield server.conninfo_for(database.name)
        finally:
            server.stop()


def let_it_follow(primary: Installed, standby: str) -> None:
    """Until the standby shows what the primary has; servers of tests do not put a commit on disk at once."""
    with primary.connect() as writer, psycopg.connect(standby, autocommit=True) as reader:
        writer.execute("SET synchronous_commit = on")
        writer.execute("CHECKPOINT")
        ((written,),) = writer.execute("SELECT docgraph.wal_position()").fetchall()
        while reader.execute(REACHED, (written,)).fetchone() != (True,):
            time.sleep(0.005)


def test_verification_runs_on_a_standby(standby: str) -> None:
    with psycopg.connect(standby) as connection:
        assert connection.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)
    assert drift(standby) == []


def test_a_reader_of_the_standby_waits_for_what_was_written(database: Installed, standby: str) -> None:
    """Until the standby has replayed the position that the write gave; then the write is there."""
    with DocGraph(database.conninfo) as writer, DocGraph(standby) as reader:
        for count in range(20):
            done = writer.put_documents([{"id": "a", "title": str(count)}])
            with psycopg.connect(standby) as connection:
                while connection.execute(REACHED, (done.wal,)).fetchone() != (True,):
                    time.sleep(0.005)
            found = reader.get_document("a")
            assert found is not None
            assert found.title == str(count)
        gone = writer.delete_documents(["a"])
        with psycopg.connect(standby) as connection:
            while connection.execute(REACHED, (gone.wal,)).fetchone() != (True,):
                time.sleep(0.005)
        assert reader.get_document("a") is None
        assert reader.list_documents() == []


def test_writing_calls_are_refused_on_a_standby(standby: str) -> None:
    with DocGraph(standby) as client, pytest.raises(WrongTransaction, match="primary"):
        client.put_documents([{"id": "a"}])


def test_reading_calls_run_on_a_standby(standby: str) -> None:
    with DocGraph(standby) as client:
        assert client.whoami().login == "postgres"
        assert client.embedding_space() is not None
