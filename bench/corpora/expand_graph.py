"""A graph of documents to expand, with hubs and four access classes; and the fast way to load it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from psycopg import sql

from bench.corpora import corpus

TYPES = ("calls", "contains", "imports")
_BLOCK = 100_000
_INDEXES = ("document_relationships_out_idx", "document_relationships_in_idx")
_KEY = "document_relationships_pkey"


@dataclass(frozen=True, slots=True)
class Graph:
    """Documents by number, each with its place among `corpus.CLASSES`; edges as three columns."""

    classes: NDArray[np.int64]
    origins: NDArray[np.int64]
    types: NDArray[np.int64]
    targets: NDArray[np.int64]

    def visible(self) -> NDArray[np.bool_]:
        """Which documents the caller sees."""
        names = [*corpus.CLASSES]
        return np.isin(self.classes, [names.index(name) for name in corpus.VISIBLE])


def name(number: int) -> str:
    """The id of a document."""
    return f"n{number:07}"


def make(nodes: int, edges: int) -> Graph:
    """Always the same for the same arguments. A few documents lead to very many, and very many to a few."""
    numbers = np.random.default_rng([29, nodes])
    shares = [share for _, share in corpus.CLASSES.values()]
    classes = numbers.choice(len(shares), nodes, p=shares)
    one, other = numbers.permutation(nodes), numbers.permutation(nodes)
    origins = one[(nodes * numbers.random(edges) ** 2).astype(np.int64)]
    targets = other[(nodes * numbers.random(edges) ** 2).astype(np.int64)]
    pairs = np.unique((origins * nodes + targets)[origins != targets])
    return Graph(classes, pairs // nodes, numbers.integers(len(TYPES), size=len(pairs)), pairs % nodes)


def load(connection: corpus.Connection, graph: Graph) -> None:
    """The rows that `put_documents` would have written, but for names and references. Indexes come last."""
    known = [corpus.access_class(connection, corpus.TENANT, tags) for tags, _ in corpus.CLASSES.values()]
    of = np.array(known)[graph.classes]
    corpus.copy(
        connection,
        "document_nodes (tenant_id, document_id, access_class, summary, content_hash)",
        ("text", "text", "int8", "text", "bytea"),
        ((corpus.TENANT, name(n), int(each), "A short summary.", bytes(32)) for n, each in enumerate(of)),
    )
    definitions = _without_indexes(connection)
    statement = b"COPY docgraph.document_relationships FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copying:
        for block in _blocks(graph, of):
            copying.write(block)
    for definition in definitions:
        connection.execute(definition.encode())


def _without_indexes(connection: corpus.Connection) -> list[str]:
    """Takes key and indexes away: building them over all is far quicker. Gives what brings them back."""
    rows = connection.execute(
        "SELECT pg_get_indexdef(c.oid) FROM pg_class c WHERE c.relname = ANY (%s)", [[*_INDEXES]]
    ).fetchall()
    for each in _INDEXES:
        connection.execute(sql.SQL("DROP INDEX docgraph.{}").format(sql.Identifier(each)))
    table = sql.SQL("ALTER TABLE docgraph.document_relationships ")
    key = sql.Identifier(_KEY)
    connection.execute(table + sql.SQL("DROP CONSTRAINT {}").format(key))
    again = table + sql.SQL(
        "ADD CONSTRAINT {} PRIMARY KEY (tenant_id, from_document, to_document, relation_type)"
    ).format(key)
    return [again.as_string(connection), *(str(definition) for (definition,) in rows)]


def _blocks(graph: Graph, of: NDArray[np.int64]) -> Iterator[str]:
    for at in range(0, len(graph.origins), _BLOCK):
        part = slice(at, at + _BLOCK)
        yield "".join(
            f"{corpus.TENANT}\tn{a:07}\t{TYPES[kind]}\tn{b:07}\t{of_a}\t{of_b}\tt\tf\t\\N\n"
            for a, kind, b, of_a, of_b in zip(
                graph.origins[part].tolist(),
                graph.types[part].tolist(),
                graph.targets[part].tolist(),
                of[graph.origins[part]].tolist(),
                of[graph.targets[part]].tolist(),
                strict=True,
            )
        )
