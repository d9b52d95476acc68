"""`docgraph reembed`: from one embedding model to another."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.cli.console import err, out
from docgraph.cli.options import DatabaseUrl, Home, Keep
from docgraph.cli.setup import saying_how_to_set_up
from docgraph.client import DocGraph


def reembed(
    *,
    embedding_model: Annotated[str, typer.Option(help="Name of the new model.")],
    dimensions: Annotated[int, typer.Option(help="Elements of its vectors.")],
    metric: Annotated[
        str | None, typer.Option(help="cosine, l2 or ip. Default: as before.", show_default=False)
    ] = None,
    embedding_base_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Of an OpenAI-compatible endpoint.", show_default=False),
    ] = None,
    database_url: DatabaseUrl = None,
    home: Home = None,
    keep: Keep = False,
) -> None:
    """Move the database to another embedding model: same documents, links and access, new vectors.

    The old vectors serve until the new ones are complete; then readers and writers wait while they are
    exchanged and indexed. Stopped in the middle, the same command goes on where it was.
    """
    with (
        saying_how_to_set_up(database_url, home),
        DocGraph(database_url, home=home, keep=keep) as client,
    ):
        with err.status("Embedding") as status:
            made = client.reembed(
                model=embedding_model,
                dimensions=dimensions,
                metric=metric,
                base_url=embedding_base_url,
                progress=lambda done: status.update(f"Embedded {done:,} texts"),
            )
        space = client.embedding_space()
    assert space is not None  # noqa: S101 - reembed has seen to it
    out.print(f"Embedding space: {space.model}, {space.dimensions} dimensions, {space.metric}.")
    out.print(f"Texts embedded: {made:,}." if made else "Nothing to do.")
