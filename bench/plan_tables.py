"""Figures of plans, their targets, and both as tables."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.timing import Contender, Timed

_TARGETS = [
    # what, slower, faster, how many times, and whether that is the most or the least
    ("approximate plan to bare HNSW", "plan, approximate", "bare HNSW", "<=", 4.0),
    ("exact seeds to bare exact scan", "search, exact", "bare exact scan", "<=", 1.8),
    ("client-side to plan, approximate", "client-side plan, approximate", "plan, approximate", ">=", 2.0),
    ("client-side to plan, exact", "client-side plan, exact", "plan, exact", ">=", 2.0),
    ("graph retriever in memory to exact plan", "graph retriever, in memory", "plan, exact", ">=", 5.0),
    (
        "graph retriever on Chroma to approximate plan",
        "graph retriever, Chroma",
        "plan, approximate",
        ">=",
        5.0,
    ),
]
"""Ratios of medians."""

_BARE = {"bare HNSW", "bare exact scan", "NumPy in memory"}
"""What searches all rows, also those that the caller may not see."""


def summary(contenders: Sequence[Contender], found: dict[str, Timed]) -> dict[str, Any]:
    """The figures of each contender, and the ratios that have a target."""
    read = {
        contender.name: {
            number: contender.read(answer) for number, answer in found[contender.name].answers.items()
        }
        for contender in contenders
    }
    figures = {}
    for name, answers in read.items():
        exact = read["bare exact scan" if name in _BARE else "plan, exact"]
        both = answers.keys() & exact.keys()
        figures[name] = {
            "calls": len(answers),
            "p50_ms": found[name].milliseconds(0.5),
            "p95_ms": found[name].milliseconds(0.95),
            "recall": fmean(
                len(set(answers[number][0]) & set(exact[number][0])) / len(exact[number][0])
                for number in both
            ),
            "documents": fmean(len(documents) for _, documents in answers.values()),
        }
    targets = [
        target(what, figures[slower]["p50_ms"] / figures[faster]["p50_ms"], sign, bound)
        for what, slower, faster, sign, bound in _TARGETS
        if slower in figures and faster in figures
    ]
    return {"figures": figures, "targets": targets}


def target(what: str, value: float, sign: str, bound: float) -> dict[str, Any]:
    """A figure, and whether it is what it should be."""
    met = value >= bound if sign == ">=" else value <= bound
    return {"what": what, "value": value, "sign": sign, "bound": bound, "met": met}


def show(console: Console, title: str, result: dict[str, Any]) -> None:
    """Both tables."""
    table = Table("what", title=title, title_justify="left")
    for heading in ("calls", "p50 ms", "p95 ms", "recall", "documents"):
        table.add_column(heading, justify="right")
    for name, row in result["figures"].items():
        table.add_row(
            name,
            str(row["calls"]),
            f"{row['p50_ms']:,.2f}",
            f"{row['p95_ms']:,.2f}",
            f"{row['recall']:.3f}",
            f"{row['documents']:.1f}",
        )
    console.print(table)
    console.print("recall: of the seeds, against the exact search of the same rows")
    _show_targets(console, result["targets"])


def show_hub(console: Console, result: dict[str, Any]) -> None:
    """The same for the hub."""
    title = f"one document with {result['relationships']:,} relationships"
    table = Table("targets seen", "query plans", title=title, title_justify="left")
    for heading in ("calls", "p50 ms", "p99 ms", "documents", "grew by MB"):
        table.add_column(heading, justify="right")
    table.add_column("truncated", no_wrap=True)
    for row in result["figures"]:
        table.add_row(
            row["visible"],
            row["mode"],
            str(row["calls"]),
            f"{row['p50_ms']:,.2f}",
            f"{row['p99_ms']:,.2f}",
            str(row["documents"]),
            "unknown" if row["grown_mb"] is None else f"{row['grown_mb']:.2f}",
            ", ".join(row["truncated"]),
        )
    console.print(table)
    console.print("grew by: what the server's process had at most beyond what it had after its first plan")
    _show_targets(console, result["targets"])


def _show_targets(console: Console, targets: Sequence[dict[str, Any]]) -> None:
    table = Table("figure", "measured", "target", "")
    for one in targets:
        table.add_row(
            one["what"],
            f"{one['value']:,.2f}",
            f"{one['sign']} {one['bound']:g}",
            "met" if one["met"] else "MISSED",
        )
    console.print(table)
