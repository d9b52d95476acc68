"""Documents to plan over, and either client to ask for plans."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from docgraph import Access, AsyncDocGraph, DocGraph
from docgraph.documents import Chunk, Document, Link

VECTOR = [1.0, 0.25, 0.0, 0.0]
IN_SQL = "query_embedding => '{1, 0.25, 0, 0}'"
DOCUMENTS = [
    Document(
        "leave.md",
        [Chunk("Leave.", 1, [1, 0, 0, 0]), Chunk("More.", 1, [0, 0, 0, 1])],
        summary_embedding=[1, 0.1, 0, 0],
        relationships=[Link("references", "forms.md"), Link("explains", "visa.md")],
    ),
    Document(
        "travel.md",
        [Chunk("Travel.", 1, [0, 1, 0, 0])],
        summary_embedding=[0.5, 1, 0, 0],
        relationships=[Link("references", "visa.md"), Link("references", "board.md")],
    ),
    Document("visa.md"),
    Document("forms.md", summary_embedding=[-1, 0, 0, 0]),
    Document("board.md", summary_embedding=[1, 0.25, 0, 0], tags=["board"]),
]
BOARD = Access(tags=["board"])

Ask = Callable[..., Any]
"""`ask(method, ...)`: what a client answers."""


def asking(kind: str, conninfo: str) -> Ask:
    """By the sync or the async client."""

    def blocking(method: str, *args: Any, **kwargs: Any) -> Any:
        with DocGraph(conninfo) as client:
            return getattr(client, method)(*args, **kwargs)

    def awaited(method: str, *args: Any, **kwargs: Any) -> Any:
        async def run() -> Any:
            async with AsyncDocGraph(conninfo) as client:
                return await getattr(client, method)(*args, **kwargs)

        return asyncio.run(run())

    return {"sync": blocking, "async": awaited}[kind]
