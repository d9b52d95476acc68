"""How long a plan takes: `python -m bench.plan`, or with --hub for a document of very many relationships.

In one run, with the same data and questions, by turns, as an ordinary login, beside:

- the bare vector search of pgvector for the seeds, without any filter: by HNSW, and exactly; NumPy in memory;
- the same plan made by client-side calls one after another (it must be the same);
- `langchain-graph-retriever`, if it is installed: pip install '.[bench]'.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from bench import corpus, database_calls, graph_peer, hub, machine, plan_tables
from bench.reader import reader
from bench.timing import WARM, Contender, Timed, by_turns
from docgraph.access import EmbeddingSpace
from docgraph.engine import ServerVersionWarning

_SMALLER = 10
"""The second tenant is so many times smaller."""

_THREADS = "OPENBLAS_NUM_THREADS"
"""Read when NumPy is imported."""


def main() -> int:
    given = _arguments()
    # Which server it is stands in the result.
    warnings.simplefilter("ignore", ServerVersionWarning)
    console = Console(
        highlight=False, markup=False, soft_wrap=True, width=None if sys.stdout.isatty() else 110
    )
    with machine.server(given.url) as server:
        about = machine.description(server) | {"command": " ".join(["python -m bench.plan", *sys.argv[1:]])}
        for key, value in about.items():
            console.print(f"{key}: {value}")
        results = _measure(server, given, console)
    about["load at the end"] = " ".join(f"{load:.2f}" for load in os.getloadavg())
    console.print(f"load at the end: {about['load at the end']}")
    if given.json:
        given.json.write_text(json.dumps({"about": about, "results": results}, indent=2) + "\n", "utf-8")
    return 0 if all(ratio["met"] for result in results.values() for ratio in result["targets"]) else 1


def _measure(server: str, given: argparse.Namespace, console: Console) -> dict[str, Any]:
    space = EmbeddingSpace("bench", given.dimensions, "cosine", "english", 100.0)
    results = {}
    if given.hub:
        with machine.database(server, "plan", space) as database:
            results["hub"] = hub.measure(database, given.hub, given.rounds, given.patience)
        plan_tables.show_hub(console, results["hub"])
        return results
    for count in given.documents:
        with machine.database(server, "plan", space) as database:
            for title, result in _plans(database, count, given, console):
                plan_tables.show(console, title, result)
                results[title] = result
    return results


def _plans(
    database: str, count: int, given: argparse.Namespace, console: Console
) -> Iterator[tuple[str, dict[str, Any]]]:
    """First without the peers: what they hold in memory would push the others out of the caches."""
    began = time.perf_counter()
    own = corpus.make(corpus.TENANT, count, given.dimensions, seed=0)
    other = corpus.make("second", max(count // _SMALLER, 10), given.dimensions, seed=1)
    with corpus.loading(database) as connection:
        for one in (own, other):
            corpus.load(connection, one)
    console.print(f"{count} documents loaded and indexed in {time.perf_counter() - began:.0f} s")
    asked = corpus.questions(given.rounds + WARM, given.dimensions)
    with (
        reader(database, corpus.CLAIM["tags"]) as login,
        database_calls.contenders(database, login, asked) as contenders,
    ):
        everybody = [*contenders, _numpy([own, other], asked)]
        found = by_turns(everybody, given.rounds, given.patience)
        _require_same(found)
        yield f"{count:,} documents", plan_tables.summary(everybody, found)
        peers = [] if given.no_peers else list(graph_peer.contenders(own, asked, console.print))
        if peers:
            both = [one for one in contenders if one.name.startswith("plan")] + peers
            found = by_turns(both, given.rounds, given.patience)
            yield f"{count:,} documents, beside the graph retriever", plan_tables.summary(both, found)


def _numpy(parts: list[corpus.Corpus], asked: list[list[float]]) -> Contender:
    """All vectors as one matrix of single precision, in one thread."""
    matrix = np.concatenate([part.vectors for part in parts])
    ids = [one for part in parts for one in part.ids]

    def call(number: int) -> list[str]:
        near = matrix @ np.asarray(asked[number], np.float32)
        best = np.argpartition(-near, database_calls.SEEDS)[: database_calls.SEEDS]
        return [ids[place] for place in best[np.argsort(-near[best])]]

    return Contender("NumPy in memory", call, lambda answer: (answer, answer))


def _require_same(found: dict[str, Timed]) -> None:
    """The client-side plan is the plan, or the comparison is of different things."""
    for method in database_calls.METHODS:
        made, plans = found[f"client-side plan, {method}"].answers, found[f"plan, {method}"].answers
        for number in made.keys() & plans.keys():
            if made[number] != plans[number]:
                raise RuntimeError(f"question {number}, {method}: the client side has another plan")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.plan", description="How long a plan takes.")
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--rounds", type=int, default=200, help="questions; each is put to everybody")
    parser.add_argument(
        "--patience", type=float, default=60, help="seconds after which one sits out the other rounds"
    )
    parser.add_argument("--url", help="a server, as its superuser; default: an embedded one as it is shipped")
    parser.add_argument("--no-peers", action="store_true", help="without langchain-graph-retriever")
    parser.add_argument(
        "--hub",
        type=int,
        nargs="?",
        const=1_000_000,
        help="instead: one document with so many relationships",
    )
    parser.add_argument("--json", type=Path, help="a file for the figures")
    return parser.parse_args()


if __name__ == "__main__":
    if _THREADS not in os.environ:
        # The threads of NumPy's library go on spinning after a call, on the core that the next in turn needs.
        os.environ[_THREADS] = "1"
        os.execv(sys.executable, [sys.executable, "-m", "bench.plan", *sys.argv[1:]])  # noqa: S606 - ourselves
    sys.exit(main())
