"""Options that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from docgraph.errors import InvalidArgument

DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database-url",
        metavar="URL",
        help="A PostgreSQL URL or libpq string. Default: DOCGRAPH_DATABASE_URL, else the embedded server.",
        show_default=False,
    ),
]
Home = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="FOLDER",
        help="Data folder of the embedded server. Default: DOCGRAPH_HOME, else the platform's place.",
        show_default=False,
    ),
]
Keep = Annotated[bool, typer.Option("--keep", help="Leave the embedded server running afterwards.")]


def _not_empty(name: str | None) -> str | None:
    """An empty one would be that of the system user: seldom what a script meant that has no name to give."""
    if name == "":
        raise typer.BadParameter("The name is empty.")
    return name


User = Annotated[
    str | None,
    typer.Option(
        "--user",
        metavar="NAME",
        callback=_not_empty,
        help="Connect as this login. Default: that of the URL; on the embedded server, postgres.",
        show_default=False,
    ),
]
Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a document.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Mermaid = Annotated[bool, typer.Option("--mermaid", help="Print a flow chart in Mermaid's language.")]

CLAIM = "Claim"
"""Over the options that say what the call claims to be allowed."""

Tenant = Annotated[str, typer.Option("--tenant", metavar="T", help="The tenant that the documents are of.")]
ClaimedAccess = Annotated[
    str | None,
    typer.Option(
        "--access",
        metavar="JSON",
        envvar="DOCGRAPH_ACCESS",
        help='The claim, for example {"tags": ["hr"], "clearance": 1}. Default: public documents only.',
        show_default=False,
        rich_help_panel=CLAIM,
    ),
]
ClaimedRepositories = Annotated[
    list[str] | None,
    typer.Option(
        "--repository",
        metavar="R",
        help="Only documents of this repository; may be given several times.",
        rich_help_panel=CLAIM,
    ),
]
ClaimedSnapshots = Annotated[
    list[str] | None,
    typer.Option(
        "--snapshot",
        metavar="S",
        help="Only documents of this snapshot; may be given several times.",
        rich_help_panel=CLAIM,
    ),
]
ClaimedTags = Annotated[
    list[str] | None,
    typer.Option(
        "--tags", metavar="A,B", help="Tags to claim, beside those of --access.", rich_help_panel=CLAIM
    ),
]
ClaimedLabels = Annotated[
    list[str] | None,
    typer.Option(
        "--labels", metavar="A,B", help="Labels to claim, beside those of --access.", rich_help_panel=CLAIM
    ),
]
ClaimedClearance = Annotated[
    int | None,
    typer.Option(
        "--clearance",
        metavar="N",
        min=0,
        help="The level to claim, in place of --access.",
        rich_help_panel=CLAIM,
    ),
]


def listed(values: list[str] | None) -> list[str]:
    """Values that were given one by one, with commas between them, or both."""
    return [part.strip() for value in values or () for part in value.split(",") if part.strip()]


def given_to_all(option: str, values: list[str] | None) -> list[str]:
    """As `listed`, but not empty, as from a variable that is not set: it would leave documents open."""
    found = listed(values)
    if values and not found:
        raise InvalidArgument(f"{option} is empty", hint="Leave it out to restrict nobody by it.")
    return found


def take_options_of_both(
    run: Callable[..., None], command: Callable[..., None], *, handed: int = 1
) -> Callable[..., None]:
    """`run` with the parameters of both, because the command line is made from them.

    `run` calls the command, hands it the first so many of what it takes, and passes on what is not its own.
    """
    own = list(inspect.signature(command, eval_str=True).parameters.values())[handed:]
    around = inspect.signature(run, eval_str=True).parameters.values()
    parameters = [
        *(each for each in around if each.kind is each.POSITIONAL_OR_KEYWORD),
        *own,
        *(each for each in around if each.kind is each.KEYWORD_ONLY),
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # Typer reads it
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    run.__name__, run.__doc__ = command.__name__, unwrapped(command).__doc__
    return run


def unwrapped(command: Callable[..., None]) -> Callable[..., None]:
    """Each paragraph of its help in one line: a narrow terminal would break the lines of the source again."""
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    command.__doc__ = "\n\n".join(" ".join(each.split()) for each in paragraphs)
    return command
