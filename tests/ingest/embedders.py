"""Embedders that are no models: fast, the same every time, and counting what they were given."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


class WordEmbedder:
    """A number for each word, added up. `texts` are those it was given, in order."""

    def __init__(self, name: str = "test-model", dimensions: int = 4, fail_after: int | None = None) -> None:
        self._name = name
        self._dimensions = dimensions
        self._fail_after = fail_after
        self.texts: list[str] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        if self._fail_after is not None and len(self.texts) + len(texts) > self._fail_after:
            raise ConnectionError("the model is gone")
        self.texts += texts
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        vector = [1.0] * self._dimensions
        for word in text.split():
            digest = hashlib.sha256(f"{self._name} {word}".encode()).digest()
            for place in range(self._dimensions):
                vector[place] += digest[place] / 255
        return vector

    def count_tokens(self, text: str) -> int:
        return len(text.split())
