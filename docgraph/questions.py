"""A question: in words or as a vector; and what Python itself refuses of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.adapting import Numbers, Vectors
from docgraph.errors import InvalidArgument
from docgraph.ingest.types import AnyEmbedder


@dataclass(frozen=True, slots=True)
class Question:
    """In words or as a vector, not both."""

    text: str | None
    embedding: Numbers | None
    embedder: AnyEmbedder = None
    """In place of the one that the recorded model calls for."""

    @property
    def is_missing(self) -> bool:
        return self.text is None and self.embedding is None


@dataclass(frozen=True, slots=True)
class Questions:
    """Several, in words or as vectors, not both."""

    texts: Sequence[str] | None
    embeddings: Vectors | None
    embedder: AnyEmbedder = None


def check_words(text: object) -> None:
    if text is not None and not isinstance(text, str):
        raise InvalidArgument(
            f"query must be a text, not {type(text).__name__}", hint="A vector is given as embedding."
        )
    if text is not None and not text.strip():
        raise InvalidArgument(
            "query must not be blank", hint="Ask in words. A plan can do without: give embedding or seeds."
        )


def check_texts(texts: object) -> None:
    if texts is None:
        return
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        raise InvalidArgument("questions must be a list of texts", hint="Vectors are given as embeddings.")
    for number, text in enumerate(texts, 1):
        if not text.strip():
            raise InvalidArgument(f"questions: number {number} is blank", hint="Leave it out.")


def need(method: str, question: Question) -> None:
    """A plan can begin with documents alone; chunks are chosen by a question."""
    if question.is_missing:
        before = "plan, " if method == "execute" else ""
        raise InvalidArgument(
            f"{method} needs a question",
            hint=f'For example {method}({before}"How do I ...?"), or {method}({before}embedding=[...]).',
        )
