"""The most important figures in a few words, of those results that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bench.report import safety
from bench.report.markdown import table
from bench.results import Cell, Result, rows_of

_PLANNED = "planned, hybrid, bridge"
_SET = re.compile(r"(.+): ([\d,]+) questions, ([\d,]+) documents")
_ASKED = {
    "docgraph, by vectors": "retrieve, approximate",
    "docgraph, by vectors and words": "retrieve, hybrid, bridge",
    "bare HNSW query": "bare HNSW",
    "LangChain": "LangChain",
}
_AT_WORK = ("docgraph", "three queries by hand", "LangChain")
"""How the names of rows begin; those of times by heading."""
_AT_ONCE = re.compile(r"(\d+) clients? at once, ([\d,]+) chunks")


def lines(found: Sequence[Result]) -> Iterator[str]:
    for part in (_quality, _times, _at_once, _safety, _targets, _about):
        yield from part(found)


def _quality(found: Sequence[Result]) -> Iterator[str]:
    rows: list[Sequence[Cell]] = []
    for result in found:
        for of in result.tables:
            if match := _SET.match(of.title):
                recalls = {row["way"]: row["R@5"] for row in rows_of([of], of.title)}
                flat = max(recall for way, recall in recalls.items() if way.startswith("flat"))
                best = recalls[_PLANNED]
                model = result.part.split("-")[1]
                gained = f"{100 * (best - flat):+.1f} points"
                rows.append((match[1], match[2], match[3], model, f"{flat:.1%}", f"{best:.1%}", gained))
    if rows:
        yield (
            "\n**What is found**: share of the documents that answer a question that are among the first five"
            " (R@5), on average.\n"
        )
        columns = (
            "set",
            "questions",
            "documents",
            "model",
            "best flat search",
            "planned retrieval",
            "gained",
        )
        yield from table(columns, rows)


def _times(found: Sequence[Result]) -> Iterator[str]:
    by_count: dict[int, dict[str, float]] = {}
    for result in found:
        mine: dict[int, dict[str, float]] = {}
        for row in rows_of(result.tables, "Retrieval, "):
            mine.setdefault(row["chunks"], {})[row["what"]] = row["p50 ms"]
        for count, times in mine.items():
            # Of two runs of a size the one that has more beside it: figures of one row are of one run.
            if len(times) > len(by_count.get(count, ())):
                by_count[count] = times
    rows: list[Sequence[Cell]] = [
        (count, *(_milliseconds(times, name) for name in _ASKED.values()))
        for count, times in sorted(by_count.items())
    ]
    if rows:
        yield (
            "\n**What a question takes**: median time of one client, from the call to Python objects."
            " docgraph's is a whole retrieval: access rules, plan, links, texts, reasons and account. The"
            " last two give the ten nearest chunks and nothing else. By vectors docgraph looks for documents"
            " among their summaries, not among all chunks, so that it hardly slows down as chunks become"
            " more. What is found, above, is by vectors and words.\n"
        )
        yield from table(("chunks", *_ASKED), rows)


def _milliseconds(times: dict[str, float], name: str) -> str:
    """Of all whose name begins so: LangChain has several drivers."""
    own = sorted(time for what, time in times.items() if what.startswith(name))
    if not own:
        return "not measured"
    ends = dict.fromkeys(f"{time:.1f}" for time in (own[0], own[-1]))
    return f"{' to '.join(ends)} ms"


def _at_once(found: Sequence[Result]) -> Iterator[str]:
    rows: list[Sequence[Cell]] = []
    for result in found:
        for of in result.tables:
            if match := _AT_ONCE.match(of.title):
                rates = [(row["what"], row["calls a second"]) for row in rows_of([of], of.title)]
                rows.append((match[1], match[2], *(_fastest(rates, name) for name in _AT_WORK)))
    if rows:
        yield (
            "\n**How much several clients get done**: retrievals by vectors a second, of all clients"
            " together; the better of threads and processes, and of LangChain's drivers.\n"
        )
        yield from table(("clients", "chunks", *_AT_WORK), rows)


def _fastest(rates: Sequence[tuple[str, float]], name: str) -> str:
    own = [rate for what, rate in rates if what.startswith(name)]
    return f"{max(own):,.0f} a second" if own else "not measured"


def _safety(found: Sequence[Result]) -> Iterator[str]:
    tried = [*safety.tried(found)]
    if not tried:
        return
    yield "\n**What must never happen**\n"
    yield from table(("tried", "how often", "went wrong"), tried)
    if missing := safety.without_result(found):
        yield f"\nParts without a result yet: {', '.join(missing)}."


def _targets(found: Sequence[Result]) -> Iterator[str]:
    every = [target for result in found for target in result.targets]
    missed = [target for target in every if not target.met]
    if every:
        yield (
            f"\n**Targets**: {len(every) - len(missed)} of {len(every)} were met, {len(missed)} were missed:"
            " [which, and why](#why-targets-were-missed)."
        )


def _about(found: Sequence[Result]) -> Iterator[str]:
    said = {
        key: " and ".join(dict.fromkeys(result.about[key] for result in found if key in result.about))
        for key in ("docgraph", "PostgreSQL", "machine", "date")
    }
    yield (
        "\n**Measured with**: " + "; ".join(f"{key} {values}" for key, values in said.items() if values) + "."
    )
