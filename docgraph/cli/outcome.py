"""What an ingestion has done: the figures on standard output, problems and notes on standard error."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import replace

from docgraph.access import Access
from docgraph.cli.console import err, json_line, one_line, out, plain
from docgraph.ingest.report import Report

_CAUSES_SHOWN = 20
_NAMES_SHOWN = 10


def changes(report: Report) -> int:
    """Documents that the run has written."""
    return report.added + report.changed + report.deleted


def show_report(report: Report, seconds: float, claim: Access, *, dry_run: bool, as_json: bool) -> None:
    """The end of a run, which was made by this claim."""
    if as_json:
        json_line({**report.to_dict(), "seconds": round(seconds, 3)})
        return
    if dry_run:
        out.print(
            "A dry run: nothing is written; embedding, and the name of the run, are not tried. "
            "What would be done:",
            style="bold",
        )
    figures = {
        "added": report.added,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "deleted": report.deleted,
        "skipped": report.skipped,
        "failed": report.failed,
        "waiting": report.waiting,
        "chunks": report.chunks,
        "embedded": report.embedded,
    }
    if dry_run:
        # Neither is known before it is done.
        del figures["waiting"], figures["embedded"]
    if report.done or report.deleted:
        for name, figure in figures.items():
            out.print(f"{name:<12}{figure:>12,}", style="red" if name == "failed" and figure else None)
        out.print(f"{'seconds':<12}{seconds:>12,.1f}")
        out.print(f"{'per second':<12}{report.done / seconds:>12,.1f}")
    _show_problems(report)
    if refused := [problem.claim for problem in report.problems if problem.claim is not None]:
        say_how_to_claim(claim, refused)
    for note in report.notes:
        err.print(f"Note: {one_line(note)}", style="yellow")
    if report.waiting and not dry_run:
        err.print("What is waiting for what: `docgraph links ID` lists it for a document.", style="yellow")


def say_how_to_claim(claim: Access, refused: Sequence[Access]) -> None:
    """What to add to the claim of a run, as far as the documents say what they ask for."""
    wanted = replace(
        claim,
        tags=sorted({*claim.tags, *(tag for each in refused for tag in each.tags)}),
        labels=sorted({*claim.labels, *(label for each in refused for label in each.labels)}),
        clearance=max([claim.clearance, *(each.clearance for each in refused)]),
    )
    said = {key: value for key, value in wanted.to_dict().items() if value}
    known = wanted != replace(claim, tags=sorted(claim.tags), labels=sorted(claim.labels))
    what = said if known else {"tags": ["hr"], "clearance": 1}
    option = f"--access {shlex.quote(json.dumps(what, ensure_ascii=False))}"
    err.print(
        f"Hint: to claim, add {'' if known else 'for example '}{plain(option)}. Not --tags, --labels and "
        "--clearance: these say what all documents of the run are given.",
        style="yellow",
    )


def _show_problems(report: Report) -> None:
    """Each cause once. What failed comes first."""
    causes: dict[tuple[bool, str], list[str]] = {}
    for problem in sorted(report.problems, key=lambda problem: not problem.failed):
        causes.setdefault((problem.failed, problem.reason), []).append(problem.path)
    not_shown = {True: report.failed, False: report.skipped}
    for (failed, reason), paths in [*causes.items()][:_CAUSES_SHOWN]:
        word, style = ("Failed", "red") if failed else ("Skipped", None)
        names = ", ".join(map(plain, paths[:_NAMES_SHOWN]))
        more = f" and {len(paths) - _NAMES_SHOWN:,} more" if len(paths) > _NAMES_SHOWN else ""
        count = f"{len(paths):,} documents: " if len(paths) > 1 else ""
        err.print(f"{word}: {count}{names}{more}: {one_line(reason)}", style=style)
        not_shown[failed] -= len(paths)
    if any(not_shown.values()):
        err.print(
            f"Not shown: {not_shown[True]:,} more that failed, {not_shown[False]:,} more that were skipped."
        )
