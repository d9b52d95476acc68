"""The command line: Typer over the same client and functions that Python uses."""

from __future__ import annotations

import warnings
from typing import Annotated

import typer

import docgraph
from docgraph.cli import schema, server
from docgraph.cli.console import fail, out, show_warning
from docgraph.cli.setup import init
from docgraph.errors import DocgraphError

app = typer.Typer(
    help="Relationship-aware, deterministic, access-controlled retrieval, decided in PostgreSQL.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
db = typer.Typer(help="The database: the embedded server, versions, verification.", no_args_is_help=True)
app.add_typer(db, name="db")
app.command()(init)
server.register(db)
schema.register(db)


@app.callback(invoke_without_command=True)
def options(*, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    if version:
        out.print(docgraph.__version__)
        raise typer.Exit


def main() -> None:
    """What `docgraph` runs. Every error of ours is a message and a hint, never a traceback."""
    warnings.showwarning = show_warning
    try:
        app()
    except DocgraphError as error:
        fail(error)
