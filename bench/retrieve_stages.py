"""What is measured of retrieval, one after another, on one set of documents."""

from __future__ import annotations

import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench import at_once, chunk_calls, chunks, corpus, retrieve_peers
from bench import retrieve_tables as tables
from bench.reader import reader
from bench.retrieve_peers import Say
from bench.timing import WARM, Contender, Timed, by_turns

_EQUAL = 0.99
"""Chunks whose distances are equal in millionths may come in another order."""

Result = tuple[str, dict[str, Any]]


def stages(database: str, count: int, given: Namespace, say: Say) -> Iterator[Result]:
    """Whole questions, then within plans, then of several clients, each with its figures and targets.

    What holds its data in memory comes into being late: it would push the others out of the caches.
    """
    documents = corpus.make(corpus.TENANT, count // chunks.EACH, given.dimensions, seed=0)
    peers = _load(database, documents, given, say)
    asked = corpus.questions(given.rounds + WARM, given.dimensions)
    with reader(database, corpus.CLAIM["tags"]) as login, ExitStack() as stack:
        client = stack.enter_context(chunk_calls.reading(login))
        bare = stack.enter_context(chunk_calls.by_hand(database))
        everybody = [chunk_calls.bare(bare, asked)]
        for method in chunk_calls.METHODS:
            searching = stack.enter_context(chunk_calls.by_hand(database, exact=method == "exact"))
            everybody.append(chunk_calls.in_three(bare, searching, asked, method))
            everybody.append(chunk_calls.retrieving(client, asked, method))
            everybody.append(chunk_calls.planning(client, asked, method))
        if peers:
            everybody += retrieve_peers.langchain(database, stack, asked)
        found = by_turns(everybody, given.rounds, given.patience)
        yield f"{count:,} chunks: questions", tables.summary(everybody, found)

        plans = [client.plan(embedding=question, method="approximate") for question in asked]
        within = [[one.document_id for one in plan.documents] for plan in plans]
        everybody = [*chunk_calls.executing(client, asked, plans), chunk_calls.within(bare, asked, within)]
        if peers:
            everybody += retrieve_peers.langchain(database, stack, asked, within)
        if not given.no_peers:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="docgraph-bench-")))
            everybody += retrieve_peers.others(folder, documents, asked, within, say)
        found = by_turns(everybody, given.rounds, given.patience)
        wanted = {
            number: chunk_calls.nearest(client, asked[number], plans[number])
            for number in range(given.rounds)
        }
        yield f"{count:,} chunks: within plans", _compared(everybody, found, wanted)

        if given.clients:
            measured = at_once.measure(
                database,
                login,
                given.dimensions,
                clients=given.clients,
                seconds=given.seconds,
                peers=peers,
            )
            yield f"{count:,} chunks: {given.clients} clients", tables.of_clients(measured)


def _load(database: str, documents: corpus.Corpus, given: Namespace, say: Say) -> bool:
    """Whether LangChain is there, too."""
    began = time.perf_counter()
    count = len(documents.ids)
    with chunks.loading(database, count * chunks.EACH) as connection:
        chunks.load(connection, documents)
    peers = not given.no_peers and retrieve_peers.load_langchain(database, documents, say)
    took = time.perf_counter() - began
    say(f"{count:,} documents of {chunks.EACH} chunks loaded and indexed in {took:.0f} s")
    return peers


def _compared(
    everybody: list[Contender], found: dict[str, Timed], wanted: dict[int, list[str]]
) -> dict[str, Any]:
    result = tables.summary(everybody, found, wanted)
    if result["figures"]["ANY by hand"]["nearest"] < _EQUAL:
        raise RuntimeError("docgraph's nearest chunks within plans are others than those found by hand")
    return result
