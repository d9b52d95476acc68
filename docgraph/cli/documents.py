"""`docgraph ls | show | rm`: the documents that a claim may see."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from docgraph.cli.claims import describe_identity, refuse_unseen
from docgraph.cli.console import can_ask, err, json_line, lines, one_line, out, plain, write
from docgraph.cli.options import Id, Json
from docgraph.cli.tables import Rows, first_words
from docgraph.client import DocGraph
from docgraph.stored import DocumentRow, StoredChunk, StoredDocument

_PAGE = 500
_BATCH = 200


def ls(
    client: DocGraph,
    *,
    after: Annotated[str | None, typer.Option(metavar="ID", help="Begin after this id.")] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=0, help="So many at most; 0 is all.")] = 0,
    source: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only what was ingested from this source.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the documents by id. With --json, one object on each line."""
    table = Rows("ID", "Title", "Type", "Access")
    found = False
    for page in _pages(client, after, limit, source):
        found = True
        if as_json:
            for row in page:
                json_line(asdict(row))
        else:
            table.print((row.document_id, row.title, row.doc_type, _access(row)) for row in page)
    if not found:
        asked = f' from source "{source}"' if source is not None else ""
        asked += f' after "{after}"' if after is not None else ""
        who = client.whoami()
        err.print(plain(f'No document to be seen in tenant "{client.tenant}"{asked} by login "{who.login}".'))
        err.print(plain(f"This claim covers {describe_identity(who)}."))


def _pages(
    client: DocGraph, after: str | None, limit: int, source: str | None
) -> Iterator[Sequence[DocumentRow]]:
    left = limit or sys.maxsize
    while left and (page := client.list_documents(after=after, page=min(left, _PAGE), ingested_from=source)):
        yield page
        after = page[-1].document_id
        left -= len(page)


def show(
    client: DocGraph,
    document: Id,
    *,
    text: Annotated[bool, typer.Option("--text", help="Print the whole text of the chunks.")] = False,
    as_json: Json = False,
) -> None:
    """Show a document: what is known of it, its sections and its chunks."""
    found = client.get_document(document)
    if found is None:
        refuse_unseen(document)
    if as_json:
        json_line(found.to_dict())
        return
    _show_facts(found)
    if found.summary:
        out.print("\nSummary", style="bold")
        out.print(lines(found.summary), soft_wrap=not out.is_terminal)
    if found.section_titles:
        out.print(f"\nSections: {len(found.section_titles)}", style="bold")
        for title in found.section_titles:
            out.print(f"  {one_line(title)}")
    out.print(f"\nChunks: {len(found.chunks)}", style="bold")
    if text:
        for chunk in found.chunks:
            titles = f"{_section(chunk)}, " if chunk.section_path else ""
            out.print(f"\n[{chunk.ordinal}] {titles}{chunk.token_count} tokens", style="bold")
            write(lines(chunk.text))
    else:
        Rows("#", "Tokens", "Section", "Text", numbers=2).print(
            (str(chunk.ordinal), str(chunk.token_count), _section(chunk), first_words(chunk.text))
            for chunk in found.chunks
        )


def _show_facts(found: StoredDocument) -> None:
    facts = {
        "Title": found.title,
        "ID": found.id,
        "Type": found.doc_type,
        "Source": found.source,
        "Access": _access(found) or "public",
        "Names": ", ".join(found.names),
    }
    for name, value in facts.items():
        if value:
            out.print(f"{name:8}{plain(value)}")


def rm(
    client: DocGraph,
    documents: Annotated[list[str], typer.Argument(metavar="ID", help="The ids of the documents.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Delete documents, with their chunks and relationships. In a terminal it asks first.

    Elsewhere it does not: each document is named, and no other is lost. The exit code is 1 if one of them is
    not there, or not to be seen by this claim.
    """
    asked = list(dict.fromkeys(documents))
    if not yes and can_ask():
        what = f'"{plain(asked[0])}"' if len(asked) == 1 else f"{len(asked)} documents"
        typer.confirm(f"Delete {what}?", abort=True, err=True)
    deleted: list[str] = []
    absent: list[str] = []
    try:
        for start in range(0, len(asked), _BATCH):
            written = client.delete_documents(asked[start : start + _BATCH])
            deleted += map(str, written.deleted)
            absent += map(str, written.absent)
    finally:
        # Also before an error: what is gone is gone.
        if deleted or absent:
            _say_deleted(deleted, absent, as_json=as_json)
    if absent:
        raise typer.Exit(1)


def _say_deleted(deleted: Sequence[str], absent: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        json_line({"deleted": deleted, "absent": absent})
        return
    for document in deleted:
        out.print(f"Deleted: {plain(document)}")
    for document in absent:
        err.print(f"Not there, or not to be seen by this claim: {plain(document)}")


def _access(found: DocumentRow | StoredDocument) -> str:
    """Who may see it; "" if anybody may."""
    said = {
        "repository": found.repository,
        "snapshot": found.snapshot,
        "tags": ", ".join(found.tags),
        "labels": ", ".join(found.labels),
        "clearance": found.clearance,
    }
    return "; ".join(f"{name} {value}" for name, value in said.items() if value)


def _section(chunk: StoredChunk) -> str:
    return one_line(" > ".join(chunk.section_path))
