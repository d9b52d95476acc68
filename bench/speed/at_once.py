"""How much several clients get done at once, each with a connection of its own, and how long a call takes.

As threads of one process, which share Python's lock, as the requests of a web server do; and as processes,
which share nothing but the machine.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any

import numpy as np

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
Client = Callable[..., list[float]]


def ways(superuser: str, login: str, drivers: Sequence[str]) -> dict[str, tuple[Callable[..., Any], str]]:
    """What opens a client, and with which conninfo; LangChain by each of the drivers."""
    return {
        "docgraph": (_docgraph, login),
        "three queries by hand": (_by_hand, superuser),
        **{f"LangChain, {driver}": (partial(_langchain, driver), superuser) for driver in drivers},
    }


def measure(
    superuser: str, login: str, dimensions: int, *, clients: int, seconds: float, drivers: Sequence[str]
) -> dict[str, list[list[float]]]:
    """The seconds of all calls, in each round, by turns."""
    everybody = ways(superuser, login, drivers)
    found: dict[str, list[list[float]]] = {
        f"{name}, {kind}": [] for kind in ("threads", "processes") for name in everybody
    }
    for number in range(_ROUNDS):
        for kind, together in (("threads", _as_threads), ("processes", _as_processes)):
            for place in np.random.default_rng([19, number]).permutation(len(everybody)):
                name = [*everybody][place]
                of_one, conninfo = everybody[name]
                done = together(partial(_client, of_one, conninfo, dimensions), clients, seconds)
                found[f"{name}, {kind}"].append([each for of_client in done for each in of_client])
    return found


def _as_threads(client: Client, clients: int, seconds: float) -> list[list[float]]:
    ready = threading.Barrier(clients)
    with ThreadPoolExecutor(clients) as pool:
        return list(
            pool.map(lambda number: client(number=number, ready=ready, seconds=seconds), range(clients))
        )


def _as_processes(client: Client, clients: int, seconds: float) -> list[list[float]]:
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
) -> list[float]:
    """The seconds of the calls that one got done after all were ready."""
    warnings.simplefilter("ignore", ServerVersionWarning)
    asked = corpus.questions(200, dimensions)
    # Each begins elsewhere among the questions.
    questions = count(number * 23)
    with opened(conninfo, asked) as call:
        for _ in range(_WARM):
            call(next(questions) % len(asked))
        ready.wait(_PATIENCE)
        done = []
        end = time.perf_counter() + seconds
        while (began := time.perf_counter()) < end:
            call(next(questions) % len(asked))
            done.append(time.perf_counter() - began)
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
def _langchain(driver: str, superuser: str, asked: Questions) -> Iterator[Call]:
    with langchain_peer.opened(superuser, asked, driver) as search:
        yield lambda number: search(number, None)
