"""Times as tables, and ratios of their medians as targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.results import Cell, Table, Target
from bench.timing import Contender, Timed

Found = Mapping[str, Timed]
Columns = Mapping[str, Mapping[str, float]]
"""Figures beside the times: by heading, then by contender."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times as long one takes as another, and how many times it should at most, or at least."""

    one: str
    other: str
    sign: str
    bound: float
    least: Sequence[str] = ()
    """What does no more than has to be done, by hand: their ratios show how far a target can be reached."""


def times(title: str, found: Found, columns: Columns | None = None, note: str = "") -> Table:
    """A row for each contender."""
    more = columns or {}
    rows: list[Sequence[Cell]] = [
        (
            name,
            len(timed.seconds),
            *(timed.milliseconds(share) for share in (0.5, 0.95, 0.99)),
            *(of.get(name) for of in more.values()),
        )
        for name, timed in found.items()
    ]
    return Table(title, ("what", "calls", "p50 ms", "p95 ms", "p99 ms", *more), rows, note)


def ratios(found: Found, wanted: Iterable[Ratio], where: str) -> list[Target]:
    """Of those that were measured."""
    return [_target(found, ratio, where) for ratio in wanted if ratio.one in found and ratio.other in found]


def _target(found: Found, ratio: Ratio, where: str) -> Target:
    def to_other(name: str) -> float:
        return found[name].milliseconds(0.5) / found[ratio.other].milliseconds(0.5)

    by_hand = {name: to_other(name) for name in ratio.least if name in found}
    what = f"{where}: {ratio.one} to {ratio.other}"
    return Target(what, to_other(ratio.one), ratio.sign, ratio.bound, by_hand)


def read(contenders: Sequence[Contender], found: Found) -> dict[str, dict[int, tuple[list[str], list[str]]]]:
    """What each answered, by the number of the question."""
    return {
        one.name: {number: one.read(answer) for number, answer in found[one.name].answers.items()}
        for one in contenders
    }


def means(answers: Mapping[str, Mapping[int, Any]], of: Callable[[str, int, Any], float]) -> dict[str, float]:
    """By contender."""
    return {
        name: sum(of(name, number, answer) for number, answer in each.items()) / max(len(each), 1)
        for name, each in answers.items()
    }
