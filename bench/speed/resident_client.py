"""One client that retrieves, alone in its process: what it has in memory is what it needs itself.

`python -m bench.speed.resident_client`, with what to do as a line of JSON on standard input; the figures come
as a line, and it stays until standard input ends, so that somebody can look at the server.
"""

# ruff: noqa: PLC0415 - what one kind of client needs is nothing of another's.

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from bench.footprint import peak_mb

Call = Callable[[list[float]], Any]


def docgraph(conninfo: str, tags: list[str]) -> Call:
    from docgraph import Access, DocGraph

    client = DocGraph(conninfo, access=Access(tags=tags))
    return lambda question: client.retrieve(embedding=question, method="approximate")


def langchain(address: str, table: str, column: str) -> Call:
    from langchain_core.embeddings import DeterministicFakeEmbedding
    from langchain_postgres import PGEngine, PGVectorStore

    store = PGVectorStore.create_sync(
        engine=PGEngine.from_connection_string(address),
        embedding_service=DeterministicFakeEmbedding(size=1),  # which is not asked
        table_name=table,
        metadata_columns=[column],
    )
    return lambda question: store.similarity_search_by_vector(question, k=10)


KINDS: dict[str, Callable[..., Call]] = {"docgraph": docgraph, "LangChain": langchain}


def main() -> None:
    task = json.loads(sys.stdin.readline())
    empty = peak_mb()
    call = KINDS[task["kind"]](**task["how"])
    call(task["questions"][0])
    first = peak_mb()
    for number in range(task["calls"]):
        call(task["questions"][number % len(task["questions"])])
    print(json.dumps([empty, first, peak_mb()]), flush=True)  # noqa: T201 - the answer
    sys.stdin.read()


if __name__ == "__main__":
    main()
