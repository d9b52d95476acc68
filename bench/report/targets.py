"""How targets read: what is divided by what, in which unit, and why those that were missed were missed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bench.report.markdown import cell, table
from bench.results import Cell, Target

LIKE_A_MODEL = r"(?i:random) worlds, each layer alone: like a model in Python: (.+)"
AGAINST_A_MODEL = r"random worlds, against a model in Python, by each layer of access control alone: \1"
"""How some tests are named, and how they read."""
_TIMES, _SHARE, _TESTS = "times", "share", "tests"


@dataclass(frozen=True, slots=True)
class Kind:
    """Targets whose name matches; `\\1` in `reads` is the first group of it."""

    name: str
    reads: str
    unit: str


KINDS = (
    Kind(r"(.+): (R@\d+) with (.+)", r"\1, model \3: \2 of «planned, hybrid, bridge»", _SHARE),
    Kind(
        r"(.+): above «(.+)»",
        r"\1: R@5 of «planned, hybrid, bridge» minus R@5 of «\2», the best flat search",
        _SHARE,
    ),
    Kind(
        r"(.+): shuffled links to flat(.*)",
        r"\1, links shuffled\2: R@5 minus R@5 of the best flat search",
        _SHARE,
    ),
    Kind(
        r"one document: (R@\d+) to «(.+)»",
        r"questions that need one document: \1 of «planned, hybrid, bridge» minus \1 of «\2»",
        _SHARE,
    ),
    Kind(r"soak: lowest recall", "soak: lowest recall of the approximate search", _SHARE),
    Kind(
        r"soak: growth of the (.+)", r"soak: MB of the \1 at the end ÷ MB after a tenth of the time", _TIMES
    ),
    Kind(r"(calls through PgBouncer) (answered as somebody else)", r"\1 that were \2", "calls"),
    Kind(r"identities: tried \((.+)\)", r"calls through PgBouncer: not tried, \1", "runs"),
    *(
        Kind(rf"{name}: {count}", rf"{reads}: tests that {did}", _TESTS)
        for name, reads in ((LIKE_A_MODEL, AGAINST_A_MODEL), (r"(.+)", r"\1"))
        for count, did in (("failed", "failed"), ("tests", "ran"))
    ),
    Kind(
        r"(Within plans, .+): nearest by docgraph, to those by hand",
        r"\1: chunks that «ANY by hand» and `execute_plan` without reserve and without a limit for each"
        r" document both give ÷ chunks that the latter gives",
        _SHARE,
    ),
    Kind(
        r"(\d+ clients) as (\w+): docgraph to LangChain",
        r"\1 as \2: calls a second of docgraph ÷ calls a second of LangChain, by its faster driver",
        _TIMES,
    ),
    Kind(
        r"words, (.+): scores to those of bm25s",
        r"search by words, \1: largest difference between a score and that of bm25s ÷ the latter",
        _SHARE,
    ),
    Kind(r"words, (.+): (.+) to (.+)", r"search by words, \1: median time of «\2» ÷ of «\3»", _TIMES),
    Kind(
        r"retrieve, approximate: ([\d,]+) to ([\d,]+) chunks",
        r"«retrieve, approximate»: median time with \1 chunks ÷ with \2 chunks",
        _TIMES,
    ),
    Kind(r"(expand, .+): p95 ms", r"\1: what 95 of 100 calls did not exceed", "ms"),
    Kind(
        r"hub, (.+) seen, (\w+) query plans: p99 ms",
        r"plan from a document with very many relationships, targets seen: \1, \2 query plans of PostgreSQL:"
        r" what 99 of 100 calls did not exceed",
        "ms",
    ),
    Kind(r"put: ratio", "bringing in: seconds of COPY ÷ seconds of `put`, of the same rows", _TIMES),
    Kind(r"deleting: seconds", "deleting one in a hundred of the documents that are stored", "s"),
    Kind(
        r"folder: times faster",
        "a folder of files: seconds of the first `ingest` ÷ seconds of another without a change",
        _TIMES,
    ),
    Kind(r"memory: peak mb", "most memory of a client that calls `put`", "MB"),
    Kind(r"(.+?): (.+) to (.+)", r"\1: median time of «\2» ÷ of «\3»", _TIMES),
)
"""The first that matches counts."""


def reads(target: Target) -> tuple[str, str]:
    """What it is of, and its unit."""
    for kind in KINDS:
        if match := re.fullmatch(kind.name, target.what):
            return match.expand(kind.reads), kind.unit
    return target.what, ""


def bound(target: Target) -> str:
    return f"{'at least' if target.sign == '>=' else 'at most'} {target.bound:g}"


def whole(found: Iterable[tuple[str, Target]]) -> Iterator[str]:
    """All of them as a table, each with where it is from; of one result that is not said."""
    columns = ("figure", "unit", "measured", "target", "")
    rows = [(*_row(target), where) for where, target in found]
    yield from _with_where(columns, rows)


def _row(target: Target) -> Sequence[Cell]:
    return *reads(target), target.value, bound(target), "met" if target.met else "**missed**"


def _with_where(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    """A table whose last column stands there only if it has anything in it."""
    if any(row[-1] for row in rows):
        yield from table((*columns, "measured by"), rows)
    else:
        yield from table(columns, (row[:-1] for row in rows))


@dataclass(frozen=True, slots=True)
class _Why:
    """A reason why targets of this name are missed, where it applies."""

    name: str
    applies: Callable[[Target], bool]
    text: str


def _by_hand_is_less(target: Target) -> bool:
    return bool(target.by_hand) and all(figure < target.value for figure in target.by_hand.values())


def _by_hand_misses_too(target: Target) -> bool:
    others = [Target("", figure, target.sign, target.bound) for figure in target.by_hand.values()]
    return bool(others) and not any(other.met for other in others)


_WHY = (
    _Why(
        r"Retrieval, .+: retrieve, approximate to .+",
        _by_hand_is_less,
        "What SQL by hand does without: access rules, limits, reasons, texts about documents and the account"
        " of what was used, in some forty functions. The tables «Where … spends its time» of the speed page"
        " show what each takes. Tried, and no faster: prepared statements; one window function in place of"
        " one for each document; JSON written as text and read once. Tried, and kept: one look at a plan in"
        " place of seven; a shorter way where no seed has more links than its limit.",
    ),
    _Why(
        r"Retrieval, .+: retrieve, exact to .+",
        _by_hand_misses_too,
        "The summaries of all documents are compared with the question, by hand too, which alone takes longer"
        " than the target allows; LangChain asks its index.",
    ),
    _Why(
        r"Within plans, .+: execute_plan to .+",
        _by_hand_is_less,
        "SQL by hand trusts the plan it is given, and has no reserve, no reasons and no account."
        " `execute_plan` checks the plan first: its shape, its hash, its limits, and that each document may"
        " still be seen. Tried, and kept: one look at a plan in place of seven; vectors sent in binary.",
    ),
    _Why(
        r"\d+ clients as .+",
        _by_hand_misses_too,
        "A retrieval takes more of the server's time than the one search of LangChain, and clients and server"
        " share the cores of one machine. Three queries by hand miss the target too. What was tried for one"
        " client counts here as well.",
    ),
    _Why(
        r".+: shuffled links to flat.*",
        lambda target: target.value > -0.06,
        "Documents that shuffled links bring in share words with the question by chance, and take"
        " the place of a seed that was found. Tried, for questions of MuSiQue: what brings one word of the"
        " question a place further back, and what brings none two. That loses 0.015 less here, but 0.09 of"
        " ghsa-authority, whose links bring one word as a rule, and 0.004 of HotpotQA. Not taken.",
    ),
    _Why(
        r"put: ratio",
        lambda target: target.value > 0.45,
        "At the bound: the rounds of one run differ more, and earlier runs were above it. Beside writing the"
        " same rows, `put` checks each value, compares documents with what is stored, finds what references"
        " lead to, counts words, and reports.",
    ),
    _Why(
        r"Plans, .+: client-side plan, exact to plan, exact",
        lambda target: target.value < 1.1,
        "Nearly all of both is the same scan of all vectors, so that there is next to nothing to save.",
    ),
    _Why(
        r"Plans, .+: client-side plan, approximate to plan, approximate",
        lambda target: target.value > 1,
        "A plan saves round trips, and over a socket of the same machine they are cheap; a network makes them"
        " longer.",
    ),
)
_UNKNOWN = "Not looked into."


def why(target: Target) -> str:
    """The reason that is known, if it applies here."""
    return next(
        (each.text for each in _WHY if re.fullmatch(each.name, target.what) and each.applies(target)),
        _UNKNOWN,
    )


def missed(found: Iterable[tuple[str, Target]]) -> Iterator[str]:
    """Those that were missed, by reason."""
    by_reason: dict[str, list[tuple[str, Target]]] = {}
    for where, target in found:
        if not target.met:
            by_reason.setdefault(why(target), []).append((where, target))
    for reason in sorted(by_reason, key=lambda each: each == _UNKNOWN):
        rows = [
            (reads(target)[0], target.value, bound(target), _by_hand(target), where)
            for where, target in by_reason[reason]
        ]
        columns = ("figure", "measured", "target", "the same, SQL by hand")
        yield from (*_with_where(columns, rows), f"\n{reason}\n")


def _by_hand(target: Target) -> str:
    found = (f"{cell(figure)} by «{name}»" for name, figure in target.by_hand.items())
    return ", ".join(found) or "-"
