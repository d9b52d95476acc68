"""LangChain's `PGVectorStore` on the same server, in a table of its own.

As its documentation has it: the usual HNSW index of its `vector` column, the document's id as a metadata
column, and an index of that for filters. No access control: only what the caller may see is loaded. Its
embedding service looks vectors up, so that no model's time counts.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import psycopg
from pgvector.psycopg import Vector, register_vector
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import URL

from bench.corpora import chunks
from bench.corpora.corpus import Corpus

TOP = 10
DRIVERS = ("psycopg", "asyncpg")
"""The first is the one that its documentation uses, and docgraph too."""

_TABLE = "langchain_chunks"
_DOCUMENT = "document_id"

Questions = list[list[float]]
Search = Callable[[int, list[str] | None], Any]
"""Takes the number of a question, and to which documents it is limited; None is all."""
Keys = Callable[[Any], list[str]]
"""The chunks of an answer."""


class _Embeddings:
    """Vectors of questions, by their number. In the manner of LangChain's `Embeddings`."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    def embed_query(self, text: str) -> list[float]:
        return self._questions[int(text)]

    async def aembed_query(self, text: str) -> list[float]:
        return self._questions[int(text)]


def load(conninfo: str, documents: Corpus) -> dict[str, float]:
    """Its table, made by itself, filled by COPY, with its index as `apply_vector_index` makes it.

    Gives the seconds that each index took.
    """
    column = import_module("langchain_postgres").Column
    with _engine(conninfo, DRIVERS[0]) as engine:
        engine.init_vectorstore_table(
            _TABLE,
            documents.vectors.shape[1],
            metadata_columns=[column(_DOCUMENT, "TEXT")],
            store_metadata=False,
        )
    visible = documents.visible()
    copying_in = f"COPY {_TABLE} (langchain_id, content, embedding, {_DOCUMENT}) FROM STDIN (FORMAT BINARY)"
    with psycopg.connect(conninfo, autocommit=True) as connection:
        register_vector(connection)
        with connection.cursor() as cursor, cursor.copy(copying_in.encode()) as copying:
            copying.set_types(("uuid", "text", "vector", "text"))
            for chunk in chunks.of(documents, visible):
                number = uuid.UUID(int=chunk.document * chunks.EACH + chunk.ordinal)
                copying.write_row((number, chunk.text, Vector(chunk.vector), documents.ids[chunk.document]))
        connection.execute(chunks.memory_for(len(visible) * chunks.EACH))
        built: dict[str, float] = {}
        for name, index in {
            "embedding": "USING hnsw (embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64)",
            _DOCUMENT: f"({_DOCUMENT})",
        }.items():
            began = time.perf_counter()
            connection.execute(f"CREATE INDEX ON {_TABLE} {index}".encode())
            built[f"{_TABLE}, {name}"] = time.perf_counter() - began
        connection.execute(f"VACUUM ANALYZE {_TABLE}".encode())
    return built


@contextmanager
def opened(conninfo: str, questions: Questions, driver: str = DRIVERS[0]) -> Iterator[Search]:
    """A store with an engine of its own."""
    with _engine(conninfo, driver) as engine:
        store = import_module("langchain_postgres").PGVectorStore.create_sync(
            engine=engine,
            embedding_service=_Embeddings(questions),
            table_name=_TABLE,
            metadata_columns=[_DOCUMENT],
            metadata_json_column=None,
        )

        def search(number: int, within: list[str] | None) -> Any:
            wanted = None if within is None else {_DOCUMENT: {"$in": within}}
            return store.similarity_search(str(number), k=TOP, filter=wanted)

        yield search


def keys(found: list[Any]) -> list[str]:
    """The chunks of an answer."""
    return [
        chunks.key(document.metadata[_DOCUMENT], uuid.UUID(document.id).int % chunks.EACH)
        for document in found
    ]


def how_to_open(conninfo: str) -> dict[str, str]:
    """What a process of its own needs for it."""
    address = _address(conninfo, DRIVERS[0]).render_as_string(hide_password=False)
    return {"address": address, "table": _TABLE, "column": _DOCUMENT}


def _address(conninfo: str, driver: str) -> URL:
    parts = {key: str(value) for key, value in conninfo_to_dict(conninfo).items()}
    return URL.create(
        f"postgresql+{driver}",
        username=parts.get("user"),
        password=parts.get("password"),
        database=parts.get("dbname"),
        # Not as the host of the address: it may be the folder of a socket.
        query={name: parts[name] for name in ("host", "port") if name in parts},
    )


@contextmanager
def _engine(conninfo: str, driver: str) -> Iterator[Any]:
    engine = import_module("langchain_postgres").PGEngine.from_connection_string(_address(conninfo, driver))
    try:
        yield engine
    finally:
        asyncio.run(engine.close())
