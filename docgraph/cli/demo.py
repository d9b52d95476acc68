"""`docgraph demo`: the whole idea on a screen, on nothing but what is installed."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from docgraph.cli.console import err, json_line, out, plain
from docgraph.cli.demo_screen import show, show_setting
from docgraph.cli.options import Json, Keep
from docgraph.cli.setup import set_up
from docgraph.client import DocGraph
from docgraph.demo.comparing import FLAT, PLANNED, Comparison, compare
from docgraph.demo.database import find_home, mark_as_ours, saying_what_to_do
from docgraph.demo.records import QUESTIONS, SUGGESTED, records
from docgraph.errors import InvalidArgument


def demo(
    *,
    question: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Ask this of the demo's records, in place of its own.")
    ] = None,
    home: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where the demo's database is. Default: a place of its own."),
    ] = None,
    keep: Keep = False,
    as_json: Json = False,
) -> None:
    """See what docgraph does: three questions that flat search gets wrong and a plan gets right.

    Starts an embedded PostgreSQL in a folder of its own, brings the records of a company in, and asks. No
    other database is touched. Run it again: what is there is used.
    """
    if question is not None and not question.strip():
        raise InvalidArgument("--question is empty", hint='For example --question "Who leads an incident?"')
    place = find_home(home)
    begin = time.monotonic()
    with saying_what_to_do(place), DocGraph(None, home=place, keep=keep) as client:
        with _waiting("Starting an embedded PostgreSQL and bringing the records in ..."):
            count = _prepare(client, place)
        seconds = time.monotonic() - begin
        where = client.database.describe()
        found = [*_ask(client, question)]
    if as_json:
        about = {"database": where, "records": count, "seconds_until_ready": round(seconds, 1)}
        json_line(
            {
                **about,
                "options": {"flat": FLAT, "planned": PLANNED},
                "questions": [each.to_dict() for each in found],
            }
        )
        return
    show_setting(count, where, seconds)
    for number, each in enumerate(found, 1):
        show(each, f"{number}. " if len(found) > 1 else "")
    _say_what_next(place, home, question)


def _prepare(client: DocGraph, home: Path) -> int:
    """A database of this version with the records of this version, whatever was there; how many there are."""
    if client.database.embedded:
        client.database.embedded.start()
    mark_as_ours(home)
    set_up(client, None, home)
    report = client.ingest(records(), name="docgraph demo", prune=True, strict=True)
    return report.added + report.changed + report.unchanged


def _ask(client: DocGraph, question: str | None) -> Iterator[Comparison]:
    known = {each.text: each for each in (*QUESTIONS, SUGGESTED)}
    for text in [each.text for each in QUESTIONS] if question is None else [question]:
        yield compare(client, text, known.get(text))


@contextmanager
def _waiting(what: str) -> Iterator[None]:
    """In a terminal, as long as it takes."""
    if err.is_terminal:
        with err.status(what):
            yield
    else:
        yield


def _say_what_next(place: Path, home: Path | None, question: str | None) -> None:
    out.print()
    if question is None:
        where = f" --home {plain(shlex.quote(str(home)))}" if home else ""
        own = f'docgraph demo{where} --question "{SUGGESTED.text}"'
        out.print(f"Ask it yourself:     {own}", style="bold")
    asked = f'"{SUGGESTED.text}"' if question is None else plain(shlex.quote(question))
    same = f"docgraph context {asked} --home {plain(shlex.quote(str(place)))}"
    out.print(f"Without comparing:   {same}", style="bold")
    yours = 'docgraph init && docgraph ingest FOLDER && docgraph context "How do I ...?"'
    out.print(f"Your own documents:  {yours}", style="bold")
