"""`docgraph links`: what a document refers to, and what refers to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from docgraph.cli.claims import refuse_unseen
from docgraph.cli.console import err, json_line, plain
from docgraph.cli.options import Id, Json
from docgraph.cli.tables import Rows, first_words
from docgraph.client import DocGraph
from docgraph.stored import Relationship

_PAGE = 500


def links(
    client: DocGraph,
    document: Id,
    *,
    into: Annotated[bool, typer.Option("--in", help="Only what leads to the document.")] = False,
    out_of: Annotated[bool, typer.Option("--out", help="Only what leads from it.")] = False,
    both: Annotated[bool, typer.Option("--both", help="Both; also if nothing is said.")] = False,
    as_json: Json = False,
) -> None:
    """List the relationships of a document. With --json, one object on each line.

    Each is declared by somebody, inferred from a text, or both; it waits for a document that can be seen.
    """
    if both or not (into or out_of):
        into = out_of = True
    table = Rows("", "Relation", "Document", "State", "Evidence")
    found = False
    for direction in [name for name, asked in (("out", out_of), ("in", into)) if asked]:
        for page in _relationships(client, document, direction):
            found = True
            if as_json:
                for each in page:
                    json_line({"direction": direction, **asdict(each)})
            else:
                table.print(_relationship_row(direction, each) for each in page)
    if not found:
        if client.get_document(document) is None:
            refuse_unseen(document)
        way = "from or to" if into and out_of else "to" if into else "from"
        err.print(f'No relationship leads {way} "{plain(document)}".')


def _relationships(client: DocGraph, document: str, direction: str) -> Iterator[Sequence[Relationship]]:
    after: tuple[str, str] | None = None
    while page := client.list_relationships(document, direction, after=after, page=_PAGE):
        yield page
        after = (page[-1].relation_type, _other_end(direction, page[-1]))


def _other_end(direction: str, found: Relationship) -> str:
    return found.to_document if direction == "out" else found.from_document


def _relationship_row(direction: str, found: Relationship) -> tuple[str, ...]:
    state = [
        name
        for name, so in (
            ("declared", found.declared),
            ("inferred", found.inferred),
            ("waiting", found.waiting),
        )
        if so
    ]
    return (
        "->" if direction == "out" else "<-",
        found.relation_type,
        _other_end(direction, found),
        ", ".join(state),
        first_words(found.evidence or ""),
    )
