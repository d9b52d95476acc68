"""Models behind an HTTP endpoint that speaks as OpenAI's does: OpenAI, Ollama, vLLM, TEI and others."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any

from docgraph.errors import InvalidArgument
from docgraph.ingest.embedding.endpoint import Endpoint, TooMuch
from docgraph.ingest.embedding.tokens import estimate_tokens
from docgraph.ingest.embedding.vectors import check_vectors

OPENAI = "https://api.openai.com/v1"
OLLAMA = "http://localhost:11434/v1"
MAX_CHARACTERS = 200_000
"""Of all texts in one request. OpenAI takes 300,000 tokens; few scripts have more than one a character."""


class OpenAIEmbedder:
    """POST {base_url}/embeddings, several batches at a time, with retries.

    `api_key`: else the one of OPENAI_API_KEY, wherever base_url goes; "" sends none. `concurrency`: requests
    under way at any time, of all threads together. A batch that is too much for the server is halved; one
    text that is too long is an error. An empty text is sent as a space, because OpenAI refuses it.
    `send_dimensions` asks the server to shorten the vectors, which few models can.
    """

    def __init__(
        self,
        model: str,
        dimensions: int,
        base_url: str = OPENAI,
        *,
        name: str | None = None,
        api_key: str | None = None,
        batch_size: int = 128,
        concurrency: int = 4,
        timeout: float = 60,
        retries: int = 5,
        document_prefix: str = "",
        query_prefix: str = "",
        send_dimensions: bool = False,
    ) -> None:
        for parameter, value, least in (
            ("dimensions", dimensions, 1),
            ("batch_size", batch_size, 1),
            ("concurrency", concurrency, 1),
            ("retries", retries, 0),
        ):
            if value < least:
                raise InvalidArgument(f"{parameter} must be at least {least}, not {value}.")
        self.name = name or f"openai:{model}"
        self.dimensions = dimensions
        self._endpoint = Endpoint(
            base_url, "/embeddings", key=api_key, timeout=timeout, retries=retries, model=self.name
        )
        self._body: dict[str, Any] = {"model": model}
        if send_dimensions:
            self._body["dimensions"] = dimensions
        self._batch_size, self._concurrency = batch_size, concurrency
        self._slots = threading.BoundedSemaphore(concurrency)
        self._document_prefix, self._query_prefix = document_prefix, query_prefix

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        batches = list(self._batches([self._document_prefix + text or " " for text in texts]))
        stop = threading.Event()
        if len(batches) < 2:
            return [vector for batch in batches for vector in self._embed(batch, stop)]
        with ThreadPoolExecutor(min(self._concurrency, len(batches))) as threads:
            try:
                found = [threads.submit(self._embed, batch, stop) for batch in batches]
                done, _ = wait(found, return_when=FIRST_EXCEPTION)
                for future in found:
                    if future in done:
                        future.result()  # raises what it failed with
                return [vector for future in found for vector in future.result()]
            finally:
                # After a failure the others need not go on, nor wait for a server that does not come back.
                stop.set()
                threads.shutdown(wait=False, cancel_futures=True)

    def embed_query(self, text: str) -> list[float]:
        return self._embed([self._query_prefix + text or " "], threading.Event())[0]

    def count_tokens(self, text: str) -> int:
        """Estimated: the endpoint does not tell."""
        return estimate_tokens(text)

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        characters = 0
        for text in texts:
            if batch and (len(batch) == self._batch_size or characters + len(text) > MAX_CHARACTERS):
                yield batch
                batch, characters = [], 0
            batch.append(text)
            characters += len(text)
        if batch:
            yield batch

    def _embed(self, texts: list[str], stop: threading.Event) -> list[list[float]]:
        try:
            with self._slots:
                answer = self._endpoint.post({**self._body, "input": texts}, stop)
        except TooMuch as refusal:
            if len(texts) == 1:
                raise InvalidArgument(
                    f"A text of {len(texts[0])} characters is too long for the model {self.name}: {refusal}",
                    hint="Split into smaller chunks.",
                ) from None
            half = len(texts) // 2
            return self._embed(texts[:half], stop) + self._embed(texts[half:], stop)
        return check_vectors(self, self._in_order(answer, len(texts)), len(texts))

    def _in_order(self, answer: Any, count: int) -> list[Any]:
        """The vectors in the order of the texts, whatever the order of the answer."""
        try:
            found = {int(item["index"]): item["embedding"] for item in answer["data"]}
        except (TypeError, KeyError, ValueError):
            raise InvalidArgument(
                f"{self._endpoint.host} answered for the model {self.name} with something else than vectors.",
                hint="Look at base_url: does it end in /v1, and is it an endpoint for embeddings?",
            ) from None
        if sorted(found) != list(range(count)):
            raise InvalidArgument(
                f"{self._endpoint.host} answered for the model {self.name} with {len(found)} vectors "
                f"for {count} texts.",
                hint="Each text needs one. Try a smaller batch_size.",
            )
        return [found[place] for place in range(count)]
