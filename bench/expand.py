"""How long an expansion takes: `python -m bench.expand`; for a large one --nodes 1000000 --edges 10000000.

In one run, with the same graph and seeds, by turns, beside:

- a recursive CTE in plain SQL, to the same depth, without limits and without access rules, as a superuser;
- networkx in memory, to the same depth, without limits, of what the caller sees (pip install '.[bench]').

And one document that leads to very many others, of which the caller sees nearly none.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from rich.console import Console
from rich.table import Table

from bench import corpus, expand_graph, machine
from bench.expand_graph import Graph
from bench.plan_tables import target
from bench.reader import reader
from bench.timing import WARM, Contender, by_turns
from docgraph.access import EmbeddingSpace
from docgraph.engine import ServerVersionWarning

SEEDS = 5
DEPTH = 3
NODES = 500
DIRECTIONS = ("outgoing", "incoming", "both")
_HUB = "hub"
_CLAIM = json.dumps(corpus.CLAIM)
_EXPAND = (
    "SELECT docgraph.expand_dependency_tree('default', %(access)s, %(seeds)s,"
    f" max_depth => {DEPTH}, max_nodes => {NODES}, direction => %(direction)s)"
)
_RECURSIVE = f"""
WITH RECURSIVE tree (id, depth) AS (
    SELECT unnest(%(seeds)s::text[]) COLLATE "C", 0
    UNION
    SELECT r.to_document, t.depth + 1
    FROM tree t
    JOIN docgraph.document_relationships r ON r.tenant_id = 'default' AND r.from_document = t.id
    WHERE t.depth < {DEPTH}
)
SELECT id, min(depth) FROM tree GROUP BY id
"""  # noqa: S608 - a number of this file
_ADD_HUB = """
INSERT INTO docgraph.document_nodes (tenant_id, document_id, access_class, content_hash)
SELECT 'default', 'hub', min(c.access_class), sha256('') FROM docgraph.access_classes c WHERE c.tags = '{{}}';
INSERT INTO docgraph.document_relationships
SELECT 'default', h.document_id, 'calls', n.document_id, h.access_class, n.access_class, true, false, NULL
FROM docgraph.document_nodes h, docgraph.document_nodes n
WHERE h.document_id = 'hub' AND n.document_id <> 'hub'
    AND (n.access_class = {hidden} OR n.document_id <= 'n0000010');
"""
"""A hub that leads to all that is hidden, and to a few others."""

Connection = psycopg.Connection[Any]


def main() -> int:
    given = _arguments()
    # Which server it is stands in the result.
    warnings.simplefilter("ignore", ServerVersionWarning)
    console = Console(
        highlight=False, markup=False, soft_wrap=True, width=None if sys.stdout.isatty() else 110
    )
    with machine.server(given.url) as server:
        about = machine.description(server) | {"command": " ".join(["python -m bench.expand", *sys.argv[1:]])}
        for key, value in about.items():
            console.print(f"{key}: {value}")
        space = EmbeddingSpace("bench", 4, "cosine", "english", 100.0)
        with machine.database(server, "expand", space) as database:
            result = _measure(database, given, console)
    about["load at the end"] = " ".join(f"{load:.2f}" for load in os.getloadavg())
    _show(console, result)
    console.print(f"load at the end: {about['load at the end']}")
    if given.json:
        given.json.write_text(json.dumps({"about": about, "result": result}, indent=2) + "\n", "utf-8")
    return 0 if all(each["met"] for each in result["targets"]) else 1


def _measure(database: str, given: argparse.Namespace, console: Console) -> dict[str, Any]:
    began = time.perf_counter()
    graph = expand_graph.make(given.nodes, given.edges)
    with corpus.loading(database) as connection:
        expand_graph.load(connection, graph)
        connection.execute(_ADD_HUB.format(hidden=_hidden_class(connection)).encode())
    console.print(
        f"{given.nodes:,} documents, {len(graph.origins):,} relationships loaded and indexed"
        f" in {time.perf_counter() - began:.0f} s"
    )
    asked = _seeds(graph, given.rounds + WARM)
    with ExitStack() as stack:
        login = stack.enter_context(reader(database, corpus.CLAIM["tags"]))
        ordinary = stack.enter_context(psycopg.connect(login, autocommit=True))
        superuser = stack.enter_context(psycopg.connect(database, autocommit=True))
        contenders = [
            Contender(f"expand, {direction}", partial(_expand, ordinary, asked, direction), _of_tree)
            for direction in DIRECTIONS
        ]
        contenders += [
            Contender("expand, from the hub", partial(_expand, ordinary, [[_HUB]], "outgoing"), _of_tree),
            Contender("recursive CTE, no limits", partial(_recursive, superuser, asked), _of_ids),
        ]
        if not given.no_networkx:
            contenders += _networkx(graph, asked, console)
        found = by_turns(contenders, given.rounds, given.patience)
    figures = {
        one.name: {
            "calls": len(found[one.name].seconds),
            "p50_ms": found[one.name].milliseconds(0.5),
            "p95_ms": found[one.name].milliseconds(0.95),
            "nodes": float(np.mean([len(one.read(a)[1]) for a in found[one.name].answers.values()])),
        }
        for one in contenders
    }
    targets = [
        target(f"p95 ms: {name}", row["p95_ms"], "<=", 50)
        for name, row in figures.items()
        if name.startswith("expand")
    ]
    return {
        "nodes": given.nodes, "edges": len(graph.origins), "figures": figures, "targets": targets
    }  # fmt: skip


def _hidden_class(connection: Connection) -> int:
    ((found,),) = connection.execute(
        "SELECT access_class FROM docgraph.access_classes WHERE tags = '{board}'"
    ).fetchall()
    return int(found)


def _seeds(graph: Graph, count: int) -> list[list[str]]:
    """For each call so many documents that the caller sees."""
    numbers, visible = np.random.default_rng(31), np.flatnonzero(graph.visible())
    return [
        [expand_graph.name(n) for n in numbers.choice(visible, SEEDS, replace=False)] for _ in range(count)
    ]


def _expand(connection: Connection, asked: list[list[str]], direction: str, number: int) -> Any:
    arguments = {"access": _CLAIM, "seeds": asked[number % len(asked)], "direction": direction}
    ((tree,),) = connection.execute(_EXPAND.encode(), arguments, prepare=True).fetchall()
    return tree


def _recursive(connection: Connection, asked: list[list[str]], number: int) -> Any:
    return connection.execute(_RECURSIVE.encode(), {"seeds": asked[number]}, prepare=True).fetchall()


def _networkx(graph: Graph, asked: list[list[str]], console: Console) -> Iterator[Contender]:
    """A directed graph of what the caller sees, with the ids and types that the database has."""
    if importlib.util.find_spec("networkx") is None:
        console.print("networkx is not installed: pip install '.[bench]'")
        return
    import networkx  # noqa: PLC0415 - optional

    began, seen = time.perf_counter(), graph.visible()
    kept = seen[graph.origins] & seen[graph.targets]
    memory = networkx.DiGraph()
    memory.add_nodes_from(expand_graph.name(n) for n in np.flatnonzero(seen).tolist())
    memory.add_edges_from(
        (expand_graph.name(a), expand_graph.name(b))
        for a, b in zip(graph.origins[kept].tolist(), graph.targets[kept].tolist(), strict=True)
    )
    console.print(f"networkx filled in {time.perf_counter() - began:.0f} s")

    def call(number: int) -> list[str]:
        layers = islice(networkx.bfs_layers(memory, asked[number]), DEPTH + 1)
        return [each for layer in layers for each in layer]

    yield Contender("networkx in memory, no limits", call, lambda answer: (answer, answer))


def _of_tree(tree: dict[str, Any]) -> tuple[list[str], list[str]]:
    ids = [node["id"] for node in tree["nodes"]]
    return ids, ids


def _of_ids(rows: list[tuple[str, int]]) -> tuple[list[str], list[str]]:
    ids = [row[0] for row in rows]
    return ids, ids


def _show(console: Console, result: dict[str, Any]) -> None:
    title = f"{result['nodes']:,} documents, {result['edges']:,} relationships; depth {DEPTH}, {NODES} nodes"
    table = Table("what", title=title, title_justify="left")
    for heading in ("calls", "p50 ms", "p95 ms", "nodes"):
        table.add_column(heading, justify="right")
    for name, row in result["figures"].items():
        table.add_row(
            name, str(row["calls"]), f"{row['p50_ms']:,.2f}", f"{row['p95_ms']:,.2f}", f"{row['nodes']:,.0f}"
        )
    console.print(table)
    for one in result["targets"]:
        met = "met" if one["met"] else "MISSED"
        console.print(f"{one['what']}: {one['value']:.2f} (target {one['sign']} {one['bound']:g}): {met}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.expand", description="How long an expansion takes."
    )
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=200, help="sets of seeds; each is put to everybody")
    parser.add_argument(
        "--patience", type=float, default=60, help="seconds after which one sits out the other rounds"
    )
    parser.add_argument("--url", help="a server, as its superuser; default: an embedded one as it is shipped")
    parser.add_argument(
        "--no-networkx", action="store_true", help="without networkx, which wants much memory"
    )
    parser.add_argument("--json", type=Path, help="a file for the figures")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
