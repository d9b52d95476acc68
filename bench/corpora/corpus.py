"""Documents with vectors, access and relationships for measuring plans, and the fast way to load them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector.psycopg import HalfVector, register_vector
from psycopg import sql

from bench.corpora.made import RARE, words

TENANT = "default"
RELATIONSHIPS = 5
CLASSES: dict[str, tuple[list[str], float]] = {
    "public": ([], 0.55),
    "hr": (["hr"], 0.25),
    "it": (["it"], 0.15),
    "board": (["board"], 0.05),
}
"""Tags of the documents of each access class, and how large a part of all they are."""
VISIBLE = ("public", "hr", "it")
"""What the caller sees: nearly all."""
CLAIM = {"tags": ["hr", "it"]}

_TYPES = ("explains", "references", "supersedes")
_CENTRES = 200
_INDEX = "document_nodes_summary_embedding_idx"
_NODES = ("text", "text", "int8", "text", "text", "text", "bytea", "halfvec")

Connection = psycopg.Connection[tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One tenant's documents. Vectors are of length 1 and rounded as the database stores them."""

    tenant: str
    ids: list[str]
    classes: list[str]
    summaries: list[str]
    vectors: NDArray[np.float32]
    targets: NDArray[np.int64]
    types: NDArray[np.int64]
    tags: Mapping[str, Sequence[str]] = field(
        default_factory=lambda: {name: tags for name, (tags, _) in CLASSES.items()}
    )
    """Of the documents of each class."""

    def relationships(self, number: int) -> Iterator[tuple[str, int]]:
        """Type and target of what leads from a document."""
        for kind, target in zip(self.types[number], self.targets[number], strict=True):
            yield _TYPES[kind], int(target)

    def visible(self) -> list[int]:
        """The documents that the caller sees."""
        return [number for number, name in enumerate(self.classes) if name in VISIBLE]


def make(tenant: str, count: int, dimensions: int, seed: int) -> Corpus:
    """Always the same for the same arguments. Vectors stand in clusters, as those of real texts do."""
    numbers = np.random.default_rng([19, seed])
    return Corpus(
        tenant=tenant,
        ids=[f"{tenant}/{number:07}.md" for number in range(count)],
        classes=numbers.choice(list(CLASSES), count, p=[share for _, share in CLASSES.values()]).tolist(),
        summaries=[f"Note {number}: {words(numbers, 150)}"[:1000] for number in range(count)],
        vectors=_vectors(numbers, count, dimensions),
        targets=np.array(
            [
                # Not the document itself, and each other one at most once.
                (number + 1 + numbers.choice(count - 1, RELATIONSHIPS, replace=False)) % count
                for number in range(count)
            ]
        ),
        types=numbers.integers(len(_TYPES), size=(count, RELATIONSHIPS)),
    )


def questions(count: int, dimensions: int) -> list[list[float]]:
    """Vectors to ask with, from where the documents are, as an embedding model hands them over."""
    found: list[list[float]] = _vectors(np.random.default_rng(23), count, dimensions).tolist()
    return found


def worded(count: int) -> list[str]:
    """Questions in words: four each, of those that not every text has."""
    numbers = np.random.default_rng(37)
    return [" ".join(numbers.choice(RARE, 4, replace=False)) for _ in range(count)]


def _vectors(numbers: np.random.Generator, count: int, dimensions: int) -> NDArray[np.float32]:
    centres = np.random.default_rng(7).standard_normal((_CENTRES, dimensions), np.float32)
    vectors = centres[numbers.integers(_CENTRES, size=count)]
    vectors += numbers.standard_normal((count, dimensions), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float16).astype(np.float32)


@contextmanager
def loading(conninfo: str, built: dict[str, float] | None = None) -> Iterator[Connection]:
    """A superuser's connection for COPY: no foreign keys checked, the vector index built at the end.

    `built` is told the seconds that this took.
    """
    with psycopg.connect(conninfo) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET maintenance_work_mem = '512MB'")
        register_vector(connection)
        with without_index(connection, _INDEX, built):
            yield connection
        connection.commit()
        connection.autocommit = True
        connection.execute("VACUUM ANALYZE")


@contextmanager
def without_index(connection: Connection, name: str, built: dict[str, float] | None = None) -> Iterator[None]:
    """Drops an index of docgraph's, and builds it again at the end."""
    found = connection.execute("SELECT pg_get_indexdef(%s::regclass)", [f"docgraph.{name}"]).fetchone()
    connection.execute(sql.SQL("DROP INDEX docgraph.{}").format(sql.Identifier(name)))
    yield
    began = time.perf_counter()
    connection.execute(str(found and found[0]).encode())
    if built is not None:
        built[name] = time.perf_counter() - began


def access_class(connection: Connection, tenant: str, tags: Sequence[str]) -> int:
    """The number of the class of documents with these tags; nobody else is here to wait a turn for."""
    found = connection.execute(
        "SELECT docgraph.ensure_class(%s, '', '', %s, '{}', 0)", [tenant, [*tags]]
    ).fetchone()
    return int(str(found and found[0]))


def access_classes(connection: Connection, corpus: Corpus) -> dict[str, int]:
    """The numbers of a corpus's classes."""
    return {name: access_class(connection, corpus.tenant, tags) for name, tags in corpus.tags.items()}


def load(connection: Connection, corpus: Corpus) -> None:
    """The rows that `put_documents` would have written, but for chunks: plans do not read them."""
    tenant, ids = corpus.tenant, corpus.ids
    known = access_classes(connection, corpus)
    classes = [known[name] for name in corpus.classes]
    copy(
        connection,
        "document_nodes (tenant_id, document_id, access_class, title, source, summary, content_hash,"
        " summary_embedding)",
        _NODES,
        (
            (
                tenant,
                ids[n],
                classes[n],
                f"Note {n}",
                f"/srv/{ids[n]}",
                summary,
                bytes(32),
                HalfVector(vector),
            )
            for n, (summary, vector) in enumerate(zip(corpus.summaries, corpus.vectors, strict=True))
        ),
    )
    copy(connection, "document_names", ("text",) * 3, ((tenant, one, one) for one in ids))
    copy(
        connection,
        "document_references",
        ("text",) * 4 + ("bool", "bool", "text"),
        (
            (tenant, one, kind, ids[target], True, False, "as said in the note")
            for n, one in enumerate(ids)
            for kind, target in corpus.relationships(n)
        ),
    )
    copy(
        connection,
        "document_relationships",
        ("text",) * 4 + ("int8", "int8", "bool", "bool", "text"),
        (
            (tenant, one, kind, ids[to], classes[n], classes[to], True, False, "as said in the note")
            for n, one in enumerate(ids)
            for kind, to in corpus.relationships(n)
        ),
    )


def copy(
    connection: Connection, table: str, types: tuple[str, ...], rows: Iterable[tuple[object, ...]]
) -> None:
    """Rows into a table of docgraph's."""
    statement = f"COPY docgraph.{table} FROM STDIN (FORMAT BINARY)".encode()  # names of these files only
    with connection.cursor() as cursor, cursor.copy(statement) as copying:
        copying.set_types(types)
        for row in rows:
            copying.write_row(row)
