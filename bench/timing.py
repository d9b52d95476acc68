"""Calls by turns, in an order drawn anew for each round, so that nobody always comes after the same other."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bench.results import Say

WARM = 10
"""Rounds before those that count. What takes very long is called once in them."""

_LONG = 1.0
_SLOW = 0.005
"""Seconds. Who takes longer pushes the others out of the caches: the fast ones take turns without them."""


@dataclass(frozen=True, slots=True)
class Contender:
    """What is called, with the number of a query, and how its answer reads: seeds, and all documents."""

    name: str
    call: Callable[[int], Any]
    read: Callable[[Any], tuple[list[str], list[str]]]


@dataclass(slots=True)
class Timed:
    """The seconds of each call that counts, and its answers by the number of the query."""

    seconds: list[float] = field(default_factory=list)
    answers: dict[int, Any] = field(default_factory=dict)

    def milliseconds(self, share: float) -> float:
        """The time that this share of the calls did not exceed."""
        return 1000 * sorted(self.seconds)[math.ceil(share * len(self.seconds)) - 1]


def tried(name: str, make: Callable[[], Contender], say: Say) -> Iterator[Contender]:
    """A peer that answers; of one that does not it is said."""
    found = []
    with say.peer(name):
        contender = make()
        contender.call(0)
        found.append(contender)
    yield from found


def by_turns(contenders: Sequence[Contender], rounds: int, patience: float) -> dict[str, Timed]:
    """Each contender once a round, all with the same query: numbers 0 to `rounds` + WARM - 1.

    The fast ones first. Who has spent so many seconds sits out the rest, so that what is very slow is
    measured less often.
    """
    fast: list[Contender] = []
    slow: list[Contender] = []
    for contender in contenders:
        (slow if _warm(contender, rounds) > _SLOW else fast).append(contender)
    found = {contender.name: Timed() for contender in contenders}
    for group in (fast, slow):
        _take_turns(group, found, rounds, patience)
    return found


def _warm(contender: Contender, rounds: int) -> float:
    """The seconds of the fastest of some calls."""
    fastest = math.inf
    spent = 0.0
    for number in range(rounds, rounds + WARM):
        began = time.perf_counter()
        contender.call(number)
        seconds = time.perf_counter() - began
        fastest, spent = min(fastest, seconds), spent + seconds
        if spent > _LONG:
            break
    return fastest


def _take_turns(
    contenders: Sequence[Contender], found: dict[str, Timed], rounds: int, patience: float
) -> None:
    # What was loaded is not looked through by the collector in the middle of somebody's call.
    gc.collect()
    gc.freeze()
    try:
        for number in range(rounds):
            for place in np.random.default_rng([17, number]).permutation(len(contenders)):
                contender = contenders[place]
                timed = found[contender.name]
                if sum(timed.seconds) > patience:
                    continue
                began = time.perf_counter()
                answer = contender.call(number)
                timed.seconds.append(time.perf_counter() - began)
                timed.answers[number] = answer
    finally:
        gc.unfreeze()
