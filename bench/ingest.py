"""How fast documents come in: `python -m bench.ingest`.

- rows through `put`, beside a raw COPY of the same rows into the same indexed tables, by turns on one server;
- deleting 85 of 10,000 documents;
- a folder of 1,000 Markdown files with the default offline embedder: first time, again, one edited, one
  removed;
- the client's memory, for 20,000 chunks with vectors; with --memory for 1,000,000 chunks, without vectors,
  because their index alone would take hours.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import deleting, folder, loading, machine, memory
from docgraph import defaults
from docgraph.access import EmbeddingSpace
from docgraph.engine import ServerVersionWarning

Results = dict[str, dict[str, float]]

TARGETS = {
    ("loading", "ratio"): (">=", 0.5),
    ("deleting", "seconds"): ("<", 1.0),
    ("folder", "times_faster"): (">=", 10.0),
    ("memory", "peak_mb"): ("<", 300.0),
    ("memory_of_many", "peak_mb"): ("<", 300.0),
}


def main() -> int:
    given = _arguments()
    # Which server it is stands in the result.
    warnings.simplefilter("ignore", ServerVersionWarning)
    with machine.server(given.url) as server:
        about = machine.description(server) | {"command": " ".join(["python -m bench.ingest", *sys.argv[1:]])}
        results = _measure(server, given)
    Console().print(_table(about, results))
    given.output.write_text(
        json.dumps({"about": about, "results": results}, indent=2) + "\n", encoding="utf-8"
    )
    return 0 if all(_met(*key, results) is not False for key in TARGETS) else 1


def _measure(server: str, given: argparse.Namespace) -> Results:
    results: Results = {}
    own = EmbeddingSpace("bench", given.dimensions, "cosine", "english", 100.0)
    default = EmbeddingSpace(defaults.MODEL, defaults.DIMENSIONS, "cosine", "english", 100.0)
    wanted = given.only or ["loading", "deleting", "folder", "memory"]
    if "loading" in wanted:
        with machine.database(server, "put", own) as put, machine.database(server, "copy", own) as copy:
            results["loading"] = loading.compare(
                put,
                copy,
                count=given.documents,
                chunks=given.chunks,
                dimensions=given.dimensions,
                rounds=given.rounds,
            )
    if "deleting" in wanted:
        with machine.database(server, "delete", own) as one:
            results["deleting"] = deleting.measure(one, 10_000, 85, given.dimensions)
    if "folder" in wanted:
        with machine.database(server, "folder", default) as one:
            results["folder"] = folder.measure(one, 1000)
    if "memory" in wanted:
        with machine.database(server, "memory", own) as one:
            results["memory"] = memory.measure(one, 20_000, given.dimensions)
    if given.memory:
        with machine.database(server, "memory", own) as one:
            results["memory_of_many"] = memory.measure(one, given.memory, 0)
    return results


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.ingest", description="How fast documents come in.")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--chunks", type=int, default=10, help="of each document")
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--rounds", type=int, default=5, help="how often put and COPY take turns")
    parser.add_argument("--url", help="a server, as its superuser; default: an embedded one as it is shipped")
    parser.add_argument(
        "--memory", type=int, nargs="?", const=1_000_000, help="chunks of the long measurement"
    )
    parser.add_argument(
        "--only", action="append", choices=["loading", "deleting", "folder", "memory", "none"]
    )
    parser.add_argument("--output", type=Path, default=Path("bench-ingest.json"))
    return parser.parse_args()


def _met(part: str, name: str, results: Results) -> bool | None:
    """None if it was not measured."""
    if part not in results:
        return None
    sign, bound = TARGETS[part, name]
    return results[part][name] < bound if sign == "<" else results[part][name] >= bound


def _table(about: dict[str, str], results: Results) -> Table:
    caption = "\n".join(f"{key}: {value}" for key, value in about.items())
    table = Table(
        "what", "figure", "target", title="Bringing documents in", caption=caption, caption_justify="left"
    )
    for part, figures in results.items():
        for name, value in figures.items():
            target = TARGETS.get((part, name))
            met = "" if _met_or_none(part, name, results) is not False else " missed"
            table.add_row(
                f"{part}: {name}", f"{value:,.2f}", f"{target[0]} {target[1]:g}{met}" if target else ""
            )
    return table


def _met_or_none(part: str, name: str, results: Results) -> bool | None:
    return _met(part, name, results) if (part, name) in TARGETS else None


if __name__ == "__main__":
    sys.exit(main())
