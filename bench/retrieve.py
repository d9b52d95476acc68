"""How long retrieval takes: `python -m bench.retrieve`.

In one run, with the same data and questions, by turns, through docgraph's Python client as an ordinary
login, objects included, beside

- the bare vector search of pgvector on the same tables, and the same within a plan's documents;
- LangChain's `PGVectorStore` on the same server, and LanceDB and Chroma, where they are limited to a plan's
  documents: those that are installed.

How it grows: `python -m bench.retrieve --chunks 100000 1000000 --no-peers --clients 0`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from rich.console import Console

from bench import machine
from bench import retrieve_tables as tables
from bench.retrieve_stages import stages
from docgraph.access import EmbeddingSpace
from docgraph.engine import ServerVersionWarning

_THREADS = "OPENBLAS_NUM_THREADS"
"""Read when NumPy is imported."""


def main() -> int:
    given = _arguments()
    # Which server it is stands in the result.
    warnings.simplefilter("ignore", ServerVersionWarning)
    console = Console(
        highlight=False, markup=False, soft_wrap=True, width=None if sys.stdout.isatty() else 110
    )
    command = " ".join(["python -m bench.retrieve", *sys.argv[1:]])
    with machine.server(given.url) as server:
        about = machine.description(server) | {"command": command}
        for key, value in about.items():
            console.print(f"{key}: {value}")
        results = _measure(server, given, console)
    about["load at the end"] = " ".join(f"{load:.2f}" for load in os.getloadavg())
    console.print(f"load at the end: {about['load at the end']}")
    if given.json:
        given.json.write_text(json.dumps({"about": about, "results": results}, indent=2) + "\n", "utf-8")
    return 0 if all(one["met"] for result in results.values() for one in result["targets"]) else 1


def _measure(server: str, given: argparse.Namespace, console: Console) -> dict[str, Any]:
    space = EmbeddingSpace("bench", given.dimensions, "cosine", "english", 100.0)
    results: dict[str, Any] = {}
    questions: dict[int, dict[str, Any]] = {}
    for count in given.chunks:
        with machine.database(server, "retrieve", space) as database:
            for title, result in stages(database, count, given, console.print):
                tables.show(console, title, result)
                results[title] = result
                questions.setdefault(count, result)
    if len(questions) > 1:
        results["growth"] = {"targets": tables.growth(questions)}
        tables.show_targets(console, results["growth"]["targets"])
    return results


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.retrieve", description="How long retrieval takes, beside its peers."
    )
    parser.add_argument("--chunks", type=int, nargs="+", default=[100_000], help="ten in a document")
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--rounds", type=int, default=200, help="questions; each is put to everybody")
    parser.add_argument(
        "--patience", type=float, default=60, help="seconds after which one sits out the other rounds"
    )
    parser.add_argument("--clients", type=int, default=8, help="at once; 0 leaves that out")
    parser.add_argument("--seconds", type=float, default=10, help="that they work in each round")
    parser.add_argument("--url", help="a server, as its superuser; default: an embedded one as it is shipped")
    parser.add_argument("--no-peers", action="store_true", help="without LangChain, LanceDB and Chroma")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    return parser.parse_args()


if __name__ == "__main__":
    if _THREADS not in os.environ:
        # The threads of NumPy's library go on spinning after a call, on the core that the next in turn needs.
        os.environ[_THREADS] = "1"
        os.execv(sys.executable, [sys.executable, "-m", "bench.retrieve", *sys.argv[1:]])  # noqa: S606 - ourselves
    sys.exit(main())
