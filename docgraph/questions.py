"""A question: in words or as a vector; and what Python itself refuses of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.adapting import Numbers, Vectors
from docgraph.errors import InvalidArgument
from docgraph.ingest.types import AnyEmbedder

NAMES = {
    "query_text": "query",
    "query_embedding": "embedding",
    "query_texts": "questions",
    "query_embeddings": "embeddings",
}
"""What parameters of the database are called where a question is asked."""
NAMES_OF_MANY = NAMES | {"query_text": "questions", "query_embedding": "embeddings"}
"""And where several are."""
_NO_TEXT = "It has a byte, or a half of a surrogate pair, that is no character."
MOST = 100
"""Questions that one call of the database takes. More would be embedded in vain."""


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
        raise InvalidArgument("query must not be blank", hint='Ask in words, such as "How do I ...?".')
    if text is not None and not _is_unicode(text):
        raise InvalidArgument("query is not valid UTF-8", hint=_NO_TEXT)


def check_texts(texts: object) -> None:
    if texts is None:
        return
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        not_one = ", not one" if isinstance(texts, str) else ""
        raise InvalidArgument(
            f"questions must be a list of texts{not_one}",
            hint='For example questions=["How do I ...?"]. Vectors are given as embeddings.',
        )
    if len(texts) > MOST:
        raise InvalidArgument(
            f"questions must be a list of at most {MOST} texts", hint="Make several calls of a longer one."
        )
    for number, text in enumerate(texts, 1):
        if not text.strip():
            raise InvalidArgument(f"questions: number {number} is blank", hint="Leave it out.")
        if not _is_unicode(text):
            raise InvalidArgument(f"questions: number {number} is not valid UTF-8", hint=_NO_TEXT)


def _is_unicode(text: str) -> bool:
    """Bytes that are no UTF-8 come from the command line as halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def need(method: str, question: Question) -> None:
    """A plan can begin with documents alone; chunks are chosen by a question."""
    if question.is_missing:
        before = "plan, " if method == "execute" else ""
        raise InvalidArgument(
            f"{method} needs a question",
            hint=f'For example {method}({before}"How do I ...?"), or {method}({before}embedding=[...]).',
        )
