"""What an ingestion has done: the figures on standard output, problems and notes on standard error."""

from __future__ import annotations

from docgraph.cli.console import err, json_line, one_line, out, plain
from docgraph.ingest.report import Report

_PROBLEMS_SHOWN = 20


def changes(report: Report) -> int:
    """Documents that the run has written."""
    return report.added + report.changed + report.deleted


def show_report(report: Report, seconds: float, *, dry_run: bool, as_json: bool) -> None:
    """The end of a run."""
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
    for name, figure in figures.items():
        out.print(f"{name:<12}{figure:>12,}", style="red" if name == "failed" and figure else None)
    out.print(f"{'seconds':<12}{seconds:>12,.1f}")
    out.print(f"{'per second':<12}{report.done / seconds:>12,.1f}")
    _show_problems(report)
    for note in report.notes:
        err.print(f"Note: {one_line(note)}", style="yellow")


def _show_problems(report: Report) -> None:
    """What failed first."""
    shown = sorted(report.problems, key=lambda problem: not problem.failed)[:_PROBLEMS_SHOWN]
    for problem in shown:
        word, style = ("Failed", "red") if problem.failed else ("Skipped", None)
        err.print(f"{word}: {plain(problem.path)}: {one_line(problem.reason)}", style=style)
    failed = report.failed - sum(problem.failed for problem in shown)
    skipped = report.skipped - sum(not problem.failed for problem in shown)
    if failed or skipped:
        err.print(f"Not shown: {failed:,} more that failed, {skipped:,} more that were skipped.")
