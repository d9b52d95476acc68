"""`docgraph db upgrade | downgrade | current | history | sql | verify`: versions of the database.

Each imports `migrate` for itself: Alembic takes longer to load than everything else together.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from docgraph.cli.console import can_ask, err, fail, out
from docgraph.cli.options import DatabaseUrl, Home, Json, unwrapped
from docgraph.engine import Database
from docgraph.errors import DocgraphError, InvalidArgument
from docgraph.verify import verify as compare_with_release

_DIFF_STYLES = {"+": "green", "-": "red", "@": "dim"}

Revision = Annotated[str, typer.Argument(help="A revision number, or head.")]


def register(db: typer.Typer) -> None:
    """Adds the commands to `docgraph db`."""
    for command in (upgrade, downgrade, current, history, sql, verify):
        db.command()(unwrapped(command))


def _moved(before: str | None, after: str | None) -> str:
    return f"{'Already' if before == after else 'Now'} at revision {after or 'base'}."


def upgrade(revision: Revision = "head", *, database_url: DatabaseUrl = None, home: Home = None) -> None:
    """Bring the database to a revision: that of this release, unless another is named."""
    from docgraph import migrate  # noqa: PLC0415 - see above

    before, after = migrate.upgrade(database_url, revision, home=home)
    out.print(_moved(before, after))


def downgrade(
    revision: Annotated[str, typer.Argument(help="The revision to return to; base is none.")],
    *,
    database_url: DatabaseUrl = None,
    home: Home = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Take the database back to exactly the revision named. What newer revisions store is lost.

    It asks before it does so. Where there is no terminal to answer in, it wants --yes.
    """
    from docgraph import migrate  # noqa: PLC0415 - see above

    if not yes and not can_ask():
        raise InvalidArgument(
            "what newer revisions store would be lost, and there is no terminal to ask in",
            hint=f"If it may be lost: docgraph db downgrade {revision} --yes",
        )
    if not yes:
        typer.confirm("What newer revisions store will be lost. Go on?", abort=True)
    before, after = migrate.downgrade(database_url, revision, home=home)
    out.print(_moved(before, after))


def current(*, database_url: DatabaseUrl = None, home: Home = None, as_json: Json = False) -> None:
    """Show the revision of the database and that of this release."""
    from docgraph import migrate  # noqa: PLC0415 - see above

    found, head = migrate.current(database_url, home=home), migrate.head()
    if as_json:
        out.print_json(json.dumps({"current": found, "head": head}))
    elif found is None:
        out.print(f"docgraph is not installed here; this release is revision {head}. Run `docgraph init`.")
    else:
        out.print(
            f"{found}" if found == head else f"{found}, this release is {head}: run `docgraph db upgrade`."
        )


def history(*, database_url: DatabaseUrl = None, home: Home = None, as_json: Json = False) -> None:
    """List all revisions, oldest first, and mark the one the database is at."""
    from docgraph import migrate  # noqa: PLC0415 - see above

    revisions = migrate.history(migrate.current(database_url, home=home))
    if as_json:
        out.print_json(json.dumps([asdict(revision) for revision in revisions]))
        return
    for revision in revisions:
        out.print(f"{'*' if revision.current else ' '} {revision.number}  {revision.title}")


def sql(
    *,
    start: Annotated[str, typer.Option("--from", help="The revision the database is at.")] = "base",
    end: Annotated[str, typer.Option("--to", help="The revision to reach.")] = "head",
) -> None:
    """Print the script that an upgrade or a downgrade would run, for review and for psql."""
    from docgraph import migrate  # noqa: PLC0415 - see above

    typer.echo(migrate.offline_sql(start, end), nl=False)


def verify(*, database_url: DatabaseUrl = None, home: Home = None, as_json: Json = False) -> None:
    """Compare the database with this release. Exit code 0: the same, 1: drift, 2: it cannot be compared."""
    try:
        with Database(database_url, home=home) as database:
            differences = compare_with_release(database)
            target = database.describe()
    except DocgraphError as error:
        fail(error, code=2)
    if as_json:
        out.print_json(json.dumps([asdict(difference) for difference in differences]))
    else:
        for difference in differences:
            out.print(f"{difference.kind}: {difference.object}", style="bold")
            for line in difference.diff.splitlines():
                out.print(f"    {line}", style=_DIFF_STYLES.get(line[0]))
        if not differences:
            out.print(f"No drift: {target} is what this release should be.")
    if differences:
        err.print(
            f"Not what this release should be: {len(differences)} of the objects in {target}. "
            "How to put each kind back is in the DBA guide, under Drift."
        )
        raise typer.Exit(1)
