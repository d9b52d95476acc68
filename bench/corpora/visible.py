"""Chunks of which somebody sees a small part, spread or close together; and what there is to find."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bench.corpora import chunks, corpus
from bench.corpora.chunks import key
from bench.corpora.corpus import Corpus
from bench.peers.langchain import TOP, Questions

SHARES = (0.001, 0.01, 0.1)
LAYOUTS = ("spread", "clustered")
_REST = "rest"


@dataclass(frozen=True, slots=True)
class Asked:
    """The same questions to everybody; documents in a class for each share of each layout, and the rest."""

    documents: Corpus
    questions: Questions
    names: list[str]
    vectors: NDArray[np.float32]

    def nearest(self, number: int, classes: list[str] | None) -> set[str]:
        """The chunks that answer a question best, by NumPy. None is all classes."""
        among = np.arange(len(self.names))
        if classes is not None:
            of_chunks = np.repeat(np.array(self.documents.classes), chunks.EACH)
            among = np.flatnonzero(np.isin(of_chunks, classes))
        near = self.vectors[among] @ np.asarray(self.questions[number], np.float32)
        return {self.names[place] for place in among[np.argsort(-near, kind="stable")[:TOP]]}


def class_of(layout: str, share: float) -> str:
    """The name of a class, and of its tag."""
    return f"{layout}-{share}"


def make(count: int, questions: int, dimensions: int) -> Asked:
    """So many chunks and questions."""
    documents = _sorted(corpus.make(corpus.TENANT, count // chunks.EACH, dimensions, seed=0))
    found = [*chunks.of(documents, range(len(documents.ids)))]
    return Asked(
        documents,
        corpus.questions(questions, dimensions),
        [key(documents.ids[chunk.document], chunk.ordinal) for chunk in found],
        np.stack([chunk.vector for chunk in found]),
    )


def _sorted(documents: Corpus) -> Corpus:
    count = len(documents.ids)
    numbers = np.random.default_rng(43)
    classes = np.full(count, _REST, dtype=object)
    for layout in LAYOUTS:
        for share in SHARES:
            free = np.flatnonzero(classes == _REST)
            pole = documents.vectors[numbers.choice(free)]
            places = numbers.random(len(free)) if layout == "spread" else -(documents.vectors[free] @ pole)
            classes[free[np.argsort(places)[: max(1, round(share * count))]]] = class_of(layout, share)
    return replace(documents, classes=classes.tolist(), tags={name: [name] for name in sorted({*classes})})
