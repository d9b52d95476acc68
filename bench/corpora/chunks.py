"""Chunks of a corpus's documents: text and vectors, and the fast way to load them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pgvector.psycopg import HalfVector
from psycopg import sql

from bench.corpora import corpus
from bench.corpora.corpus import Connection, Corpus
from bench.corpora.made import words

EACH = 10
"""Chunks of a document."""

_INDEX = "vector_chunks_embedding_idx"
_COLUMNS = (
    "vector_chunks (tenant_id, document_id, ordinal, access_class, start_offset, end_offset, token_count,"
    " section_path, text, embedding)"
)
_TYPES = ("text", "text", "int4", "int8", "int4", "int4", "int4", "text[]", "text", "halfvec")
_WORDS = (60, 110)
_LONGEST = 800
_SPACING = 1000
_SECTIONS = ("Scope", "Rules", "Exceptions", "History")


class Chunk(NamedTuple):
    """One of them; the document by its number in the corpus."""

    document: int
    ordinal: int
    text: str
    vector: NDArray[np.float32]


def of(documents: Corpus, numbers: Sequence[int]) -> Iterator[Chunk]:
    """The chunks of these documents, made as they are asked for: always the same.

    400 to 800 characters each. Their vectors stand around that of the document.
    """
    dimensions = documents.vectors.shape[1]
    for document in numbers:
        drawn = np.random.default_rng([29, document])
        vectors = drawn.standard_normal((EACH, dimensions), np.float32) / np.float32(np.sqrt(dimensions))
        vectors += documents.vectors[document]
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        for ordinal, count in enumerate(drawn.integers(*_WORDS, size=EACH)):
            text = f"{document} {ordinal} {words(drawn, count)}"[:_LONGEST]
            yield Chunk(document, ordinal, text, vectors[ordinal])


def key(document: str, ordinal: int) -> str:
    """A chunk in one word, whoever found it."""
    return f"{document}#{ordinal}"


@contextmanager
def loading(conninfo: str, count: int, built: dict[str, float] | None = None) -> Iterator[Connection]:
    """A superuser's connection for COPY of so many chunks: both vector indexes are built at the end."""
    with corpus.loading(conninfo, built) as connection:
        connection.execute(memory_for(count))
        with corpus.without_index(connection, _INDEX, built):
            yield connection


def memory_for(count: int) -> sql.Composed:
    """Lets the graph of so many vectors be built in memory, as it must for its usual speed."""
    return sql.SQL("SET maintenance_work_mem = {}").format(f"{max(512, count * 3 // 1000)}MB")


def load(connection: Connection, documents: Corpus) -> None:
    """The rows that `put_documents` would have written, documents included."""
    corpus.load(connection, documents)
    known = corpus.access_classes(connection, documents)
    corpus.copy(
        connection,
        _COLUMNS,
        _TYPES,
        (
            (
                documents.tenant,
                documents.ids[chunk.document],
                chunk.ordinal,
                known[documents.classes[chunk.document]],
                chunk.ordinal * _SPACING,
                chunk.ordinal * _SPACING + len(chunk.text),
                len(chunk.text) // 4,
                [f"Note {chunk.document}", _SECTIONS[chunk.ordinal % len(_SECTIONS)]],
                chunk.text,
                HalfVector(chunk.vector),
            )
            for chunk in of(documents, range(len(documents.ids)))
        ),
    )
