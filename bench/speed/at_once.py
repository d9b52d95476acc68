"""How much several clients get done at once, each with a connection of its own.

As threads of one process, which share Python's lock, as the requests of a web server do; and as processes,
which share nothing but the machine.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any

from bench.corpora import corpus
from bench.peers import langchain as langchain_peer
from bench.peers.langchain import Questions
from bench.speed import chunk_calls
from docgraph.engine import ServerVersionWarning

_PATIENCE = 120.0
"""Seconds within which all clients must be there and warm."""
_WARM = 20
_ROUNDS = 3

Call = Callable[[int], Any]
Client = Callable[..., int]


def ways(superuser: str, login: str, *, peers: bool) -> dict[str, tuple[Callable[..., Any], str]]:
    """What opens a client, and with which conninfo."""
    found: dict[str, tuple[Callable[..., Any], str]] = {
        "docgraph": (_docgraph, login),
        "three queries by hand": (_by_hand, superuser),
    }
    return found | {"LangChain": (_langchain, superuser)} if peers else found


def measure(
    superuser: str, login: str, dimensions: int, *, clients: int, seconds: float, peers: bool
) -> dict[str, list[float]]:
    """Calls in a second, in each round, by turns."""
    found: dict[str, list[float]] = {}
    for _ in range(_ROUNDS):
        for kind, together in (("threads", _as_threads), ("processes", _as_processes)):
            for name, (of_one, conninfo) in ways(superuser, login, peers=peers).items():
                done = together(partial(_client, of_one, conninfo, dimensions), clients, seconds)
                found.setdefault(f"{name}, {kind}", []).append(sum(done) / seconds)
    return found


def _as_threads(client: Client, clients: int, seconds: float) -> list[int]:
    ready = threading.Barrier(clients)
    with ThreadPoolExecutor(clients) as pool:
        return list(
            pool.map(lambda number: client(number=number, ready=ready, seconds=seconds), range(clients))
        )


def _as_processes(client: Client, clients: int, seconds: float) -> list[int]:
    # Spawned, not forked: nothing of this process's connections.
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(clients, mp_context=context) as pool:
        ready = manager.Barrier(clients)
        # Who waits for the others keeps a process busy, so that each gets one.
        tasks = [
            pool.submit(client, number=number, ready=ready, seconds=seconds) for number in range(clients)
        ]
        return [task.result() for task in tasks]


def _client(
    opened: Callable[..., Any], conninfo: str, dimensions: int, *, number: int, ready: Any, seconds: float
) -> int:
    """How many calls one got done after all were ready."""
    warnings.simplefilter("ignore", ServerVersionWarning)
    asked = corpus.questions(200, dimensions)
    # Each begins elsewhere among the questions.
    questions = count(number * 23)
    with opened(conninfo, asked) as call:
        for _ in range(_WARM):
            call(next(questions) % len(asked))
        ready.wait(_PATIENCE)
        done = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            call(next(questions) % len(asked))
            done += 1
    return done


@contextmanager
def _docgraph(login: str, asked: Questions) -> Iterator[Call]:
    with chunk_calls.reading(login) as client:
        yield lambda number: client.retrieve(embedding=asked[number], method="approximate")


@contextmanager
def _by_hand(superuser: str, asked: Questions) -> Iterator[Call]:
    with chunk_calls.by_hand(superuser) as connection:
        yield chunk_calls.in_three(connection, connection, asked, "approximate").call


@contextmanager
def _langchain(superuser: str, asked: Questions) -> Iterator[Call]:
    with langchain_peer.opened(superuser, asked) as search:
        yield lambda number: search(number, None)
