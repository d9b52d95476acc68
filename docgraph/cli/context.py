"""`docgraph context`: what there is to answer a question from, within a budget, and why it is in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from docgraph.cli.console import err, lines, one_line, out, plain, write, write_as_it_is, write_json
from docgraph.cli.plan_files import read_plan
from docgraph.cli.plan_options import OPTIONS, Asked, naming_options, say_what_is_missing
from docgraph.cli.usual import RETRIEVE, TOKENS, default
from docgraph.client import DocGraph
from docgraph.context.rendering import summary_to_show, titles_to_show
from docgraph.errors import InvalidArgument
from docgraph.naming import renamed
from docgraph.plain import counted

if TYPE_CHECKING:
    from docgraph.context import ContextChunk, ContextDocument, RetrievedContext

EXECUTION = {
    "max_chars": "--max-chars",
    "budget_tokens": "--budget-tokens",
    "conceptual_share": "--conceptual-share",
    "max_chunks": "--chunks",
    "per_document": "--per-document",
    "reserve": "--reserve",
    "selection": "--selection",
    "chunk_mode": "--chunk-mode",
}
"""Parameters of the database by the options that give them, beside those of a plan."""


def _option(metavar: str, what: str, parameter: str) -> Any:
    """With what is usual for the parameter."""
    return typer.Option(metavar=metavar, help=f"{what} {default(RETRIEVE, parameter)}")


def context(
    client: DocGraph,
    asked: Asked,
    *,
    budget_tokens: Annotated[
        int | None, typer.Option(metavar="N", help=f"Room for texts of so many tokens. Default: {TOKENS}.")
    ] = None,
    max_chars: Annotated[
        int | None,
        typer.Option(metavar="N", help="Room for so many characters of texts, in place of tokens."),
    ] = None,
    conceptual_share: Annotated[
        float | None,
        _option(
            "X", "What part of it summaries and section titles may take, from 0 to 1.", "conceptual_share"
        ),
    ] = None,
    chunks: Annotated[int | None, _option("N", "So many chunks at most.", "max_chunks")] = None,
    per_document: Annotated[
        int | None, _option("N", "So many chunks of one document at most.", "per_document")
    ] = None,
    reserve: Annotated[
        float | None,
        _option(
            "X",
            "What part of the chunks is kept for documents that were brought in, from 0 to 1. "
            "Without effect for --selection bridge.",
            "reserve",
        ),
    ] = None,
    selection: Annotated[
        str | None, _option("similarity|bridge", "How chunks are chosen.", "selection")
    ] = None,
    chunk_mode: Annotated[
        str | None,
        typer.Option(
            metavar="semantic|bm25|hybrid",
            help="How chunks are compared: by meaning, by words, or by both. "
            "Default: as --mode says; with --plan, semantic.",
        ),
    ] = None,
    form: Annotated[
        Literal["text", "markdown", "json"], typer.Option("--format", help="What to print.")
    ] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    stored: Annotated[
        str | None,
        typer.Option("--plan", metavar="FILE", help="Execute this stored plan; - is standard input."),
    ] = None,
) -> None:
    """Fetch what there is to answer a question from: the chunks of a plan's documents that answer it best.

    The plan is made as `docgraph plan` makes it, or is a stored one (--plan). Nothing comes from a document
    that is not in it. With summaries and section titles, and the texts of all of it within a budget; headings
    and reasons are written around them.
    """
    if as_json and form == "markdown":
        raise InvalidArgument("--json and --format markdown are both given", hint="Give one of the two.")
    form = "json" if as_json else form
    _check(asked, stored, both=budget_tokens is not None and max_chars is not None)
    options = {
        "max_chars": max_chars,
        "budget_tokens": budget_tokens,
        "conceptual_share": conceptual_share,
        "max_chunks": chunks,
        "per_document": per_document,
        "reserve": reserve,
        "selection": selection,
        "chunk_mode": chunk_mode,
    }
    how: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    with naming_options(OPTIONS | EXECUTION, RETRIEVE):
        if stored is None:
            found = client.retrieve(asked.question, seeds=asked.seeds, **asked.options, **how)
        else:
            found = client.execute(read_plan(stored), asked.question, **how)
    if form == "json":
        write_json(found.to_json())
    elif form == "markdown":
        write_as_it_is(found.to_markdown().removesuffix("\n"))
        # Apart from what goes to a model.
        for note in found.accounting.notes:
            err.print(plain(renamed(note, OPTIONS)), style="yellow")
    else:
        _show(found)
    say_what_is_missing(client, found.plan, asked, noted=form == "text")


def _check(asked: Asked, stored: str | None, *, both: bool) -> None:
    if asked.question is None or not asked.question.strip():
        raise InvalidArgument(
            "there is no question" if asked.question is None else "the question is empty",
            hint='Chunks are chosen by a question: `docgraph context "How do I ...?"`.',
        )
    if both:
        raise InvalidArgument("--budget-tokens and --max-chars are both given", hint="Give one of them.")
    if stored is not None and asked.given:
        raise InvalidArgument(
            f"--plan and {asked.given[0]} are both given",
            hint="A stored plan says by itself what it was made from: leave one of them out.",
        )


def _show(found: RetrievedContext) -> None:
    for number, document in enumerate(found, 1):
        _show_document(number, document)
        for chunk in document.chunks:
            _show_chunk(chunk)
    if found:
        out.print()
    _show_bill(found)


def _show_document(number: int, document: ContextDocument) -> None:
    """What it is, why it is in, and what it is about."""
    space = "\n" if number > 1 else ""
    out.print(f"{space}[{number}] {plain(document.document_id)}", style="bold", end="")
    out.print(f"  {plain(document.why)}", style="cyan")
    if (summary := summary_to_show(document)) is not None:
        out.print(lines(summary), style="dim", soft_wrap=not out.is_terminal)
    if titles := "; ".join(one_line(title) for title in titles_to_show(document)):
        out.print(f"Sections: {titles}", style="dim", soft_wrap=not out.is_terminal)


def _show_chunk(chunk: ContextChunk) -> None:
    titles = f", {plain(' > '.join(chunk.section_path))}" if chunk.section_path else ""
    by = "" if chunk.chosen_by == "similarity" else f", by {plain(chunk.chosen_by)}"
    out.print(f"\n{chunk.score:.6f}{titles}, {counted(chunk.tokens, 'token')}{by}", style="bold")
    write(lines(chunk.text))


def _show_bill(found: RetrievedContext) -> None:
    budget = found.accounting.budget
    out.print(
        f"{budget.used:,} of {budget.limit:,} {budget.unit}: {budget.conceptual_used:,} for summaries and "
        f"section titles, {budget.evidence_used:,} for chunks",
        style="bold",
    )
    for note in found.notes:
        out.print(plain(renamed(note, OPTIONS)))
