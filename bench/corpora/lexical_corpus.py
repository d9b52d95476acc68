"""Chunks of words that occur as unevenly as those of a language, who may see them, and questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docgraph.documents import Chunk, Document

CLASSES: dict[str, tuple[list[str], float]] = {
    "public": ([], 0.55),
    "hr": (["hr"], 0.25),
    "it": (["it"], 0.15),
    "board": (["board"], 0.05),
}
"""Tags of the documents of each access class, and how large a part of all they are."""
VISIBLE = ("public", "hr", "it")
TAGS = ["hr", "it"]
"""What the caller sees, and claims for it."""

PER_DOCUMENT = 10
FREQUENT = 20
"""Words that stand in nearly every chunk, or in most."""
_LETTERS = np.array(list("bcdfghjklmnpqrstvwxz"))


@dataclass(frozen=True, slots=True)
class Texts:
    """Chunks as numbers of words; a document has `PER_DOCUMENT` of them."""

    words: list[str]
    chunks: list[NDArray[np.int64]]
    classes: list[str]
    """Of documents."""

    def visible(self) -> list[int]:
        """The chunks that the caller sees."""
        return [n for n in range(len(self.chunks)) if self.classes[n // PER_DOCUMENT] in VISIBLE]

    def tokens(self, chunk: int) -> list[str]:
        return [self.words[number] for number in self.chunks[chunk]]

    def documents(self) -> Iterator[Document]:
        for number, name in enumerate(self.classes):
            first = number * PER_DOCUMENT
            yield Document(
                id=document_id(number),
                title=f"Note {number}",
                summary=" ".join(self.tokens(first)[:40]),
                tags=CLASSES[name][0],
                chunks=[
                    Chunk(text=" ".join(self.tokens(first + n)), token_count=len(self.chunks[first + n]))
                    for n in range(PER_DOCUMENT)
                ],
            )


def document_id(number: int) -> str:
    return f"notes/{number:07}.md"


def make(count: int, vocabulary: int) -> Texts:
    """Always the same for the same arguments. Chunks have 40 to 200 words."""
    numbers = np.random.default_rng(29)
    shares = 1 / np.arange(1, vocabulary + 1) ** 1.05
    steps = np.cumsum(shares / shares.sum())
    lengths = numbers.integers(40, 200, size=count)
    drawn = np.searchsorted(steps, numbers.random(int(lengths.sum()))).clip(max=vocabulary - 1)
    documents = -(-count // PER_DOCUMENT)
    return Texts(
        words=[_word(number) for number in range(vocabulary)],
        chunks=np.split(drawn, np.cumsum(lengths)[:-1]),
        classes=numbers.choice(list(CLASSES), documents, p=[share for _, share in CLASSES.values()]).tolist(),
    )


def questions(texts: Texts, count: int, frequent: int, words: int = 8) -> list[list[str]]:
    """Different words: so many of the most frequent, the others of some chunk that the caller sees."""
    numbers = np.random.default_rng(31)
    visible = texts.visible()
    found = []
    for _ in range(count):
        chosen = dict.fromkeys(numbers.choice(FREQUENT, frequent, replace=False).tolist())
        about = numbers.permutation(texts.chunks[visible[numbers.integers(len(visible))]])
        for word in about.tolist():
            if len(chosen) < words and word >= FREQUENT:
                chosen[word] = None
        found.append([texts.words[word] for word in chosen])
    return found


def _word(number: int) -> str:
    """Seven letters that are no word of any language, another one for each number."""
    base = len(_LETTERS)
    return "".join(_LETTERS[number // base**place % base] for place in range(7))
