"""Upgrades at once, under load, and killed on the way: always one version or the other, whole."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psycopg

from docgraph import migrate
from docgraph.engine import URL_VARIABLE
from docgraph.errors import DocgraphError, ServerUnavailable, StatementCancelled
from tests.migrations.tools import REPOSITORY, REVISIONS, clean_environment, drift

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Cluster

UPGRADE = "from docgraph import migrate; print(*migrate.upgrade())"
WAITING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def until_one_waits(conninfo: str) -> int:
    """The server process that waits for a lock."""
    with psycopg.connect(conninfo, autocommit=True) as observer:
        deadline = time.monotonic() + 20
        while (row := observer.execute(WAITING).fetchone()) is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return int(row[0])


def upgrade_all(conninfos: list[str]) -> None:
    """Upgrades from as many processes at once; each must succeed."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", UPGRADE],
            cwd=REPOSITORY,
            env=clean_environment(**{URL_VARIABLE: conninfo}),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for conninfo in conninfos
    ]
    for process in processes:
        output, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
        assert output.split()[-1] == migrate.head()


def test_four_upgrades_of_one_database_take_turns(empty: str) -> None:
    upgrade_all([empty] * 4)
    assert drift(empty) == []


def test_four_databases_of_a_fresh_cluster_at_once(untouched: Cluster) -> None:
    """The roles belong to the cluster: each of the four finds them missing."""
    conninfos = [untouched.server.conninfo(untouched.create()) for _ in range(4)]
    upgrade_all(conninfos)
    for conninfo in conninfos:
        assert drift(conninfo) == []


class Downgrade:
    """A downgrade to base in a thread, in the way of a transaction that reads the documents."""

    def __init__(self, conninfo: str) -> None:
        self.error: DocgraphError | None = None
        self.conninfo = conninfo
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            migrate.downgrade(self.conninfo, "base")
        except DocgraphError as error:
            self.error = error

    def while_documents_are_read(self, meanwhile: Callable[[int], None]) -> None:
        """Ends when the downgrade has; `meanwhile` is told the server process that waits."""
        with psycopg.connect(self.conninfo) as reader:
            reader.execute("SELECT FROM docgraph.document_nodes")
            self.thread.start()
            meanwhile(until_one_waits(self.conninfo))
            self.thread.join(timeout=30)
            assert not self.thread.is_alive()


def assert_whole(conninfo: str) -> None:
    """Nothing of the failed downgrade is there, and nothing left behind holds up the next."""
    assert migrate.current(conninfo) == migrate.head()
    assert drift(conninfo) == []
    migrate.downgrade(conninfo, REVISIONS[0])
    migrate.upgrade(conninfo)
    assert drift(conninfo) == []


def test_a_migration_gives_up_behind_a_long_transaction(empty: str) -> None:
    migrate.upgrade(empty)
    downgrade = Downgrade(empty)
    began = time.monotonic()
    downgrade.while_documents_are_read(lambda pid: None)
    # lock_timeout, and not at once; the rest is for a busy machine.
    assert 4 < time.monotonic() - began < 30
    assert isinstance(downgrade.error, StatementCancelled)
    assert_whole(empty)


def test_a_migration_whose_connection_dies_leaves_nothing_half_done(empty: str) -> None:
    migrate.upgrade(empty)

    def terminate(pid: int) -> None:
        with psycopg.connect(empty, autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(%s)", [pid])

    downgrade = Downgrade(empty)
    downgrade.while_documents_are_read(terminate)
    assert isinstance(downgrade.error, ServerUnavailable)
    assert_whole(empty)


def test_a_client_that_is_killed_leaves_nothing_half_done(empty: str) -> None:
    migrate.upgrade(empty)
    with psycopg.connect(empty) as reader:
        reader.execute("SELECT FROM docgraph.document_nodes")
        process = subprocess.Popen(
            [
                sys.executable,
                "-W",
                "ignore",
                "-c",
                "from docgraph import migrate; migrate.downgrade(None, 'base')",
            ],
            cwd=REPOSITORY,
            env=clean_environment(**{URL_VARIABLE: empty}),
            stderr=subprocess.DEVNULL,
        )
        waiting = until_one_waits(empty)
        process.kill()
        process.wait()
        # The server notices when the statement ends: at the latest when its lock_timeout does.
        with psycopg.connect(empty, autocommit=True) as observer:
            observer.execute("SELECT pg_cancel_backend(%s)", [waiting])
    assert_whole(empty)


def test_readers_are_served_while_an_upgrade_waits_its_turn(empty: str) -> None:
    """The lock that makes upgrades take turns keeps nobody else out."""
    migrate.upgrade(empty)
    with psycopg.connect(empty) as connection:
        connection.execute("SELECT pg_advisory_lock(1685021559)")
        other = threading.Thread(target=migrate.downgrade, args=(empty, REVISIONS[0]))
        other.start()
        until_one_waits(empty)
        assert migrate.current(empty) == migrate.head()
        assert drift(empty) == []
        connection.rollback()
        connection.execute("SELECT pg_advisory_unlock_all()")
        other.join(timeout=30)
    assert migrate.current(empty) == REVISIONS[0]


def test_an_upgrade_is_in_nobodys_way(empty: str) -> None:
    """Functions of the version before it read the tables in more than one order: all wait, and all go on.
    So does who has read, and writes in the same transaction."""
    migrate.upgrade(empty, "0007")
    with psycopg.connect(empty) as connection:
        connection.execute(
            "SELECT docgraph.configure_embedding_space('m', 4, 'cosine', 'english', 100),"
            " docgraph.grant_access('default', session_user::text, NULL, NULL, NULL, NULL, NULL)"
        )
    documents = """'[{"id": "a", "title": "Leave"}]'"""
    calls = [
        f"SELECT * FROM docgraph.unchanged_documents('default', '{{}}', {documents})",
        f"SELECT docgraph.put_documents('default', '{{}}', {documents})",
        "SELECT docgraph.search_nodes('default', '{}', '{1,0,0,0}')",
        "SELECT docgraph.search_nodes('default', '{}', query_text => 'leave', mode => 'bm25')",
    ]

    def call(statement: str) -> None:
        with psycopg.connect(empty) as connection:
            connection.execute(statement.encode())

    for held in calls:
        with ThreadPoolExecutor() as pool:
            with psycopg.connect(empty) as connection:
                connection.execute(held.encode())
                upgrade = pool.submit(migrate.upgrade, empty)
                until_one_waits(empty)
                others = [pool.submit(call, each) for each in calls]
                time.sleep(0.3)
                connection.execute(calls[1].encode())
            upgrade.result(timeout=30)
            for other in others:
                other.result(timeout=30)
        migrate.downgrade(empty, "0007")
