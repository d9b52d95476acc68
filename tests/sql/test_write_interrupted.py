"""A call that is interrupted has written nothing, and the next one works."""

from __future__ import annotations

import threading
import time

import pytest

from docgraph.client import DocGraph
from docgraph.errors import ServerUnavailable, StatementCancelled
from tests.conftest import Installed
from tests.sql.asking import Connection, nothing_written
from tests.sql.writing import listed, put

BIG = [
    {"id": f"big{n}", "chunks": [{"text": f"{n} {m}", "embedding": [1, n, m, 0]} for m in range(300)]}
    for n in range(40)
]
"""Takes longer than the interruptions below."""


def test_a_statement_timeout_leaves_nothing(database: Installed, superuser: Connection) -> None:
    put(superuser, {"id": "kept"})
    with DocGraph(f"{database.conninfo} options='-c statement_timeout=60ms'") as client:
        with nothing_written(superuser), pytest.raises(StatementCancelled):
            client.put_documents(BIG)
        assert client.put_documents([{"id": "small"}]).added == ("small",)
    assert listed(superuser) == ["kept", "small"]


def test_a_killed_connection_leaves_nothing(database: Installed, superuser: Connection) -> None:
    with DocGraph(f"{database.conninfo} application_name=doomed") as client:
        client.put_documents([{"id": "kept"}])
        done = threading.Event()

        def kill() -> None:
            while not done.is_set():
                killed = superuser.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name = 'doomed' AND state = 'active' AND query ~ 'put_documents'"
                ).fetchall()
                if killed:
                    return
                time.sleep(0.005)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            with pytest.raises(ServerUnavailable):
                client.put_documents(BIG)
        finally:
            done.set()
            killer.join()
        assert listed(superuser) == ["kept"]
        assert client.put_documents(BIG[:2]).added == ("big0", "big1")
