"""Rows through `put`, beside a raw COPY of the same rows into the same indexed tables."""

from __future__ import annotations

import time

import psycopg

from bench.corpora.made import documents
from docgraph.client import DocGraph

_TABLES = {
    "document_nodes": "document_id",
    "vector_chunks": "document_id",
    "document_names": "document_id",
    "document_references": "from_document",
    "document_relationships": "from_document",
}
"""In an order that the foreign keys allow, and the column that says whose row it is."""


def compare(
    put_into: str, copy_into: str, *, count: int, chunks: int, dimensions: int, rounds: int
) -> dict[str, float]:
    """Both by turns, in rounds of equal size; one database for each, empty at first.

    COPY has one transaction a round, as superuser, and its text is ready before the clock runs.
    """
    each = count // rounds
    spent = {"put": 0.0, "copy": 0.0}
    ratios: list[float] = []
    rows = 0
    with (
        DocGraph(put_into) as client,
        psycopg.connect(put_into) as source,
        psycopg.connect(copy_into) as target,
    ):
        # The access class, which both need, and the connections.
        for conninfo in (put_into, copy_into):
            with DocGraph(conninfo) as other:
                other.put([{"id": "first"}])
        for number in range(rounds):
            batch = list(documents(number * each, each, chunks, dimensions))
            began = time.perf_counter()
            report = client.put(batch, model="bench")
            put_time = time.perf_counter() - began
            if report.failed or report.added != each:
                raise RuntimeError(f"put failed: {report.problems[:3]}")
            texts = _rows_of(source, [document.id for document in batch])
            rows += sum(text.count(b"\n") for _, text in texts)
            copy_time = _copy(target, texts)
            spent["put"] += put_time
            spent["copy"] += copy_time
            ratios.append(copy_time / put_time)
    return {
        "rows": rows,
        "chunks": count * chunks,
        "put_seconds": spent["put"],
        "copy_seconds": spent["copy"],
        "put_rows_per_second": rows / spent["put"],
        "copy_rows_per_second": rows / spent["copy"],
        "put_chunks_per_second": count * chunks / spent["put"],
        "ratio": spent["copy"] / spent["put"],
        "ratio_lowest_round": min(ratios),
        "ratio_median_round": sorted(ratios)[len(ratios) // 2],
    }


def _rows_of(source: psycopg.Connection[tuple[object, ...]], ids: list[str]) -> list[tuple[str, bytes]]:
    texts = []
    for table, owner in _TABLES.items():
        asked = f"COPY (SELECT * FROM docgraph.{table} WHERE {owner} = ANY (%s)) TO STDOUT"  # noqa: S608 - names of this file only
        with source.cursor() as cursor, cursor.copy(asked, [ids]) as copy:
            texts.append((table, b"".join(bytes(block) for block in copy)))
    source.rollback()
    return texts


def _copy(target: psycopg.Connection[tuple[object, ...]], texts: list[tuple[str, bytes]]) -> float:
    began = time.perf_counter()
    for table, text in texts:
        with target.cursor() as cursor, cursor.copy(f"COPY docgraph.{table} FROM STDIN") as copy:
            copy.write(text)
    target.commit()
    return time.perf_counter() - began
