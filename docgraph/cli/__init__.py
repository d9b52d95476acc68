"""The command line: Typer over the same client and functions that Python uses."""

from __future__ import annotations

import logging
import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import docgraph
from docgraph.cli import plan, schema, server
from docgraph.cli.claims import on_documents
from docgraph.cli.console import fail, out, show_warning, write_any_character
from docgraph.cli.context import context
from docgraph.cli.demo import demo
from docgraph.cli.documents import ls, rm, show
from docgraph.cli.embed import embed
from docgraph.cli.ingest import ingest
from docgraph.cli.links import links
from docgraph.cli.mcp import mcp
from docgraph.cli.options import unwrapped
from docgraph.cli.pipeline import pipeline
from docgraph.cli.plan_options import on_a_question
from docgraph.cli.questions import OneQuestion
from docgraph.cli.reembed import reembed
from docgraph.cli.setup import init
from docgraph.cli.stages import expand, fetch, search
from docgraph.errors import DocgraphError

_WORDS_FOR_ASKING = frozenset({"answer", "ask", "find", "query", "retrieve"})


class _Commands(TyperGroup):
    """Whoever asks, and does not know our words for it, is told them."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        first = args[0]
        if first not in self.commands and (first in _WORDS_FOR_ASKING or " " in first.strip()):
            ctx.fail(
                f"No such command {first!r}. "
                'To ask: docgraph context "How do I ...?"; for the plan alone: docgraph plan "How do I ...?"'
            )
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Commands,
    # Of every command below it too.
    context_settings={"help_option_names": ["--help", "-h"]},
    help="Relationship-aware, deterministic, access-controlled retrieval, decided in PostgreSQL.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
db = typer.Typer(help="The database: the embedded server, versions, verification.", no_args_is_help=True)
for its_own in (demo, init, ingest, reembed):
    app.command()(unwrapped(its_own))
for each in (ls, show, links, rm):
    app.command()(on_documents(each))
plan.register(app)
app.command(cls=OneQuestion)(on_documents(on_a_question(context)))
app.command(cls=OneQuestion)(unwrapped(embed))
app.command(cls=OneQuestion)(on_documents(search))
app.command(cls=OneQuestion)(on_documents(pipeline))
for stage in (expand, fetch):
    app.command()(on_documents(stage))
app.command()(on_documents(mcp))
app.add_typer(db, name="db")
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
    write_any_character()
    # What a pool says of a connection that Ctrl-C has broken is for programs that keep a log.
    logging.getLogger("psycopg").addHandler(logging.NullHandler())
    try:
        app()
    except DocgraphError as error:
        fail(error)
    except OSError as error:
        # Of the output, for instance. What is read has errors of its own.
        fail(DocgraphError(f"the system says: {error}", hint="Is the disk full, or something out of reach?"))
