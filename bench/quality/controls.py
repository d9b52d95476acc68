"""The same links, made worse: what planning is worth comes from what they say."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from bench.quality.sets import Links, QuestionSet

Change = Callable[[QuestionSet], Links]


def as_found(questions: QuestionSet) -> Links:
    return questions.links


def half(questions: QuestionSet) -> Links:
    """Every other link, by lot."""
    chance = random.Random(29)  # noqa: S311 - the same every time
    return {
        name: [link for link in links if chance.random() < 0.5] for name, links in questions.links.items()
    }


def shuffled(questions: QuestionSet, *, lot: int) -> Links:
    """As many links from each document, to targets of other documents' links."""
    chance = random.Random(lot)  # noqa: S311 - the same every time
    targets = [link for links in questions.links.values() for link in links]
    chance.shuffle(targets)
    left = iter(targets)
    return {
        name: sorted({link for link in (next(left) for _ in links) if link[1] != name})
        for name, links in questions.links.items()
    }


def five_random(questions: QuestionSet) -> Links:
    """The links, and five more from each document to anywhere."""
    chance = random.Random(37)  # noqa: S311 - the same every time
    ids = [document["id"] for document in questions.documents]
    return {
        name: sorted(
            {
                *questions.links.get(name, ()),
                *(("mentions", to) for to in chance.sample(ids, 5) if to != name),
            }
        )
        for name in ids
    }


SHUFFLED = "targets shuffled"
CHANGES: dict[str, Change] = {
    "links as found": as_found,
    "half of the links": half,
    **{f"{SHUFFLED}, lot {lot}": partial(shuffled, lot=lot) for lot in (1, 2, 3)},
    "five random links a document more": five_random,
}
