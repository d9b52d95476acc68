"""What was tried of what must never happen, part by part, and which part has no result."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from bench.report.markdown import table
from bench.report.targets import AGAINST_A_MODEL, LIKE_A_MODEL
from bench.results import Cell, Result, Table, rows_of
from bench.safety.checks import checks
from bench.safety.sizes import SIZES

_TITLES = {name: check.title for name, check in checks(SIZES["safety-full"]).items()}
"""Of the tables of the project's own tests, by part."""
_THROUGH = "Calls through PgBouncer"
_OTHERS = {
    "identities": rf"{_THROUGH} .+",
    "timing": r"What the clock tells of hidden documents",
    "soak": r"\d+ minutes of coming and going",
}
"""Of the tables of the other parts."""
_WORLDS = "DOCGRAPH_EXAMPLES"
_COUNTED = {
    _WORLDS: "random worlds",
    "DOCGRAPH_STRINGS": "strings for each text",
    "DOCGRAPH_KILLS": "kills",
    "DOCGRAPH_CANCELS": "cancelled calls",
}
"""What the variables count that tell the tests how often."""


class Tests(NamedTuple):
    """The only row of a table of tests."""

    counts: str
    tests: int
    skipped: int
    failed: int
    seconds: float

    @property
    def each(self) -> dict[str, int]:
        """How often each test tries what, by variable."""
        counts = re.findall(r"(\w+)=([\d,]*\d)", self.counts)
        return {name: int(count.replace(",", "")) for name, count in counts}

    @property
    def in_words(self) -> str:
        counts = (f"{count:,} {_COUNTED.get(name, name)}" for name, count in self.each.items())
        return ", ".join(counts) or self.counts


def _tables(found: Sequence[Result]) -> list[Table]:
    return [each for result in found for each in result.tables]


def _tests(found: Sequence[Result]) -> dict[str, Tests]:
    """Of the parts that have a result."""
    rows = {each.title: each.rows[0] for each in _tables(found) if each.rows}
    return {name: Tests._make(rows[title]) for name, title in _TITLES.items() if title in rows}


def others(found: Sequence[Result]) -> list[Table]:
    """The tables of all else."""
    return [each for each in _tables(found) if each.title not in _TITLES.values()]


def without_result(found: Sequence[Result]) -> list[str]:
    """The names of parts."""
    titles = [each.title for each in _tables(found)]
    known = {name: re.escape(title) for name, title in _TITLES.items()} | _OTHERS
    return [
        name for name, wanted in known.items() if not any(re.fullmatch(wanted, title) for title in titles)
    ]


def whole(found: Sequence[Result]) -> Iterator[str]:
    """All parts that are tests, also those that have no result."""
    have = _tests(found)
    columns = ("part", "what is tried", "each test tries", "tests", "skipped", "failed", "seconds")
    rows: list[Sequence[Cell]] = []
    for name, title in _TITLES.items():
        what = re.sub(LIKE_A_MODEL, AGAINST_A_MODEL, title)
        if one := have.get(name):
            rows.append((name, what, one.in_words, one.tests, one.skipped, one.failed, one.seconds))
        else:
            rows.append((name, what, "**no result yet**", None, None, None, None))
    yield from table(columns, rows)


def tried(found: Sequence[Result]) -> Iterator[Sequence[Cell]]:
    """What, how often, and how often it went wrong."""
    have = _tests(found)
    worlds = {name: one for name, one in have.items() if _WORLDS in one.each}
    rest = {name: one for name, one in have.items() if _WORLDS not in one.each}
    if worlds:
        each = " or ".join(f"{count:,}" for count in sorted({one.each[_WORLDS] for one in worlds.values()}))
        what = f"access in random worlds, against a second implementation in Python: {', '.join(worlds)}"
        tests, failed = _sums(worlds.values())
        yield what, f"{tests} tests of {each} worlds each", f"{failed} leaks or other differences"
    if rest:
        tests, failed = _sums(rest.values())
        yield f"other tests: {', '.join(rest)}", f"{tests:,} tests", f"{failed} failed"
    through = {row["what"]: [*row.values()][1] for row in rows_of(_tables(found), _THROUGH)}
    if through:
        what = f"{through['clients']} clients of several logins through PgBouncer"
        yield what, f"{through['calls']:,} calls", f"{through['wrong']} answered as somebody else"


def _sums(of: Collection[Tests]) -> tuple[int, int]:
    """How many tests ran, and how many failed."""
    return sum(one.tests - one.skipped for one in of), sum(one.failed for one in of)
