"""The demo's screen: what flat search and a plan have found, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from textwrap import shorten
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from docgraph.cli.console import one_line, out, plain, print_tree
from docgraph.demo.comparing import (
    AS_OPTIONS,
    CHUNKS,
    PER_DOCUMENT,
    SEEDS,
    TOKENS,
    Comparison,
    Retrieved,
)
from docgraph.plan.views import tree

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

    from docgraph.context import ContextChunk

_WIDEST = 110
_GAP = 2
_INDENT = 2
_TITLE = "bold cyan"
_ANSWER = "bold green"


def show_setting(count: int, where: str, seconds: float) -> None:
    """What is compared, and that it is fair."""
    _print(
        Text(
            f"{count} records of a payments company: decisions, policies, runbooks, a contract.\n"
            f"Ready after {seconds:.1f} s: {plain(where)}.\n\n"
            f"Each question is asked twice, with the same embedding model and the same room: {CHUNKS} "
            f"chunks, {PER_DOCUMENT} of one document at most, {TOKENS:,} tokens. Left: the nearest chunks of "
            f"all. Right: first a plan, the {SEEDS} nearest documents and those that they refer to; then the "
            "nearest chunks of these, with summaries.\n"
            f"In options: {AS_OPTIONS}. Usual are summaries, and 5 seeds."
        )
    )


def show(found: Comparison, number: str) -> None:
    """One question: what both found in columns, and below how the plan came by it."""
    out.print(f"\n{number}{one_line(found.question)}\n", style="bold")
    room = (_width() - _GAP) // 2
    columns = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
    columns.add_column(width=room)
    columns.add_column(width=room)
    columns.add_row(
        Text(f"Flat search: the {CHUNKS} nearest chunks", _TITLE),
        Text(f"By plan: {SEEDS} seeds, what they refer to", _TITLE),
    )
    sides = [list(_chunks(found, each, room)) for each in (found.flat, found.planned)]
    for left, right in zip_longest(*sides, fillvalue=Text("")):
        columns.add_row(left, right)
    if found.known:
        columns.add_row(_verdict(found, found.flat), _verdict(found, found.planned))
    columns.add_row(_bill(found.flat), _bill(found.planned))
    _print(columns)
    out.print("\nWhy these documents", style=_TITLE)
    print_tree(_marked(found))
    if found.known:
        out.print()
        _print(Text(found.known.lesson, "italic"))


def _chunks(found: Comparison, side: Retrieved, room: int) -> Iterator[RenderableType]:
    """In the order in which the database chose them."""
    why = {each.document_id: each.why for each in side.context if each.role == "expanded"}
    for chunk in sorted(side.context.chunks, key=lambda each: each.chosen):
        answer = found.known.answer if found.known and found.answers(chunk) else None
        parts: list[RenderableType] = [
            Text.assemble(
                (f"{chunk.score:.2f} ", "dim"), (plain(chunk.document_id), _ANSWER if answer else "")
            )
        ]
        if chunk.document_id in why:
            parts.append(_indented(Text(plain(why[chunk.document_id]), "yellow")))
        words = shorten(_words(chunk), room - _INDENT, placeholder=" ...")
        parts.append(_indented(Text(f"ANSWER: {answer}", _ANSWER) if answer else Text(words, "dim")))
        yield Group(*parts)


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, _INDENT))


def _words(chunk: ContextChunk) -> str:
    """Without its headings."""
    return one_line("\n".join(line for line in chunk.text.splitlines() if not line.startswith("#")))


def _verdict(found: Comparison, side: Retrieved) -> Text:
    if found.has_answer(side):
        return Text("The answer is here.", _ANSWER)
    place = f" It comes in place {found.place}." if found.place else ""
    return Text(f"No answer here.{place}", "bold red")


def _bill(side: Retrieved) -> Text:
    budget = side.context.accounting.budget
    return Text(
        f"{budget.used} tokens: chunks {budget.evidence_used}, summaries {budget.conceptual_used}; "
        f"{side.milliseconds:.1f} ms",
        "dim",
    )


def _marked(found: Comparison) -> Tree:
    """The plan, with the document of the answer marked."""
    plan = tree(found.planned.context.plan)
    for seed in plan.children:
        for node in (seed, *seed.children):
            label = node.label
            if found.known and isinstance(label, Text) and found.known.document_id in label.plain.split():
                label.append("  <- the answer", _ANSWER)
    return plan


def _width() -> int:
    return min(out.width, _WIDEST)


def _print(what: RenderableType) -> None:
    out.print(what, soft_wrap=False, width=_width())
