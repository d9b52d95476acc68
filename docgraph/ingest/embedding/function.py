"""Any function from texts to vectors as an embedder."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeAlias

from docgraph.errors import InvalidArgument
from docgraph.ingest.embedding.tokens import estimate_tokens
from docgraph.ingest.embedding.vectors import check_vectors

Vectors: TypeAlias = Sequence[Sequence[float]]


class CallableEmbedder:
    """`function` takes a list of texts and gives their vectors; `query` takes one text and gives one vector.

    Both may be coroutine functions. They are run on an event loop of their own, one for each call: a client
    that belongs to a loop must be opened inside. Without `query`, queries are embedded as documents are.
    """

    def __init__(
        self,
        function: Callable[[list[str]], Vectors | Awaitable[Vectors]],
        name: str,
        dimensions: int,
        *,
        query: Callable[[str], Sequence[float] | Awaitable[Sequence[float]]] | None = None,
        count_tokens: Callable[[str], int] | None = None,
        batch_size: int = 128,
    ) -> None:
        for parameter, value in (("dimensions", dimensions), ("batch_size", batch_size)):
            if value < 1:
                raise InvalidArgument(f"{parameter} must be at least 1, not {value}.")
        self.name = name
        self.dimensions = dimensions
        self._function, self._query, self._count_tokens = function, query, count_tokens
        self._batch_size = batch_size

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        found: list[list[float]] = []
        for start in range(0, len(texts), self._batch_size):
            batch = list(texts[start : start + self._batch_size])
            found += check_vectors(self, _result(self._function, batch), len(batch))
        return found

    def embed_query(self, text: str) -> list[float]:
        if self._query is None:
            return self.embed_documents([text])[0]
        return check_vectors(self, [_result(self._query, text)], 1)[0]

    def count_tokens(self, text: str) -> int:
        return (self._count_tokens or estimate_tokens)(text)


def _result(function: Callable[[Any], Any], given: object) -> Any:
    """What the function returns, awaited if need be."""
    found = function(given)
    if not inspect.isawaitable(found):
        return found

    async def wait() -> Any:
        return await found

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(wait())
    # This thread's loop is waiting for us, so that another one has to do it.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(copy_context().run, asyncio.run, wait()).result()
