"""How long retrieval takes: by turns, by docgraph's client as an ordinary login, objects included, beside

- the bare vector search of pgvector on the same tables, and the same within a plan's documents;
- LangChain's `PGVectorStore` on the same server, and LanceDB and Chroma, where they are limited to a plan's
  documents: those that are installed.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from bench import machine
from bench.corpora import chunks, corpus
from bench.peers.langchain import DRIVERS
from bench.reader import reader
from bench.results import Cell, Measured, Say, Table, Target
from bench.speed import at_once, chunk_calls, resident, retrieve_peers, retrieve_targets, tables
from bench.speed.sizes import Size
from bench.timing import WARM, Contender, Timed, by_turns
from docgraph.access import EmbeddingSpace
from docgraph.client import DocGraph

_EQUAL = 0.99
"""Chunks whose distances are equal in millionths may come in another order."""
_CLIENTS, _TIMES = 8, 3.0
"""With so many clients docgraph is to get done so many times what LangChain does."""
_BY_HAND = "three queries by hand"
_GROWTH = 2.0
"""How many times as long it may take on the most chunks as on the fewest."""


def measure(server: str, size: Size, say: Say) -> Measured:
    space = EmbeddingSpace("bench", size.dimensions, "cosine", "english", 100.0)
    measured = Measured()
    medians = []
    for count in size.chunks:
        with machine.database(server, "retrieve", space) as database:
            medians.append(_questions(database, count, size, say, measured))
    if len(medians) > 1:
        measured.targets.append(
            Target(
                f"{retrieve_targets.OURS}: {size.chunks[-1]:,} to {size.chunks[0]:,} chunks",
                medians[-1] / medians[0],
                "<=",
                _GROWTH,
            )
        )
    return measured


def _questions(database: str, count: int, size: Size, say: Say, measured: Measured) -> float:
    """Whole questions, then within plans, then of several clients. Gives the median of a retrieval.

    What holds its data in memory comes into being late: it would push the others out of the caches.
    """
    documents = corpus.make(corpus.TENANT, count // chunks.EACH, size.dimensions, seed=0)
    peers = _load(database, documents, size, say, measured)
    asked = corpus.questions(size.rounds + WARM, size.dimensions)
    with reader(database, corpus.CLAIM["tags"]) as login, ExitStack() as stack:
        client = stack.enter_context(chunk_calls.reading(login))
        bare = stack.enter_context(chunk_calls.by_hand(database))
        everybody = [chunk_calls.bare(bare, asked)]
        for method in chunk_calls.METHODS:
            searching = stack.enter_context(chunk_calls.by_hand(database, exact=method == "exact"))
            everybody.append(chunk_calls.in_three(bare, searching, asked, method))
            everybody.append(chunk_calls.retrieving(client, asked, method))
            everybody.append(chunk_calls.planning(client, asked, method))
        worded = corpus.worded(len(asked))
        everybody += [
            chunk_calls.retrieving_by_both(client, asked, worded, selection)
            for selection in ("similarity", "bridge")
        ]
        theirs = [*retrieve_peers.langchain(database, stack, asked, say)] if peers else []
        everybody += theirs
        drivers = [driver for driver in DRIVERS if f"LangChain, {driver}" in {one.name for one in theirs}]
        whole = by_turns(everybody, size.rounds, size.patience)
        _add(measured, f"Retrieval, {count:,} chunks", everybody, whole)

        plans = [client.plan(embedding=question, method="approximate") for question in asked]
        within = [[one.document_id for one in plan.documents] for plan in plans]
        everybody = [
            *chunk_calls.executing(client, asked, plans),
            chunk_calls.within(bare, asked, within),
            chunk_calls.within_plans(bare, asked, plans),
        ]
        if peers:
            everybody += retrieve_peers.langchain(database, stack, asked, say, within)
        if size.peers:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="docgraph-bench-")))
            everybody += retrieve_peers.others(folder, documents, asked, within, say)
        found = by_turns(everybody, size.rounds, size.patience)
        wanted = {
            number: chunk_calls.nearest(client, asked[number], plans[number]) for number in range(size.rounds)
        }
        _add(measured, f"Within plans, {count:,} chunks", everybody, found, wanted)

        title = f"Memory, {count:,} chunks"
        # What fails here does not take what is above with it.
        with say.peer(title):
            measured.tables.append(
                resident.measure(
                    database, login, size.dimensions, calls=5 * size.rounds, peers=bool(drivers), title=title
                )
            )
        for clients in size.clients:
            with say.peer(f"{clients} clients at once"):
                done = at_once.measure(
                    database, login, size.dimensions, clients=clients, seconds=size.seconds, drivers=drivers
                )
                _add_clients(measured, count, clients, size.seconds, done)
    return whole[retrieve_targets.OURS].milliseconds(0.5)


def _load(database: str, documents: corpus.Corpus, size: Size, say: Say, measured: Measured) -> bool:
    """Whether LangChain is there, too."""
    began = time.perf_counter()
    count = len(documents.ids) * chunks.EACH
    built: dict[str, float] = {}
    with chunks.loading(database, count, built) as connection:
        chunks.load(connection, documents)
    with DocGraph(database) as client:
        rebuilding = time.perf_counter()
        client.rebuild_lexical()
        built["lexical_index and its tables"] = time.perf_counter() - rebuilding
    theirs = retrieve_peers.load_langchain(database, documents, say) if size.peers else {}
    title = f"Building what is searched, {count:,} chunks"
    measured.tables.append(Table(title, ("index", "seconds"), [*(built | theirs).items()]))
    say(f"{count:,} chunks loaded and indexed in {time.perf_counter() - began:.0f} s")
    measured.tables.append(machine.sizes(database, f"Storage, {count:,} chunks"))
    return bool(theirs)


def _add(
    measured: Measured,
    title: str,
    everybody: list[Contender],
    found: dict[str, Timed],
    wanted: dict[int, list[str]] | None = None,
) -> None:
    answers = tables.read(everybody, found)
    columns = {
        "chunks": tables.means(answers, lambda _, __, answer: len(answer[0])),
        "documents": tables.means(answers, lambda _, __, answer: len(answer[1])),
    }
    if wanted is not None:
        columns["nearest"] = tables.means(
            answers,
            lambda _, number, answer: len({*answer[0]} & {*wanted[number]}) / len(wanted[number]),
        )
        same = columns["nearest"][retrieve_targets.ANY]
        measured.targets.append(Target(f"{title}: nearest by docgraph, to those by hand", same, ">=", _EQUAL))
    measured.tables.append(tables.times(title, found, columns))
    measured.targets += tables.ratios(found, retrieve_targets.RATIOS, title)


def _add_clients(
    measured: Measured, count: int, clients: int, seconds: float, done: dict[str, list[list[float]]]
) -> None:
    rates: dict[str, float] = {}
    rows: list[Sequence[Cell]] = []
    for name, rounds in done.items():
        each = [len(one) / seconds for one in rounds]
        rates[name] = sorted(each)[len(each) // 2]
        timed = Timed([spent for one in rounds for spent in one])
        times = (timed.milliseconds(share) for share in (0.5, 0.95, 0.99))
        rows.append((name, rates[name], ", ".join(f"{one:,.0f}" for one in each), *times))
    title = f"{clients} {'client' if clients == 1 else 'clients'} at once, {count:,} chunks"
    columns = ("what", "calls a second", "in each round", "p50 ms", "p95 ms", "p99 ms")
    measured.tables.append(Table(title, columns, rows))
    if clients != _CLIENTS:
        return
    for kind in ("threads", "processes"):
        # The faster one of its drivers.
        if theirs := max(rates.get(f"LangChain, {driver}, {kind}", 0) for driver in DRIVERS):
            ours, by_hand = (rates[f"{name}, {kind}"] / theirs for name in ("docgraph", _BY_HAND))
            what = f"{clients} clients as {kind}: docgraph to LangChain"
            measured.targets.append(Target(what, ours, ">=", _TIMES, {_BY_HAND: by_hand}))
