"""Several handles and several processes share one server, and the last one stops it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tests.engine.embedded import Client, query, running, server_at

if TYPE_CHECKING:
    from pathlib import Path


def test_the_last_of_two_processes_stops_it(home: Path) -> None:
    first, second = Client(home), Client(home)
    assert first.line() == second.line() != ""
    first.end()
    assert running(home)
    second.end()
    assert not running(home)


def test_handles_of_one_process_are_counted(home: Path) -> None:
    first, second = server_at(home).start(), server_at(home).start()
    first.start()
    first.release()
    first.release()
    assert running(home)
    second.release()
    assert not running(home)


def test_threads_share_it_too(home: Path) -> None:
    def come_and_go() -> None:
        for _ in range(3):
            with server_at(home) as server:
                assert query(server, "SELECT 1") == [(1,)]

    with ThreadPoolExecutor(8) as threads:
        for done in [threads.submit(come_and_go) for _ in range(8)]:
            done.result()
    assert not running(home)


def test_eight_processes_start_at_once(home: Path) -> None:
    clients = [Client(home) for _ in range(8)]
    assert len({client.line() for client in clients}) == 1
    for client in clients[:-1]:
        client.end()
    assert running(home)
    clients[-1].end()
    assert not running(home)


def test_keep_and_stop(home: Path) -> None:
    with server_at(home, keep=True) as server:
        pass
    assert server.status().running
    assert server.status().kept
    client = Client(home)
    assert client.line()
    assert server.stop()  # though in use
    assert not running(home)
    assert not server.stop()
    assert not server.status().kept
    client.end()


FORKING = """
import os, sys
from pathlib import Path
from docgraph.embedded import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1])).start()
if os.fork() == 0:
    server.release()
    sys.exit()  # with everything that runs at exit
os.wait()
print(server.status().running, server.ready, flush=True)
if os.fork() == 0:
    with server.start():
        print(server.status().running, flush=True)
    sys.exit()
os.wait()
print(server.status().running, flush=True)
"""


def test_a_forked_child_does_not_stop_its_parents_server(home: Path) -> None:
    client = Client(home, FORKING)
    assert [client.line() for _ in range(3)] == ["True True", "True", "True"]
    client.end()
    assert not running(home)
