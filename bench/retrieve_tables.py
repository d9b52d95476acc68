"""Figures of retrieval, their targets, and both as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.plan_tables import target
from bench.timing import Contender, Timed

Figures = Mapping[str, Mapping[str, float]]

_OURS = "retrieve, approximate"
_TARGETS = [
    # one, the other, at most how many times as long it may take, and the least that such a call does, by hand
    (_OURS, "LangChain, psycopg", 0.55, "three queries by hand, approximate"),
    (_OURS, "bare HNSW", 3.5, "three queries by hand, approximate"),
    ("retrieve, exact", "LangChain, psycopg", 1.5, "three queries by hand, exact"),
    ("execute_plan", "ANY by hand", 1.5, "ANY by hand"),
    ("execute_plan", "LangChain with $in, psycopg", 0.25, "ANY by hand"),
    ("execute_plan", "LanceDB, prefilter", 0.2, "ANY by hand"),
    ("execute_plan", "Chroma with $in", 0.01, "ANY by hand"),
]
"""Of medians."""

_CLIENTS = 3.0
_GROWTH = 2.0
"""How many times as long it may take on the largest number of chunks as on the smallest."""


def summary(
    contenders: Sequence[Contender],
    found: Mapping[str, Timed],
    wanted: Mapping[int, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """The figures of each contender, and the ratios that have a target. `wanted`: the right chunks."""
    figures = {one.name: _figures(one, found[one.name], wanted) for one in contenders}
    targets = [
        target(f"{one} to {other}", figures[one]["p50_ms"] / figures[other]["p50_ms"], "<=", bound)
        | {"by_hand": figures[least]["p50_ms"] / figures[other]["p50_ms"]}
        for one, other, bound, least in _TARGETS
        if one in figures and other in figures
    ]
    return {"figures": figures, "targets": targets}


def _figures(
    contender: Contender, timed: Timed, wanted: Mapping[int, Sequence[str]] | None
) -> dict[str, float]:
    read = {number: contender.read(answer) for number, answer in timed.answers.items()}
    figures = {
        "calls": len(read),
        "p50_ms": timed.milliseconds(0.5),
        "p95_ms": timed.milliseconds(0.95),
        "chunks": fmean(len(chunks) for chunks, _ in read.values()),
        "documents": fmean(len(documents) for _, documents in read.values()),
    }
    if wanted is not None:
        figures["nearest"] = fmean(
            len(set(chunks) & set(wanted[number])) / len(wanted[number])
            for number, (chunks, _) in read.items()
        )
    return figures


def of_clients(measured: Mapping[str, Any]) -> dict[str, Any]:
    """The same of several clients at once."""
    rates = measured["calls_per_second"]
    times = [
        target(
            f"{measured['clients']} clients as {kind}: docgraph to LangChain",
            rates[f"docgraph, {kind}"] / rates[f"LangChain, {kind}"],
            ">=",
            _CLIENTS,
        )
        | {"by_hand": rates[f"three queries by hand, {kind}"] / rates[f"LangChain, {kind}"]}
        for kind in ("threads", "processes")
        if f"LangChain, {kind}" in rates
    ]
    return {**measured, "targets": times}


def growth(by_count: Mapping[int, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How much longer retrieval takes on the most chunks than on the fewest."""
    fewest, most = min(by_count), max(by_count)
    small, large = (by_count[count]["figures"][_OURS]["p50_ms"] for count in (fewest, most))
    return [target(f"{_OURS}: {most:,} to {fewest:,} chunks", large / small, "<=", _GROWTH)]


def show(console: Console, title: str, result: Mapping[str, Any]) -> None:
    """Its figures, then its targets."""
    if "clients" in result:
        _show_clients(console, title, result)
    else:
        _show_figures(console, title, result["figures"])
    show_targets(console, result["targets"])


def _show_figures(console: Console, title: str, figures: Figures) -> None:
    table = Table("what", title=title, title_justify="left")
    compared = any("nearest" in row for row in figures.values())
    for heading in ["calls", "p50 ms", "p95 ms", "chunks", "documents", *(["nearest"] if compared else [])]:
        table.add_column(heading, justify="right")
    for name, row in figures.items():
        table.add_row(
            name,
            f"{row['calls']}",
            f"{row['p50_ms']:,.2f}",
            f"{row['p95_ms']:,.2f}",
            f"{row['chunks']:.1f}",
            f"{row['documents']:.1f}",
            *([f"{row['nearest']:.3f}"] if compared else []),
        )
    console.print(table)
    if compared:
        console.print("nearest: how many of the nearest chunks of the plan's documents are among them")


def _show_clients(console: Console, title: str, result: Mapping[str, Any]) -> None:
    table = Table("what", title=title, title_justify="left")
    for heading in ("calls a second", f"in rounds of {result['seconds']:g} s"):
        table.add_column(heading, justify="right")
    for name, rate in result["calls_per_second"].items():
        table.add_row(name, f"{rate:,.0f}", ", ".join(f"{each:,.0f}" for each in result["rounds"][name]))
    console.print(table)


def show_targets(console: Console, targets: Sequence[Mapping[str, Any]]) -> None:
    """A line for each, unless there are none."""
    if not targets:
        return
    table = Table("figure", "measured", "target", "", "by hand")
    for one in targets:
        table.add_row(
            one["what"],
            f"{one['value']:,.3f}",
            f"{one['sign']} {one['bound']:g}",
            "met" if one["met"] else "MISSED",
            f"{one['by_hand']:,.3f}" if "by_hand" in one else "",
        )
    console.print(table)
    if any("by_hand" in one for one in targets):
        console.print("by hand: the same figure of bare queries that do no more than find and fetch")
