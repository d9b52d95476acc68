"""`docgraph ingest`: files and folders in, and what became of them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from docgraph.access import Access
from docgraph.any_client import DEFAULT_TENANT
from docgraph.cli.claims import parse_access
from docgraph.cli.console import err, plain, say_error
from docgraph.cli.options import ClaimedAccess, DatabaseUrl, Home, Json, Keep, Tenant, given_to_all
from docgraph.cli.outcome import changes, how_to_claim, noting_how_to_claim, say_hint, show_report
from docgraph.cli.progress import Meter
from docgraph.cli.setup import saying_how_to_set_up, set_up
from docgraph.client import DocGraph
from docgraph.errors import DocgraphError, NotInstalled
from docgraph.ingest.report import Report

NOTHING_DONE = 2
INTERRUPTED = 130
_MAY_HOLD_A_PASSWORD = ("--database-url", "--embedding-base-url")

GIVEN = "What the documents are given"


def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files and folders.")],
    *,
    root: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Ids are paths from here. Default: the folder given."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Left out, as in .gitignore; may be given several times."),
    ] = None,
    code: Annotated[
        bool,
        typer.Option("--code", help="Python and SQL only, as a graph of modules, classes and functions."),
    ] = False,
    tenant: Tenant = DEFAULT_TENANT,
    repository: Annotated[
        str, typer.Option(metavar="R", help="Their repository, also in their ids.", rich_help_panel=GIVEN)
    ] = "",
    snapshot: Annotated[
        str, typer.Option(metavar="S", help="Their snapshot, also in their ids.", rich_help_panel=GIVEN)
    ] = "",
    tags: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="Who may see them: any of these tags.", rich_help_panel=GIVEN),
    ] = None,
    labels: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="Who may see them: all of these labels.", rich_help_panel=GIVEN),
    ] = None,
    clearance: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Who may see them: from this level.", rich_help_panel=GIVEN),
    ] = 0,
    doc_type: Annotated[
        str,
        typer.Option(metavar="X", help="The type of those that do not say theirs.", rich_help_panel=GIVEN),
    ] = "",
    access: ClaimedAccess = None,
    name: Annotated[
        str | None,
        typer.Option(metavar="SOURCE", help="Name of the source. Default: the folder."),
    ] = None,
    ingestion: Annotated[
        str | None, typer.Option(metavar="ID", help="Name of the run: the same one again continues it.")
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Delete what came from this source before and is gone from it.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and write nothing.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first document that fails.")] = False,
    embedding_base_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where the embedding model is served.", show_default=False),
    ] = None,
    database_url: DatabaseUrl = None,
    home: Home = None,
    keep: Keep = False,
    as_json: Json = False,
) -> None:
    """Bring files in: read, split, link, embed and store them.

    What is stored already with the same content is left alone.

    Exit code 0: all is in, 1: some documents failed and the others are in, 2: nothing was done.
    """
    meter = Meter()
    try:
        claim = parse_access(access)
        restricted = (given_to_all("--tags", tags), given_to_all("--labels", labels))
        given = Access([repository], [snapshot], *restricted, clearance)
        with (
            saying_how_to_set_up(database_url, home),
            DocGraph(database_url, tenant=tenant, access=claim, home=home, keep=keep) as client,
        ):
            if not dry_run:
                _set_up_in_a_terminal(client, database_url, home)
            # Of code there are as many documents as definitions, which nobody knows before.
            with (
                noting_how_to_claim(client, claim, given),
                meter.shown(None if code else lambda: _found(paths, root, exclude or [])),
            ):
                report = client.ingest(
                    paths,
                    root=root,
                    exclude=exclude or [],
                    code=code,
                    repository=repository,
                    snapshot=snapshot,
                    tags=given.tags,
                    labels=given.labels,
                    clearance=given.clearance,
                    doc_type=doc_type,
                    name=name,
                    ingestion=ingestion,
                    prune=prune,
                    dry_run=dry_run,
                    strict=strict,
                    base_url=embedding_base_url,
                    progress=meter,
                )
            seconds = meter.seconds
            refused = [problem.claim for problem in report.problems if problem.claim is not None]
            hint = how_to_claim(client, claim, given, refused) if refused and not as_json else None
    except KeyboardInterrupt:
        err.print("Interrupted.", style="red")
        _say_how_to_go_on(meter.report, dry_run=dry_run)
        raise typer.Exit(INTERRUPTED) from None
    except DocgraphError as error:
        say_error(error)
        for note in getattr(error, "__notes__", ()):
            say_hint(note)
        if not changes(meter.report) or dry_run:
            raise typer.Exit(NOTHING_DONE) from error
        _say_how_to_go_on(meter.report, dry_run=dry_run)
        raise typer.Exit(1) from error
    show_report(report, seconds, hint, dry_run=dry_run, as_json=as_json)
    if report.failed:
        raise typer.Exit(1)


def _set_up_in_a_terminal(client: DocGraph, database_url: str | None, home: Path | None) -> None:
    """An embedded database is the user's own: where somebody looks on, it is set up without being asked."""
    if client.database.embedded is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    try:
        missing = client.embedding_space() is None
    except NotInstalled:
        missing = True
    if missing:
        err.print("There is no docgraph in this database yet: setting it up, as `docgraph init` does.")
        for line in set_up(client, database_url, home):
            err.print(plain(line))


def _found(paths: Sequence[Path], root: Path | None, exclude: Sequence[str]) -> Iterator[object]:
    """Something for each file, to count them: as there is hardly one of a byte at most, none is read."""
    from docgraph.ingest.reading import FolderReader  # noqa: PLC0415 - only for who looks on

    return FolderReader(paths, root=root, excludes=exclude, max_bytes=1).read()


def _say_how_to_go_on(report: Report, *, dry_run: bool) -> None:
    if dry_run:
        err.print("It was a dry run: nothing is written.")
        return
    err.print(
        f"{changes(report):,} documents are written, each of them whole: {report.added:,} added, "
        f"{report.changed:,} changed, {report.deleted:,} deleted. {report.unchanged:,} were there already."
    )
    err.print("To go on, run the same command again; what is there already is left alone:")
    err.print(f"  {plain(_command_again(sys.argv[1:]))}")


def _command_again(words: Sequence[str]) -> str:
    """The command that was given, but for what may hold a password."""
    said = ["docgraph"]
    hide_next = False
    for word in words:
        option, equals, _ = word.partition("=")
        if hide_next:
            said.append('"..."')
        elif option in _MAY_HOLD_A_PASSWORD and equals:
            said.append(f'{option}="..."')
        else:
            said.append(shlex.quote(word))
        hide_next = not hide_next and word in _MAY_HOLD_A_PASSWORD
    return " ".join(said)
