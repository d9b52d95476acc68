"""Never half-made, and recovering from whatever was killed or deleted."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import psycopg

from docgraph.embedded import EmbeddedServer
from tests.engine.embedded import (
    AS_ROOT,
    Client,
    kill_server,
    pid_of,
    query,
    running,
    server_at,
)


def test_a_killed_client_counts_no_more(home: Path) -> None:
    killed, other = Client(home), Client(home)
    assert killed.line() == other.line()
    killed.kill()
    assert running(home)
    other.end()
    assert not running(home)


def test_a_server_left_by_a_killed_client_is_stopped_by_the_next(home: Path) -> None:
    killed = Client(home)
    pid = killed.line()
    killed.kill()
    assert not EmbeddedServer(home).status().in_use
    next_one = Client(home)
    assert next_one.line() == pid
    next_one.end()
    assert not running(home)


def test_clients_killed_while_they_make_the_data_folder(home: Path) -> None:
    for delay in (0.15, 0.25, 0.35, 0.45):
        client = Client(home)
        time.sleep(delay)
        client.kill()
    with server_at(home) as server:
        assert query(server, "SELECT 1") == [(1,)]
    assert not running(home)


def test_a_killed_server_is_started_again(home: Path) -> None:
    with EmbeddedServer(home) as server:  # with its own settings: what is committed is kept
        query(server, "CREATE TABLE kept AS SELECT 42 AS x")
        kill_server(home)
        assert not server.ready
        server.ensure()
        assert query(server, "SELECT x FROM kept") == [(42,)]
    assert not running(home)


def test_processes_that_outlive_a_killed_server(home: Path) -> None:
    with server_at(home) as server:
        with psycopg.connect(server.conninfo) as conn:
            backend = conn.info.backend_pid
            os.kill(backend, signal.SIGSTOP)  # it keeps the shared memory
            kill_server(home)
            threading.Timer(1.0, os.kill, (backend, signal.SIGCONT)).start()
            before = time.monotonic()
            server.ensure()
            assert time.monotonic() - before > 0.9
            conn.close()
        assert query(server, "SELECT 1") == [(1,)]


def test_a_process_id_used_again(home: Path) -> None:
    with server_at(home) as server:
        kill_server(home)
        uid = home.stat().st_uid
        other = subprocess.Popen(["sleep", "60"], user=uid if AS_ROOT else None)
        try:
            for name in ("pgdata/postmaster.pid", ".s.PGSQL.5432.lock"):
                lines = (home / name).read_text().split("\n")
                (home / name).write_text("\n".join([str(other.pid), *lines[1:]]))
            assert not running(home)
            assert not server.stop()
            server.ensure()
            assert query(server, "SELECT 1") == [(1,)]
            assert pid_of(home) != other.pid
            assert other.poll() is None
        finally:
            other.kill()
            other.wait()


def test_an_unreadable_pid_file(home: Path) -> None:
    with server_at(home) as server:
        kill_server(home)
        (home / "pgdata/postmaster.pid").write_text("")
        server.ensure()
        assert query(server, "SELECT 1") == [(1,)]


def test_a_deleted_home_is_no_trouble_at_the_end(home: Path) -> None:
    server = server_at(home).start()
    pid = pid_of(home)
    shutil.rmtree(home)
    os.kill(pid, signal.SIGQUIT)  # as PostgreSQL does itself after a while
    server.release()
    assert not server.ready
