"""What an ingestion has done: the figures on standard output, problems and notes on standard error."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from docgraph.access import Access, Identity
from docgraph.cli.console import err, json_line, one_line, out, plain
from docgraph.client import DocGraph
from docgraph.errors import AccessDenied, DocgraphError
from docgraph.ingest.report import Report

_CAUSES_SHOWN = 20
_NAMES_SHOWN = 10


def changes(report: Report) -> int:
    """Documents that the run has written."""
    return report.added + report.changed + report.deleted


def show_report(report: Report, seconds: float, hint: str | None, *, dry_run: bool, as_json: bool) -> None:
    """The end of a run. `hint`: what to do about refusals for access."""
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
    if hint:
        say_hint(hint)
    for note in report.notes:
        err.print(f"Note: {one_line(note)}", style="yellow")
    if report.waiting and not dry_run:
        err.print("What is waiting for what: `docgraph links ID` lists it for a document.", style="yellow")


def say_hint(hint: str) -> None:
    err.print(f"Hint: {plain(hint)}", style="yellow")


@contextmanager
def noting_how_to_claim(client: DocGraph, claim: Access, given: Access) -> Iterator[None]:
    """A refusal for access that ends the run has it as a note."""
    try:
        yield
    except AccessDenied as error:
        outside = "what this call may write" in error.message
        refused = [error.claim] if error.claim else []
        if outside and (hint := how_to_claim(client, claim, given, refused)):
            error.add_note(hint)
        raise


def how_to_claim(client: DocGraph, claim: Access, given: Access, refused: Sequence[Access]) -> str | None:
    """What to add to a claim, as far as the documents say what they ask for; or that it is the ceiling.

    `given` is what all documents of the run are given: it is claimed anyway. None: it cannot be told.
    """
    needed = _with(given, refused)
    try:
        may = client.whoami(access=replace(needed, repositories=None, snapshots=None))
    except DocgraphError:
        return None  # what has been done is to be said, whatever this is
    if options := dict(_named_by(needed, may)):
        return (
            f'login "{may.login}" may not write without a {" and a ".join(options)}: '
            f"add for example {' '.join(options.values())}."
        )
    if beyond := _beyond(needed, may):
        return (
            f'login "{may.login}" may not claim {beyond} in tenant "{client.tenant}", by no option. '
            "An administrator raises its ceiling with docgraph.grant_access."
        )
    wanted = _with(claim, [needed])
    known = wanted != _with(claim, [given])
    said = {key: value for key, value in wanted.to_dict().items() if value}
    what = said if known else {"tags": ["hr"], "clearance": 1}
    option = f"--access {shlex.quote(json.dumps(what, ensure_ascii=False))}"
    return (
        f"to claim, add {'' if known else 'for example '}{option}. Not --tags, --labels and "
        "--clearance: these say what all documents of the run are given."
    )


def _with(claim: Access, others: Sequence[Access]) -> Access:
    """The claim, and what the others ask for."""
    return replace(
        claim,
        tags=sorted({*claim.tags, *(tag for each in others for tag in each.tags)}),
        labels=sorted({*claim.labels, *(label for each in others for label in each.labels)}),
        clearance=max([claim.clearance, *(each.clearance for each in others)]),
    )


def _named_by(needed: Access, may: Identity) -> Iterator[tuple[str, str]]:
    """What is to be named where nothing is and the ceiling wants it, and the option for it."""
    for kind, name in (("repository", "repositories"), ("snapshot", "snapshots")):
        allowed = getattr(may, name)
        if allowed and "" in (getattr(needed, name) or ()) and "" not in allowed:
            yield kind, f"--{kind} {shlex.quote(allowed[0])}"


def _beyond(needed: Access, may: Identity) -> str:
    """In words what the ceiling leaves out; a list that is None leaves out nothing."""
    said = []
    for name in ("repositories", "snapshots", "tags", "labels"):
        allowed = getattr(may, name)
        lacks = set() if allowed is None else {*(getattr(needed, name) or ())} - {*allowed}
        if lacks:
            said.append(f"{name} {', '.join(sorted(entry or json.dumps(entry) for entry in lacks))}")
    if needed.clearance > may.clearance:
        said.append(f"clearance {needed.clearance}")
    return "; ".join(said)


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
        count = f"{len(paths):,} files: " if len(paths) > 1 else ""
        err.print(f"{word}: {count}{names}{more}: {one_line(reason)}", style=style)
        not_shown[failed] -= len(paths)
    if any(not_shown.values()):
        err.print(
            f"Not shown: {not_shown[True]:,} more that failed, {not_shown[False]:,} more that were skipped."
        )
