"""How long an expansion takes: by turns, with the same graph and seeds, beside

- a recursive CTE in plain SQL, to the same depth, without limits and without access rules, as a superuser;
- networkx in memory, to the same depth, without limits, of what the caller sees.

And one document that leads to very many others, of which the caller sees nearly none.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any

import numpy as np
import psycopg

from bench import machine
from bench.corpora import corpus, expand_graph
from bench.corpora.expand_graph import Graph
from bench.reader import reader
from bench.results import Measured, Say, Target
from bench.speed import tables
from bench.speed.sizes import Size
from bench.timing import WARM, Contender, by_turns
from docgraph.access import EmbeddingSpace

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


def measure(server: str, size: Size, say: Say) -> Measured:
    space = EmbeddingSpace("bench", 4, "cosine", "english", 100.0)
    with machine.database(server, "expand", space) as database:
        return _measure(database, size, say)


def _measure(database: str, size: Size, say: Say) -> Measured:
    began = time.perf_counter()
    graph = expand_graph.make(size.nodes, size.edges)
    with corpus.loading(database) as connection:
        expand_graph.load(connection, graph)
        connection.execute(_ADD_HUB.format(hidden=_hidden_class(connection)).encode())
    took = time.perf_counter() - began
    say(f"{size.nodes:,} documents, {len(graph.origins):,} relationships in {took:.0f} s")
    asked = _seeds(graph, size.rounds + WARM)
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
        contenders += _networkx(graph, asked, say)
        found = by_turns(contenders, size.rounds, size.patience)
    answers = tables.read(contenders, found)
    nodes = tables.means(answers, lambda _, __, answer: len(answer[1]))
    title = f"Expansion, {size.nodes:,} documents, {len(graph.origins):,} relationships"
    return Measured(
        [tables.times(title, found, {"nodes": nodes})],
        [
            Target(f"{name}, {size.nodes:,} documents: p95 ms", timed.milliseconds(0.95), "<=", 50)
            for name, timed in found.items()
            if name.startswith("expand")
        ],
    )


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


def _networkx(graph: Graph, asked: list[list[str]], say: Say) -> Iterator[Contender]:
    """A directed graph of what the caller sees, with the ids and types that the database has."""
    networkx = None
    with say.peer("networkx"):
        networkx = import_module("networkx")
    if networkx is None:
        return

    began, seen = time.perf_counter(), graph.visible()
    kept = seen[graph.origins] & seen[graph.targets]
    memory = networkx.DiGraph()
    memory.add_nodes_from(expand_graph.name(n) for n in np.flatnonzero(seen).tolist())
    memory.add_edges_from(
        (expand_graph.name(a), expand_graph.name(b))
        for a, b in zip(graph.origins[kept].tolist(), graph.targets[kept].tolist(), strict=True)
    )
    say(f"networkx filled in {time.perf_counter() - began:.0f} s")

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
